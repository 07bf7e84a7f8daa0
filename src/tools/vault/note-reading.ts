// Tools that show one note or file: contentManager_readContent (text, lines, a
// section or a block; an image; the facts of anything else) and vaultManager_openNote (in Obsidian, for the person).
import { openOnDesktop } from "../../files/files.ts";
import type { FileContent, MediaContent } from "../../vault/vault.ts";
import { Problem } from "../../kernel/kernel.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { isoTime } from "../definition/dates.ts";
import { defineTool } from "../definition/define-tool.ts";
import { asLines } from "../call/result-lines.ts";
import { READS } from "../definition/effects.ts";
import { flag, integer, optional, record, resultObject, text, unlisted } from "../definition/schema.ts";
import { dataOutput, OWN, READ_PATH, PATH, noteTouched, pathTouched, SHARED } from "./fields.ts";

export const readContent = defineTool({
  ...SHARED,
  name: "contentManager_readContent",
  title: "Read a note",
  description:
    "Read a note: show, open it, read what the note says. Full text of a note or file in the vault, some lines, the section below a heading, a block; with contentHash.",
  byDefault: true,
  effects: READS,
  pages: "data.content",
  input: {
    filePath: READ_PATH,
    offset: optional(integer("", { minimum: 0, isUnlisted: true })),
    limit: optional(integer("Lines", { minimum: 1, isUnlisted: true })),
    /** As the tools that write lines name them, and results do. */
    startLine: unlisted(integer("", { minimum: 1 })),
    endLine: unlisted(integer("", { minimum: 1 })),
    includeLineNumbers: unlisted(flag()),
    heading: optional(text("e.g. Projects")),
    block: optional(text()),
    /** The JSON of a canvas or the YAML of a base, to edit it, instead of a description. */
    raw: unlisted(flag()),
    /** Of a PDF file, from 1. */
    page: unlisted(integer("", { minimum: 1 })),
    includeProperties: optional(flag()),
    /** The headings alone. */
    outline: optional(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({
      filePath: text(),
      /** Of a file that is not text, its facts in words. */
      content: text(),
      startLine: optional(integer()),
      endLine: optional(integer()),
      totalLines: optional(integer("Unknown, as contentHash is, of a note too large to be read to its end")),
      contentHash: optional(text()),
      properties: optional(record()),
      propertiesError: optional(text()),
      file: optional(resultObject<FileFacts>()),
      /** Of a PDF file: the first and the last page of the content. */
      page: unlisted(integer()),
      endPage: unlisted(integer()),
    }),
    hint: unlisted(text()),
  },
  afterCut: withItsLines,
  touches: noteTouched,
  text: ({ data: { filePath, content, properties, file, ...about } }) => ({
    head: headOf(filePath, about, file?.pages),
    // Properties are somebody's words, too.
    words: properties === undefined ? content : `${asLines({ properties })}\n\n${content}`,
  }),
  run: async (
    {
      filePath,
      raw = false,
      includeLineNumbers = false,
      includeProperties = false,
      outline = false,
      context: _,
      ...asked
    },
    { services, signal, attach, isForModel },
  ) => {
    const { readFileContent } = await import("../../vault/vault.ts");
    const { startLine, endLine, ...others } = asked;
    const part = { ...linesBetween(startLine, endLine), ...others };
    // Lines are lines of the file.
    const isRaw = raw || includeLineNumbers || part.offset !== undefined || part.limit !== undefined;
    const read = await readFileContent(await services.vault(), filePath, { ...part, isRaw }, signal);
    if (read.kind === "text" && outline) {
      const { scanMarkdown } = await import("../../markdown/markdown.ts");
      const headings = scanMarkdown(read.excerpt.content).headings.map(
        (each) => `${"#".repeat(each.level)} ${each.text}`,
      );
      const content = headings.length === 0 ? "" : `${headings.join("\n")}\n`;
      const hash = read.hash === undefined ? {} : { contentHash: read.hash };
      return { success: true, data: { filePath: read.path, content, ...hash }, hint: OUTLINE_HINT };
    }
    if (read.kind === "text") {
      const data = await textData(read, { includeLineNumbers, includeProperties });
      return { success: true, data, ...(read.hint !== undefined && { hint: read.hint }) };
    }
    if (read.kind === "words") {
      const { path, words, hash } = read;
      const hint = "This is a description. For the text of the file, to edit it, call again with raw: true.";
      const data = { filePath: path, content: words, contentHash: hash };
      return { success: true, data, ...(isForModel && { hint }) };
    }
    if (read.kind === "pdf") return { success: true, ...pdfResult(read) };
    const { path, media } = read;
    if (media.image !== undefined && isForModel) attach(media.image);
    const file = { ...media.facts, modified: isoTime(media.facts.modified) };
    const data = { filePath: path, content: media.words, file };
    return { success: true, data, ...(media.hint !== undefined && { hint: media.hint }) };
  },
});

const OUTLINE_HINT = "These are the headings alone. For the text below one: heading.";

interface Shown {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly totalLines?: number | undefined;
  readonly page?: number | undefined;
  readonly endPage?: number | undefined;
}

/** The first line: the path and the range shown, as in "A.md, lines 1 to 40 of 300". */
function headOf(
  filePath: string,
  { startLine, endLine, totalLines, page, endPage, ...facts }: Shown,
  pages: number | undefined,
): string {
  const lines = startLine === undefined ? "" : `, lines ${startLine} to ${endLine}`;
  const shown = page === undefined ? lines : page === endPage ? `, page ${page}` : `, pages ${page} to ${endPage}`;
  const total = totalLines ?? pages;
  return `${filePath}${shown}${total === undefined || shown === "" ? "" : ` of ${total}`}\n${asLines(facts)}`;
}

/** Lines by their numbers, the last included, as what is skipped and read. */
function linesBetween(
  first = 1,
  last = Number.POSITIVE_INFINITY,
): { readonly offset?: number; readonly limit?: number } {
  if (last < first) throw new Problem("invalid", `endLine must be at least ${first}, where startLine is`);
  return {
    ...(first > 1 && { offset: first - 1 }),
    ...(last < Number.POSITIVE_INFINITY && { limit: last - first + 1 }),
  };
}

/** The facts of a file that is not text. */
type FileFacts = Omit<MediaContent["facts"], "modified"> & { readonly modified: string };

/** A page begins with its number on a line of its own. */
function pdfResult({ path, facts, first, pages, hint }: Extract<FileContent, { kind: "pdf" }>) {
  const file = { ...facts, modified: isoTime(facts.modified) };
  const content = pages.map((text, i) => `[Page ${first + i}]\n${text}\n`).join("\n");
  const shown = pages.length === 0 ? {} : { page: first, endPage: first + pages.length - 1 };
  return { data: { filePath: path, content, file, ...shown }, ...(hint !== undefined && { hint }) };
}

async function textData(
  { path, excerpt, totalLines, hash, beginning }: Extract<FileContent, { kind: "text" }>,
  asked: { readonly includeLineNumbers: boolean; readonly includeProperties: boolean },
) {
  const { withLineNumbers } = await import("../../vault/vault.ts");
  const { readProperties } = await import("../../markdown/markdown.ts");
  const { properties, broken } = readProperties(beginning);
  return {
    filePath: path as string,
    content: asked.includeLineNumbers ? withLineNumbers(excerpt) : excerpt.content,
    startLine: excerpt.startLine,
    endLine: excerpt.endLine,
    ...(totalLines !== undefined && { totalLines }),
    ...(hash !== undefined && { contentHash: hash }),
    // The content has them as YAML already.
    ...(asked.includeProperties && { properties }),
    ...(broken !== undefined && { propertiesError: broken }),
  };
}

interface Lines {
  readonly data: {
    readonly content: string;
    readonly startLine?: number | undefined;
    readonly endLine?: number | undefined;
  };
}

/** Corrects the line numbers of a page: they count from the beginning of the note. */
function withItsLines<Page extends Lines>(page: Page, whole: Lines, start: number): Page {
  if (whole.data.startLine === undefined) return page;
  const startLine = whole.data.startLine + breaksIn(whole.data.content.slice(0, start));
  const endLine = startLine + breaksIn(page.data.content.replace(/\n$/, ""));
  return { ...page, data: { ...page.data, startLine, endLine } };
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}

export const openNote = defineTool({
  ...OWN,
  name: "vaultManager_openNote",
  title: "Open a note",
  description: "Open a note in Obsidian, on the person's screen. Returns the obsidian:// link.",
  byDefault: false,
  returnsForeignText: false,
  effects: { ...READS, openWorld: true },
  input: { path: PATH, ...OPTIONAL_CONTEXT },
  output: dataOutput({
    path: text(),
    uri: text(),
    opened: flag(),
  }),
  touches: pathTouched,
  run: async ({ path: sent }, { services }) => {
    const { meantNote, readNote } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const { path } = await readNote(vault, (await meantNote(vault, sent)).path);
    const uri = `obsidian://open?vault=${encodeURIComponent(vault.name)}&file=${encodeURIComponent(path)}`;
    return { success: true, data: { path, uri, opened: await openOnDesktop(uri) } };
  },
});
