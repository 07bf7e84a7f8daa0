// Finds the rows in a Markdown text: headings, and list items below them. What
// is neither belongs to the row before it (a note, if it comes before the rows
// below) or to none, and stays where it is.
import { findFrontmatter } from "../../../markdown/markdown.ts";
import { CHECKED, NONE, TOP, UNCHECKED } from "../parsed-outline.ts";
import { closesFence, columnOf, fenceOf } from "./text.ts";

export interface MarkdownRow {
  readonly parent: number;
  /** 1 to 6 for a heading, 0 for a list item. */
  readonly heading: number;
  readonly isUnderlined: boolean;
  /** Offsets of the line. */
  readonly start: number;
  readonly lineEnd: number;
  /** The white space before the mark, and the mark itself: "-", "3.". */
  readonly indent: string;
  readonly marker: string;
  /** Where the content begins: an offset, and a column. */
  readonly content: number;
  readonly contentColumn: number;
  readonly state: number;
  /** Offsets of the topic. */
  readonly topic: number;
  readonly topicEnd: number;
  /** Offsets of the note's lines, without the last line break; -1 where there is none. */
  note: number;
  noteEnd: number;
  /** Behind the last line that is not blank, and belongs to it or to what is below it. */
  end: number;
}

interface Paragraph {
  readonly start: number;
  readonly end: number;
  /** The section that has taken it for its text, as it was before that. */
  readonly section: Pick<MarkdownRow, "note" | "noteEnd" | "end"> | undefined;
}

const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*)|)$/s;
const HEADING = /^( {0,3})(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/s;
const BREAK = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const CHECKBOX = /^\[([ xX])\](?:[ \t]+|$)/;

/** A list item has to be so much further in than another to be below it. */
const DEEPER = 2;
/** From so many columns on it is code. */
const CODE = 4;

export function scanMarkdown(text: string): MarkdownRow[] {
  const rows: MarkdownRow[] = [];
  /** Open rows, outermost first: headings, then items. */
  const headings: number[] = [];
  let items: number[] = [];
  let fence: { readonly mark: string; readonly column: number } | undefined;
  let isAfterBlank = true;
  /** The paragraph line before this one that an underline would make a heading of. */
  let paragraph: Paragraph | undefined;

  /** Lets a line belong to a row, and to those above it. */
  const extend = (row: number | undefined, start: number, end: number, next: number) => {
    if (row === undefined) return;
    const owner = rows[row]!;
    // A note ends with the first row below.
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
  const first = findFrontmatter(text)?.end ?? bom;
  for (let start = first, next = first; start < text.length; start = next) {
    const newline = text.indexOf("\n", start);
    next = newline === -1 ? text.length : newline + 1;
    const end = newline === -1 ? text.length : text[newline - 1] === "\r" && newline > start ? newline - 1 : newline;
    const line = text.slice(start, end);
    const white = /^[ \t]*/.exec(line)![0];
    const isBlank = white.length === line.length;
    const column = columnOf(white);
    const before = paragraph;
    paragraph = undefined;

    if (fence !== undefined) {
      // Code inside an item ends with the item.
      if (isBlank || column >= fence.column) {
        if (closesFence(line, fence.mark)) fence = undefined;
        extend(items.at(-1) ?? headings.at(-1), start, end, next);
        isAfterBlank = false;
        continue;
      }
      fence = undefined;
    }
    if (isBlank) {
      isAfterBlank = true;
      continue;
    }
    const wasBlank = isAfterBlank;
    isAfterBlank = false;

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
      const topicEnd = topic + text.slice(topic, end).trimEnd().length;
      const parent = items.at(-1) ?? headings.at(-1) ?? TOP;
      const row = { parent, heading: 0, isUnderlined: false, start, lineEnd: end, indent, marker, content };
      items.push(add({ ...row, contentColumn, state, topic, topicEnd }, next));
      const mark = fenceOf(text.slice(topic, end));
      if (mark !== undefined) fence = { mark, column: contentColumn };
      continue;
    }

    const heading = column < CODE && !isInItem(column, rows[items[0]!]) ? HEADING.exec(line) : null;
    if (heading !== null) {
      const topic =
        start +
        (heading[3] === undefined
          ? line.trimEnd().length
          : line.indexOf(heading[3], heading[1]!.length + heading[2]!.length));
      const topicEnd = topic + (heading[3]?.length ?? 0);
      addHeading(
        heading[2]!.length,
        { start, lineEnd: end, isUnderlined: false, indent: heading[1]!, marker: heading[2]!, topic, topicEnd },
        next,
      );
      continue;
    }

    while (items.length > 0 && !isInItem(column, rows[items.at(-1)!])) items.pop();
    const underline = before !== undefined && items.length === 0 ? UNDERLINE.exec(line) : null;
    if (underline !== null && before !== undefined) {
      // The line above has been taken for the text of the section.
      const section = headings.at(-1);
      if (section !== undefined) Object.assign(rows[section]!, before.section);
      for (let each = section ?? TOP; each !== TOP; each = rows[each]!.parent) rows[each]!.end = before.section!.end;
      const topic = before.start + /^\s*/.exec(text.slice(before.start, before.end))![0].length;
      const topicEnd = before.start + text.slice(before.start, before.end).trimEnd().length;
      addHeading(
        underline[1]![0] === "=" ? 1 : 2,
        { start: before.start, lineEnd: end, isUnderlined: true, indent: "", marker: underline[1]!, topic, topicEnd },
        next,
      );
      continue;
    }
    const mark = column < CODE || items.length > 0 ? fenceOf(line.slice(white.length)) : undefined;
    if (mark !== undefined)
      fence = { mark, column: items.length === 0 ? 0 : Math.min(column, rows[items.at(-1)!]!.contentColumn) };
    else if (items.length === 0 && column < CODE && wasBlank && !/^\s*[>|]/.test(line)) {
      const section = rows[headings.at(-1) ?? -1];
      paragraph = {
        start,
        end,
        section: section && { note: section.note, noteEnd: section.noteEnd, end: section.end },
      };
    }
    extend(items.at(-1) ?? headings.at(-1), start, end, next);
  }
  return rows;
}

/** Whether a line so far in goes on with the item. */
function isInItem(column: number, item: MarkdownRow | undefined): boolean {
  return item !== undefined && column >= Math.min(item.contentColumn, columnOf(item.indent) + DEEPER);
}
