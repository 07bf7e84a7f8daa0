// Tools that show one note or file: contentManager_readContent (text, lines, a
// section or a block; an image; the facts of anything else) and vaultManager_openNote (in Obsidian, for the person).
import { openOnDesktop } from "../../files/files.ts";
import type { FileContent, MediaContent, Vault } from "../../vault/vault.ts";
import { Problem } from "../../kernel/kernel.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { isoTime } from "../definition/dates.ts";
import { type Call, defineTool } from "../definition/define-tool.ts";
import { asLines } from "../call/result-lines.ts";
import { READS } from "../definition/effects.ts";
import { flag, integer, list, optional, record, resultObject, text, textOr, unlisted } from "../definition/schema.ts";
import type { InVault } from "./every-vault.ts";
import { dataOutput, FILE_PATH, OWN, PATH, pathTouched, SHARED } from "./fields.ts";

export const readContent = defineTool({
  ...SHARED,
  name: "contentManager_readContent",
  title: "Read a note",
  description:
    "Read a note or several: show, open it, read what the note says. Full text of a note or file in the vault, some lines, the section below a heading, a block.",
  byDefault: true,
  effects: READS,
  pages: "data.content",
  input: {
    /** As reads, and changes of a note that exists, take what a link says. */
    filePath: textOr(FILE_PATH, list(text()), "Path, name, [[link]] or daily:today", {
      missing: "File path is required",
    }),
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
      /** If several were asked for: their texts are in the content, one below the other. */
      notes: unlisted(list(resultObject<ReadNote>())),
      /** Of a PDF file: the first and the last page of the content. */
      page: unlisted(integer()),
      endPage: unlisted(integer()),
    }),
    hint: unlisted(text()),
  },
  afterCut: withItsLines,
  touches: ({ filePath = [] }, result) =>
    result?.data.notes?.slice(0).map((note) => note.filePath) ?? [result?.data.filePath ?? filePath].flat(),
  text: ({ data: { filePath, content, properties, file, notes, ...about } }) => ({
    head: notes === undefined ? headOf(filePath, about, file?.pages) : headOfSeveral(notes.slice(0)),
    // Properties are somebody's words, too.
    words: properties === undefined ? content : `${asLines({ properties })}\n\n${content}`,
  }),
  run: async ({ filePath, context: _, ...asked }, call) => {
    if (typeof filePath === "string") return readOne(await call.services.vault(), filePath, asked, call);
    return readSeveral(filePath, asked, call);
  },
});

interface Asked {
  readonly raw?: boolean | undefined;
  readonly includeLineNumbers?: boolean | undefined;
  readonly includeProperties?: boolean | undefined;
  readonly outline?: boolean | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly heading?: string | undefined;
  readonly block?: string | undefined;
  readonly page?: number | undefined;
}

/** A note among several that were asked for. */
interface ReadNote extends InVault {
  readonly filePath: string;
  readonly contentHash?: string | undefined;
  /** Why it was not read. */
  readonly error?: string;
  readonly hint?: string | undefined;
}

function headOfSeveral(notes: readonly ReadNote[]): string {
  const read = notes.filter(({ error }) => error === undefined).length;
  return `${read} of ${notes.length} notes\n${asLines({ notes })}`;
}

/** More would be cut anyway. */
const MAX_NOTES = 50;

/** Each from the first vault that has it. One that is missing is named, and the others are read. */
async function readSeveral(paths: readonly string[], asked: Asked, call: Call) {
  if (paths.length === 0) throw new Problem("invalid", "File path is required");
  if (paths.length > MAX_NOTES) throw new Problem("invalid", `filePath must have at most ${MAX_NOTES} paths`);
  const notes: ReadNote[] = [];
  const texts: string[] = [];
  for (const path of paths) {
    const { data, hint, vault } = await readInAnyVault(path, asked, call);
    if (data === undefined) notes.push({ filePath: path, error: hint ?? "" });
    else {
      const { filePath, content, contentHash } = data;
      notes.push({ filePath, ...vault, ...(contentHash !== undefined && { contentHash }), ...(hint && { hint }) });
      texts.push(`==> ${filePath} <==\n${content}`);
    }
  }
  const missing = notes.filter(({ error }) => error !== undefined);
  if (texts.length === 0) throw new Problem("not_found", missing.map(({ error }) => error).join(" "));
  const filePath = notes.map((note) => note.filePath).join(", ");
  return {
    success: true,
    ...(missing.length > 0 && { hint: `Only ${texts.length} of ${paths.length} were read: see error in notes.` }),
    data: { filePath, notes, content: texts.join("\n") },
  };
}

async function readInAnyVault(path: string, asked: Asked, call: Call) {
  const { askedVaults, vaults } = call.services;
  let first: string | undefined;
  for (const { name, vault } of askedVaults) {
    try {
      const { data, hint } = await readOne(await vault(), path, asked, call);
      const place: InVault = vaults.length > 1 ? { vault: name } : {};
      return { data: data as { filePath: string; content: string; contentHash?: string }, hint, vault: place };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      first ??= [`${error.message}.`, error.hint].filter(Boolean).join(" ");
      // A note of the same name elsewhere is another one.
      if (error.code !== "not_found") break;
    }
  }
  return { data: undefined, hint: first, vault: {} };
}

async function readOne(
  vault: Vault,
  filePath: string,
  { raw = false, includeLineNumbers = false, includeProperties = false, outline = false, ...asked }: Asked,
  { signal, attach, isForModel }: Pick<Call, "signal" | "attach" | "isForModel">,
) {
  const { readFileContent } = await import("../../vault/vault.ts");
  const { startLine, endLine, ...others } = asked;
  const part = { ...linesBetween(startLine, endLine), ...others };
  // Lines are lines of the file.
  const isRaw = raw || includeLineNumbers || part.offset !== undefined || part.limit !== undefined;
  const read = await readFileContent(vault, filePath, { ...part, isRaw }, signal);
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
}

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
