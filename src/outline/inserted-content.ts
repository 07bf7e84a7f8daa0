// Parses the text that a caller inserts into new rows, in the format the caller
// names. Pure; used by insert_content.
import { parseMarkdown } from "./formats/markdown/markdown.ts";
import { parseOpml } from "./formats/opml/opml.ts";
import { CHECKED, NONE, TOP, type ParsedOutline } from "./formats/parsed-outline.ts";
import { rowsOfText } from "./indented-text.ts";
import { Problem } from "../kernel/kernel.ts";
import type { NewRow } from "./model.ts";

const READERS = {
  markdown: (text: string) => {
    const arranged = withSectionNoteAbove(text);
    return withoutLoss(arranged, newRowsOf(parseMarkdown(Buffer.from(arranged)))).map(withNotesUnquoted);
  },
  opml: (text: string) => newRowsOf(parseOpml(Buffer.from(text))),
  text: (text: string) => withinLevels(rowsOfText(text)),
};

/** More than any outline has, and few enough for recursive code. */
const MAX_LEVELS = 500;

export function rowsOfContent(content: string, format: keyof typeof READERS): readonly NewRow[] {
  return READERS[format](content);
}

/** A section as get_section_content gives it: a heading, a list, and the note of the section after both. */
const SECTION = /^(# [^\n]*)\n([\s\S]*?)\n*\n(> Note:[^\n]*(?:\n>[^\n]*)*)\s*$/;

/** The text without the note of the section that ends it; undefined if it is no section with a note. */
export function withoutSectionNote(text: string): string | undefined {
  const [, heading, list] = SECTION.exec(text.replaceAll("\r\n", "\n")) ?? [];
  return heading === undefined ? undefined : `${heading}\n${list}`;
}

function withSectionNoteAbove(text: string): string {
  const [, heading, list, note] = SECTION.exec(text.replaceAll("\r\n", "\n")) ?? [];
  return heading === undefined ? text : `${heading}\n\n${note}\n\n${list}`;
}

/** Notes that are written as quotes with "Note:", as get_section_content gives them. */
function withNotesUnquoted({ note, children = [], ...row }: NewRow): NewRow {
  const lines = (note ?? "").split("\n");
  const isQuoted = lines[0]!.startsWith("> Note:") && lines.every((line) => line.startsWith(">"));
  const own = isQuoted
    ? [lines[0]!.replace(/^> Note: ?/, ""), ...lines.slice(1).map((line) => line.replace(/^> ?/, ""))].join("\n")
    : note;
  return { ...row, note: own, children: children.map(withNotesUnquoted) };
}

/** Copies the rows of a parsed document. */
function newRowsOf(parsed: ParsedOutline): readonly NewRow[] {
  const top: NewRow[] = [];
  const childrenOf: NewRow[][] = [];
  for (let row = 0; row < parsed.count; row++) {
    const children: NewRow[] = [];
    childrenOf.push(children);
    const state = parsed.states[row]!;
    const parent = parsed.parents[row]!;
    (parent === TOP ? top : childrenOf[parent]!).push({
      topic: parsed.topic(row),
      note: parsed.note(row) ?? undefined,
      state: state === NONE ? undefined : state === CHECKED ? "checked" : "unchecked",
      children,
    });
  }
  return withinLevels(top);
}

/** Breadth first, without recursion: the rows may be too deep for the stack. */
function withinLevels(rows: readonly NewRow[]): readonly NewRow[] {
  let level = rows;
  for (let count = 1; level.length > 0; count++) {
    if (count > MAX_LEVELS)
      throw new Problem(
        "invalid",
        `The content has more than ${MAX_LEVELS} levels. Nothing was inserted.`,
        "Insert it in parts.",
      );
    level = level.flatMap(({ children = [] }) => children);
  }
  return rows;
}

/** Throws for Markdown with text outside its rows: in a file such text stays where it is, but here it would be lost. */
function withoutLoss(text: string, rows: readonly NewRow[]): readonly NewRow[] {
  const kept = lettersOf(textsOf(rows).join("\n"));
  const lines = text.split("\n").map((line) => ({ line, letters: lettersOf(line.replace(MARKER, "")) }));
  if (lines.reduce((sum, { letters }) => sum + letters.length, 0) <= kept.length) return rows;
  const lost = lines.find(({ letters }) => letters !== "" && !kept.includes(letters))?.line.trim();
  throw new Problem(
    "invalid",
    `Some of the text belongs to no row${lost === undefined ? "" : `: "${lost.slice(0, 60)}"`}. Nothing was inserted.`,
    "Make it a list item, or indent it below one as its note.",
  );
}

/** Marks a line as a row and is not part of the text. */
const MARKER = /^[\s>]*(?:#{1,6}\s|(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s)?)?/;

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function textsOf(rows: readonly NewRow[]): string[] {
  return rows.flatMap(({ topic, note = "", children = [] }) => [topic, note, ...textsOf(children)]);
}
