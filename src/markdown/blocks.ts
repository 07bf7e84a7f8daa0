// Finds a block of a note by its id (`^id`), as a link to [[note#^id]] does. Used
// by the tool that reads one block.
import { scanMarkdown } from "./scanner/scanner.ts";
import { Problem } from "../kernel/kernel.ts";

export interface Block {
  readonly id: string;
  readonly start: number;
  /** After the line break of its last line. */
  readonly end: number;
  /** The number of its first line. */
  readonly line: number;
}

interface TextLine {
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  readonly text: string;
  /** In a passage that is not prose: frontmatter, a code block, a comment, maths. */
  readonly isCode: boolean;
}

const MAX_LISTED = 12;

/** The paragraph, list item (with what is nested in it), table or code block of that id. */
export function findBlock(text: string, name: string): Block {
  const wanted = name.trim().replace(/^#?\^/, "");
  if (wanted === "") throw new Problem("invalid", "A block needs an id, like ^abc123.");
  const lines = linesOf(text);
  const marked = lines.flatMap((line, i) => {
    const id = line.isCode ? undefined : /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/.exec(line.text)?.[1];
    return id === undefined ? [] : [{ id, i }];
  });
  const exact = marked.filter(({ id }) => id === wanted);
  const [found, ...others] =
    exact.length > 0 ? exact : marked.filter(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) {
    const ids = marked.slice(0, MAX_LISTED).map(({ id }) => `^${id}`);
    const known =
      ids.length === 0 ? "It has no block ids." : `It has ${ids.join(", ")}${marked.length > MAX_LISTED ? ", …" : ""}.`;
    throw new Problem("not_found", `The note has no block ^${wanted}. ${known}`);
  }
  if (others.length > 0) {
    const places = [found, ...others].map(({ i }) => i + 1).join(", ");
    throw new Problem(
      "invalid",
      `The id ^${wanted} is on several lines (${places}). Read them by line number instead.`,
    );
  }
  const [first, last] = extent(lines, found.i);
  return { id: found.id, start: lines[first]!.start, end: lines[last]!.next, line: first + 1 };
}

function linesOf(text: string): TextLine[] {
  const passages = scanMarkdown(text).notProse;
  const lines: TextLine[] = [];
  let at = 0;
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start);
    const next = lineBreak === -1 ? text.length : lineBreak + 1;
    const line = text.slice(start, next).replace(/\r?\n$/, "");
    while (at < passages.length && passages[at]!.end <= start) at++;
    const passage = passages[at];
    const isCode =
      passage !== undefined && passage.start <= start + indentation(line) && passage.end >= start + line.length;
    lines.push({ start, next, text: line, isCode });
    start = next;
  }
  return lines;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** The first and the last line of the block whose id is on this line. */
function extent(lines: readonly TextLine[], marked: number): readonly [number, number] {
  const isAlone = /^[ \t]*\^/.test(lines[marked]!.text);
  if (isAlone && marked > 0 && isBlank(lines[marked - 1]!)) return [blockAbove(lines, marked), marked];
  let first = marked;
  // A list item is a block of its own, even without a blank line above it. An id below a list names the whole list.
  while (first > 0 && continues(lines, first, isAlone)) first--;
  return [first, isAlone ? marked : itemEnd(lines, first, marked)];
}

/** An id alone on a line after a blank line names the block above. */
function blockAbove(lines: readonly TextLine[], marked: number): number {
  let first = marked - 1;
  while (first > 0 && isBlank(lines[first]!)) first--;
  if (isBlank(lines[first]!)) return marked;
  const last = lines[first]!;
  const belongs = (line: TextLine): boolean => line.isCode === last.isCode && (line.isCode || !isBlank(line));
  while (first > 0 && belongs(lines[first - 1]!)) first--;
  return first;
}

function continues(lines: readonly TextLine[], i: number, throughItems: boolean): boolean {
  const line = lines[i]!;
  const above = lines[i - 1]!;
  if (isBlank(above) || above.isCode || isHeading(line) || isHeading(above)) return false;
  return throughItems || !isItem(line);
}

/** A list item includes everything below it that is indented more. */
function itemEnd(lines: readonly TextLine[], first: number, marked: number): number {
  if (!isItem(lines[first]!)) return marked;
  const indent = indentOf(lines[first]!);
  let last = marked;
  for (let i = marked + 1; i < lines.length; i++) {
    if (isBlank(lines[i]!)) continue;
    if (indentOf(lines[i]!) <= indent) break;
    last = i;
  }
  return last;
}

function isBlank(line: TextLine): boolean {
  return line.text.trim() === "";
}

function isItem(line: TextLine): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/.test(line.text);
}

function isHeading(line: TextLine): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line.text);
}

function indentOf(line: TextLine): number {
  return indentation(line.text);
}
