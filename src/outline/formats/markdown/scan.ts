// Finds the rows in a Markdown text: headings and list items. Other text belongs
// to the row before it (as its note, if it comes before the children) or to none,
// and is never changed. Used by markdown.ts.
//
// The scanner of the vault decides what is a heading, code, a comment or maths, so
// that both agree; only list items are found here.
import {
  scanMarkdown,
  trimWhite,
  trimWhiteEnd,
  trimWhiteStart,
  type Heading,
  type Passage,
} from "../../../markdown/markdown.ts";
import { CHECKED, NONE, TOP, UNCHECKED } from "../parsed-outline.ts";
import { columnOf } from "./text.ts";

export interface MarkdownRow {
  readonly parent: number;
  /** 1 to 6 for a heading, 0 for a list item. */
  readonly heading: number;
  readonly isUnderlined: boolean;
  /** Offsets of the line. */
  readonly start: number;
  readonly lineEnd: number;
  /** The white space before the marker, and the marker itself: "-", "3.". */
  readonly indent: string;
  readonly marker: string;
  /** The start of the content: an offset, and a column. */
  readonly content: number;
  readonly contentColumn: number;
  readonly state: number;
  /** Offsets of the topic. */
  readonly topic: number;
  readonly topicEnd: number;
  /** Offsets of the note's lines without the last line break; -1 without a note. */
  note: number;
  noteEnd: number;
  /** After the last line of the row and its descendants that is not blank. */
  end: number;
}

const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*)|)$/s;
const BREAK = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const CHECKBOX = /^\[([ xX])\](?:[ \t]+|$)/;

/** Columns by which a child item must be indented more than its parent. */
const DEEPER = 2;
/** Columns from which an indented line is code. */
const CODE = 4;

export function scanRows(text: string): MarkdownRow[] {
  const { frontmatter, headings: headingsFound, notProse } = scanMarkdown(text);
  const headingAt = new Map(headingsFound.map((heading) => [heading.start, heading]));
  const isInsidePassage = passagesIn(notProse);
  const rows: MarkdownRow[] = [];
  /** Open rows, outermost first: headings, then items. */
  const headings: number[] = [];
  let items: number[] = [];
  let isAfterBlank = true;

  /** Adds a line to a row and its ancestors. */
  const extend = (row: number | undefined, start: number, end: number, next: number) => {
    if (row === undefined) return;
    const owner = rows[row]!;
    // A note ends at the first child.
    if (row === rows.length - 1) {
      if (owner.note === -1) owner.note = start;
      owner.noteEnd = end;
    }
    for (let each = row; each !== TOP; each = rows[each]!.parent) rows[each]!.end = next;
  };
  const add = (row: Omit<MarkdownRow, "note" | "noteEnd" | "end">, next: number): number => {
    const number = rows.push({ ...row, note: -1, noteEnd: -1, end: next }) - 1;
    for (let each = row.parent; each !== TOP; each = rows[each]!.parent) rows[each]!.end = next;
    return number;
  };
  const addHeading = (
    level: number,
    row: Pick<MarkdownRow, "start" | "lineEnd" | "isUnderlined" | "marker" | "topic" | "topicEnd" | "indent">,
    next: number,
  ) => {
    items = [];
    while (headings.length > 0 && rows[headings.at(-1)!]!.heading >= level) headings.pop();
    const parent = headings.at(-1) ?? TOP;
    headings.push(add({ ...row, heading: level, parent, content: row.topic, contentColumn: 0, state: NONE }, next));
  };

  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const first = frontmatter?.end ?? bom;
  for (let start = first, next = first; start < text.length; start = next) {
    const end = lineEnd(text, start);
    next = lineAfter(text, end);
    const line = text.slice(start, end);
    const white = /^[ \t]*/.exec(line)![0];
    const isBlank = white.length === line.length;
    const column = columnOf(white);
    if (isInsidePassage(start)) {
      extend(items.at(-1) ?? headings.at(-1), start, end, next);
      isAfterBlank = false;
      continue;
    }
    if (isBlank) {
      isAfterBlank = true;
      continue;
    }
    const wasBlank = isAfterBlank;
    isAfterBlank = false;

    const heading = headingAt.get(start);
    if (heading !== undefined) {
      next = lineAfter(text, heading.end);
      const lines = lineParts(text, heading);
      if (lines !== undefined) addHeading(heading.level, lines, next);
      else {
        items = [];
        extend(headings.at(-1), start, heading.end, next);
      }
      continue;
    }

    const item = BREAK.test(line) ? null : ITEM.exec(line);
    const deepest = items.at(-1);
    const isCode =
      (deepest === undefined && column >= CODE) ||
      (deepest !== undefined && wasBlank && column >= rows[deepest]!.contentColumn + CODE);
    if (item !== null && !isCode) {
      while (items.length > 0 && column < columnOf(rows[items.at(-1)!]!.indent) + DEEPER) items.pop();
      const [, indent = "", marker = "", space = "", written = ""] = item;
      const content = start + indent.length + marker.length + space.length;
      const box = CHECKBOX.exec(written);
      const topic = content + (box?.[0].length ?? 0);
      const contentColumn = columnOf(space.length > 4 || written === "" ? " " : space, column + marker.length);
      const state = box === null ? NONE : box[1] === " " ? UNCHECKED : CHECKED;
      const topicEnd = topic + trimWhiteEnd(text.slice(topic, end)).length;
      const parent = items.at(-1) ?? headings.at(-1) ?? TOP;
      const row = { parent, heading: 0, isUnderlined: false, start, lineEnd: end, indent, marker, content };
      items.push(add({ ...row, contentColumn, state, topic, topicEnd }, next));
      continue;
    }

    while (items.length > 0 && !isInItem(column, rows[items.at(-1)!])) items.pop();
    extend(items.at(-1) ?? headings.at(-1), start, end, next);
  }
  return rows;
}

/** Returns whether a line at this column continues the item. */
function isInItem(column: number, item: MarkdownRow | undefined): boolean {
  return item !== undefined && column >= Math.min(item.contentColumn, columnOf(item.indent) + DEEPER);
}

/** The offsets of the parts of a heading; undefined if its text has several lines, which a topic cannot have. */
function lineParts(text: string, { start, end, text: topicText, level }: Heading) {
  const first = lineEnd(text, start);
  const line = text.slice(start, first);
  if (first === end) {
    const indent = /^ */.exec(line)![0];
    const marker = "#".repeat(level);
    const afterMarker = indent.length + level;
    const topic = start + (topicText === "" ? afterMarker : line.indexOf(topicText, afterMarker));
    const topicEnd = topic + topicText.length;
    return { start, lineEnd: end, isUnderlined: false, indent, marker, topic, topicEnd };
  }
  const underline = lineAfter(text, first);
  if (lineEnd(text, underline) !== end) return undefined;
  const marker = trimWhite(text.slice(underline, end));
  const topic = start + line.length - trimWhiteStart(line).length;
  const topicEnd = start + trimWhiteEnd(line).length;
  return { start, lineEnd: end, isUnderlined: true, indent: "", marker, topic, topicEnd };
}

/** For increasing positions: whether one is inside a passage that began before it. */
function passagesIn(passages: readonly Passage[]): (position: number) => boolean {
  let next = 0;
  return (position) => {
    while (next < passages.length && passages[next]!.end <= position) next++;
    return next < passages.length && passages[next]!.start < position;
  };
}

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  if (newline === -1) return text.length;
  return newline > start && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** The start of the line after one that ends here. */
function lineAfter(text: string, end: number): number {
  return Math.min(text.length, (text[end] === "\r" ? end + 1 : end) + 1);
}
