// The texts in a Markdown list as they are written and as they are meant, and
// the white space before them. Used by the Markdown format.
import { Problem } from "../../../kernel/kernel.ts";
import { checkText } from "../xml/text.ts";

/** The column that a white space reaches; tabs stop at every fourth. */
export function columnOf(white: string, from = 0): number {
  let column = from;
  for (const character of white) column += character === "\t" ? 4 - (column % 4) : 1;
  return column;
}

/** A line without the white space up to a column; what of a tab reaches beyond it becomes spaces. */
export function outdented(line: string, columns: number): string {
  let [at, column] = [0, 0];
  while (column < columns && (line[at] === " " || line[at] === "\t"))
    column += line[at++] === "\t" ? 4 - (column % 4) : 1;
  return " ".repeat(Math.max(0, column - columns)) + line.slice(at);
}

/** The white space that the line begins with which is least far in; blank lines do not count. */
export function commonIndent(lines: readonly string[]): string {
  const whites = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0]);
  return whites.reduce((least, white) => (columnOf(white) < columnOf(least) ? white : least), whites[0] ?? "");
}

/** What would be read as a mark at the start of a topic, or of a line of a note. */
const MARKS = {
  // Behind the mark of a list two dashes are enough for a line across the page.
  topic: /^(\s*)(\\*)(?=[-*+](?:\s|$)|([-*_])(?:[ \t]*\3)+[ \t]*$|\[[ xX]\](?:\s|$)|#{1,6}(?:\s|$)|```|~~~|>)/,
  note: /^(\s*)(\\*)(?=[-*+](?:\s|$))/,
  section: /^(\s*)(\\*)(?=[-*+](?:\s|$)|#{1,6}(?:\s|$))/,
} as const;
const NUMBER = /^(\s*\d{1,9})(\\*)(?=[.)](?:\s|$))/;

export type Kind = keyof typeof MARKS;

/** A backslash keeps what looks like a mark from being one. */
export function escapeStart(text: string, kind: Kind): string {
  return text.replace(MARKS[kind], "$1\\$2").replace(NUMBER, "$1\\$2");
}

export function unescapeStart(text: string, kind: Kind): string {
  return text.replace(MARKS[kind], withoutSlash).replace(NUMBER, withoutSlash);
}

function withoutSlash(_: string, before: string, slashes: string): string {
  return before + slashes.slice(1);
}

/** The mark and length of a fence that a line opens, without its indentation. */
export function fenceOf(line: string): string | undefined {
  const [, ticks, tildes] = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line) ?? [];
  return ticks ?? tildes;
}

export function closesFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}

/** Each line of a note, outside of code, as `change` makes it. */
export function mapLines(lines: readonly string[], change: (line: string) => string): string[] {
  let fence: string | undefined;
  return lines.map((line) => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return line;
    }
    fence = fenceOf(line.trimStart());
    return fence === undefined ? change(line) : line;
  });
}

/** A topic as one line can hold it. */
export function topicOf(sent: string): string {
  const topic = checkText(sent).trim();
  if (topic.includes("\n"))
    throw new Problem("invalid", "A topic in a Markdown list is one line: put what follows into the note.");
  return topic;
}

/** A note without what Markdown cannot tell from its indentation, and without blank lines around it. */
export function noteOf(sent: string): string {
  const all = checkText(sent).split("\n");
  const indent = columnOf(commonIndent(all));
  const lines = all.map((line) => (line.trim() === "" ? "" : outdented(line, indent)));
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? "" : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1).join("\n");
}

/** The lines of a note as they are written, without their indentation. */
export function linesOfNote(sent: string, kind: Kind): string[] {
  const note = noteOf(sent);
  return note === "" ? [] : mapLines(note.split("\n"), (line) => escapeStart(line, kind));
}
