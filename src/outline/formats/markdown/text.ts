// Escapes and unescapes the texts of Markdown lists, and handles indentation. Used
// by markdown.ts and the scanners of this folder.
import { Problem } from "../../../kernel/kernel.ts";
import { isWhiteLine, trimWhite, trimWhiteStart } from "../../../markdown/markdown.ts";
import { checkText } from "../xml/text.ts";

/** The column after some white space, with tab stops every four columns. */
export function columnOf(white: string, from = 0): number {
  let column = from;
  for (const character of white) column += character === "\t" ? 4 - (column % 4) : 1;
  return column;
}

/** A line without its white space up to a column; the part of a tab beyond it becomes spaces. */
export function outdented(line: string, columns: number): string {
  let [at, column] = [0, 0];
  while (column < columns && (line[at] === " " || line[at] === "\t"))
    column += line[at++] === "\t" ? 4 - (column % 4) : 1;
  return " ".repeat(Math.max(0, column - columns)) + line.slice(at);
}

/** The indentation of the least indented line that is not blank. */
export function commonIndent(lines: readonly string[]): string {
  const whites = lines.filter((line) => !isWhiteLine(line)).map((line) => /^[ \t]*/.exec(line)![0]);
  return whites.reduce((least, white) => (columnOf(white) < columnOf(least) ? white : least), whites[0] ?? "");
}

/** Matches text that would be parsed as markup at the start of a topic, of a line of a note, or of a section's text. */
const MARKS = {
  // After a list marker, two dashes are enough for a thematic break.
  topic: /^(\s*)(\\*)(?=[-*+](?:\s|$)|([-*_])(?:[ \t]*\3)+[ \t]*$|\[[ xX]\](?:\s|$)|#{1,6}(?:\s|$)|```|~~~|>)/,
  note: /^(\s*)(\\*)(?=[-*+](?:\s|$))/,
  section: /^(\s*)(\\*)(?=[-*+](?:\s|$)|#{1,6}(?:\s|$))/,
} as const;
const NUMBER = /^(\s*\d{1,9})(\\*)(?=[.)](?:\s|$))/;

export type TextKind = keyof typeof MARKS;

/** Escapes a text that would be parsed as markup. */
export function escapeStart(text: string, kind: TextKind): string {
  return text.replace(MARKS[kind], "$1\\$2").replace(NUMBER, "$1\\$2");
}

export function unescapeStart(text: string, kind: TextKind): string {
  return text.replace(MARKS[kind], withoutSlash).replace(NUMBER, withoutSlash);
}

function withoutSlash(_: string, before: string, slashes: string): string {
  return before + slashes.slice(1);
}

/** The fence (backticks or tildes) that a line opens. */
function fenceOf(line: string): string | undefined {
  const [, ticks, tildes] = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line) ?? [];
  return ticks ?? tildes;
}

function closesFence(line: string, fence: string): boolean {
  const text = trimWhite(line);
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}

/** Changes each line of a note that is not in a code block. */
export function mapLines(lines: readonly string[], change: (line: string) => string): string[] {
  let fence: string | undefined;
  return lines.map((line) => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return line;
    }
    fence = fenceOf(trimWhiteStart(line));
    return fence === undefined ? change(line) : line;
  });
}

/** A topic as it is stored: a single line, without the white space at its ends that Markdown ignores. */
export function topicOf(text: string): string {
  const [topic = "", ...others] = checkText(text)
    .split("\n")
    .filter((line) => !isWhiteLine(line));
  if (others.length > 0)
    throw new Problem("invalid", "A topic in Markdown is a single line: put the rest into the note.");
  return trimWhite(topic);
}

/** A note as it is stored: without common indentation, and without blank lines around it. */
export function noteOf(text: string): string {
  const all = checkText(text).split("\n");
  const indent = columnOf(commonIndent(all));
  const lines = all.map((line) => (isWhiteLine(line) ? "" : outdented(line, indent)));
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? "" : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1).join("\n");
}

/** The lines of a note as written, without indentation. */
export function linesOfNote(text: string, kind: TextKind): string[] {
  const note = noteOf(text);
  return note === "" ? [] : mapLines(note.split("\n"), (line) => escapeStart(line, kind));
}
