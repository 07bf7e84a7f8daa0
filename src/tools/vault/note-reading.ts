// Tools that show one note: contentManager_readContent (text, lines, a section or a
// block) and vaultManager_openNote (in Obsidian, for the person).
import { FileTooLarge, openOnDesktop } from "../../files/files.ts";
import type { LargeNote, Part, Vault } from "../../vault/vault.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { asLines } from "../call/result-lines.ts";
import { READS } from "../definition/effects.ts";
import { flag, integer, optional, record, text, unlisted } from "../definition/schema.ts";
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
    offset: optional(integer("Lines to skip", { minimum: 0, isUnlisted: true })),
    limit: optional(integer("Lines to read", { minimum: 1, isUnlisted: true })),
    includeLineNumbers: unlisted(flag()),
    heading: optional(text("e.g. Projects/Alpha")),
    block: optional(text("e.g. ^summary")),
    includeProperties: optional(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    filePath: text(),
    content: text(),
    startLine: integer(),
    endLine: integer(),
    totalLines: optional(integer("Unknown, as contentHash is, of a note too large to be read to its end")),
    contentHash: optional(text()),
    properties: optional(record()),
    propertiesError: optional(text()),
  }),
  afterCut: withItsLines,
  touches: noteTouched,
  text: ({ data: { filePath, content, startLine, endLine, totalLines, properties, ...facts } }) => ({
    head: `${filePath}, lines ${startLine} to ${endLine}${totalLines === undefined ? "" : ` of ${totalLines}`}\n${asLines(facts)}`,
    // Properties are somebody's words, too.
    words: properties === undefined ? content : `${asLines({ properties })}\n\n${content}`,
  }),
  run: async (
    { filePath, includeLineNumbers = false, includeProperties = false, context: _, ...part },
    { services, signal },
  ) => {
    const { withLineNumbers } = await import("../../vault/vault.ts");
    const { readProperties } = await import("../../markdown/markdown.ts");
    const { path, excerpt, totalLines, hash, beginning } = await read(await services.vault(), filePath, part, signal);
    const { properties, broken } = readProperties(beginning);
    const data = {
      filePath: path,
      content: includeLineNumbers ? withLineNumbers(excerpt) : excerpt.content,
      startLine: excerpt.startLine,
      endLine: excerpt.endLine,
      ...(totalLines !== undefined && { totalLines }),
      ...(hash !== undefined && { contentHash: hash }),
      // The content has them as YAML already.
      ...(includeProperties && { properties }),
      ...(broken !== undefined && { propertiesError: broken }),
    };
    return { success: true, data };
  },
});

/** Reads the requested part. Notes that are too large to be read whole can only be read by lines. */
async function read(vault: Vault, sent: string, asked: Part, signal: AbortSignal): Promise<LargeNote> {
  const { excerptOf, lineCount, meantNote, readLargeNote, readNote, withHint } = await import("../../vault/vault.ts");
  const { path: filePath, ...linked } = await meantNote(vault, sent);
  const part = { ...linked, ...asked };
  try {
    const { path, note, hash } = readNote(vault, filePath);
    const { text } = note;
    return { path, excerpt: excerptOf(text, part), totalLines: lineCount(text), hash, beginning: text };
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error;
    const { offset = 0, limit, heading, block } = part;
    if (limit === undefined || heading !== undefined || block !== undefined) throw withHint(error);
    return readLargeNote(vault, filePath, { offset, limit }, signal);
  }
}

interface Lines {
  readonly data: { readonly content: string; readonly startLine: number; readonly endLine: number };
}

/** Corrects the line numbers of a page: they count from the beginning of the note. */
function withItsLines<Page extends Lines>(page: Page, whole: Lines, start: number): Page {
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
    const { path } = readNote(vault, (await meantNote(vault, sent)).path);
    const uri = `obsidian://open?vault=${encodeURIComponent(vault.name)}&file=${encodeURIComponent(path)}`;
    return { success: true, data: { path, uri, opened: await openOnDesktop(uri) } };
  },
});
