// Rows out of a text that a caller inserts, in the format that it is said to
// have. Pure; used by insert_content.
import { readMarkdown } from "./formats/markdown/markdown.ts";
import { readOpml } from "./formats/opml/opml.ts";
import { CHECKED, NONE, TOP, type Source } from "./formats/parsed-outline.ts";
import { rowsOfText } from "./indented-text.ts";
import { Problem } from "../kernel/kernel.ts";
import type { NewRow } from "./model.ts";

const READERS = {
  markdown: (text: string) => wholly(text, rowsOfSource(readMarkdown(Buffer.from(text)))),
  opml: (text: string) => rowsOfSource(readOpml(Buffer.from(text))),
  text: (text: string) => withinLevels(rowsOfText(text)),
};

/** More levels than any outline has, and few enough to go down one by one. */
const MOST_LEVELS = 500;

export function rowsOfContent(content: string, format: keyof typeof READERS): readonly NewRow[] {
  return READERS[format](content);
}

/** The rows of another document, as new ones. */
function rowsOfSource(source: Source): readonly NewRow[] {
  const top: NewRow[] = [];
  const childrenOf: NewRow[][] = [];
  for (let row = 0; row < source.count; row++) {
    const children: NewRow[] = [];
    childrenOf.push(children);
    const state = source.states[row]!;
    const parent = source.parents[row]!;
    (parent === TOP ? top : childrenOf[parent]!).push({
      topic: source.topic(row),
      note: source.note(row) ?? undefined,
      state: state === NONE ? undefined : state === CHECKED ? "checked" : "unchecked",
      children,
    });
  }
  return withinLevels(top);
}

/** Level by level: it is known only afterwards how deep they are. */
function withinLevels(rows: readonly NewRow[]): readonly NewRow[] {
  let level = rows;
  for (let count = 1; level.length > 0; count++) {
    if (count > MOST_LEVELS)
      throw new Problem(
        "invalid",
        `The content has more than ${MOST_LEVELS} levels. Nothing was inserted.`,
        "Insert it in parts.",
      );
    level = level.flatMap(({ children = [] }) => children);
  }
  return rows;
}

/** Refuses Markdown with text that is in none of its rows: in a file such text stays where it is, but here it would be lost. */
function wholly(text: string, rows: readonly NewRow[]): readonly NewRow[] {
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

/** What makes a line a row, and is not part of its text. */
const MARKER = /^[\s>]*(?:#{1,6}\s|(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s)?)?/;

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function textsOf(rows: readonly NewRow[]): string[] {
  return rows.flatMap(({ topic, note = "", children = [] }) => [topic, note, ...textsOf(children)]);
}
