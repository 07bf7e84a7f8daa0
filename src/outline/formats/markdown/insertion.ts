// How new lines are written into a Markdown text, in its style: the markers,
// indentation, checkboxes and blank lines of their siblings, and where they go.
// Used by markdown.ts.
import { findFrontmatter, isWhiteLine, trimWhiteEnd } from "../../../markdown/markdown.ts";
import { Problem } from "../../../kernel/kernel.ts";
import type { NewRow } from "../../model.ts";
import { NONE, TOP, type RowSlot } from "../parsed-outline.ts";
import type { MarkdownRow } from "./scan.ts";
import { columnOf, escapeStart, linesOfNote, topicOf } from "./text.ts";
import { isBlankBefore, lineAfter, type TextEdit } from "./text-edits.ts";

/** A text, the rows that were found in it, and its style. */
export interface MarkdownText {
  readonly text: string;
  readonly rows: readonly MarkdownRow[];
  /** Its rows have no markers: see plain-list.ts. */
  readonly isPlain: boolean;
  readonly ending: string;
}

export function insertionInto({ text, rows, isPlain, ending }: MarkdownText) {
  const sectionEnd = (heading: number) => (heading === TOP ? text.length : rows[heading]!.end);

  /** By how much the first nested item is indented; undefined without nested items. */
  const unitOfIndent = (): string | undefined => {
    const nested = rows.find(({ parent, heading }) => parent !== TOP && heading === 0 && rows[parent]!.heading === 0);
    return nested?.indent.slice(rows[nested.parent]!.indent.length);
  };

  /** The indentation of a child row: that of its siblings. */
  const indentAt = (parent: number, siblings: readonly number[], index: number): string => {
    const sibling = [siblings[index - 1], siblings[index]].find((each) => rows[each ?? -1]?.heading === 0);
    if (sibling !== undefined) return rows[sibling]!.indent;
    const row = rows[parent];
    if (row === undefined || row.heading > 0) return "";
    const unit = unitOfIndent();
    const isEnough = unit !== undefined && columnOf(row.indent + unit) >= row.contentColumn;
    return isEnough ? row.indent + unit : row.indent + " ".repeat(row.contentColumn - columnOf(row.indent));
  };

  const markerFor = (siblings: readonly number[], index: number): string => {
    const [before, after] = [siblings[index - 1], siblings[index]].map((row) =>
      row === undefined ? undefined : rows[row],
    );
    const sibling = before?.heading === 0 ? before : after?.heading === 0 ? after : undefined;
    if (sibling === undefined && isPlain) return "";
    if (sibling === undefined)
      return rows.find(({ heading, marker }) => heading === 0 && /^[-*+]$/.test(marker))?.marker ?? "-";
    const number = /^(\d+)(.)$/.exec(sibling.marker);
    return number === null ? sibling.marker : `${Number(number[1]) + (sibling === before ? 1 : 0)}${number[2]}`;
  };

  const hasBox = (siblings: readonly number[], index: number): boolean => {
    const sibling = siblings[index - 1] ?? siblings[index];
    return sibling !== undefined && rows[sibling]!.state !== NONE;
  };

  /** The lines of a new list item and its descendants. */
  const itemLines = (row: NewRow, indent: string, marker: string, withBox: boolean): string[] => {
    const state = row.state ?? (withBox ? "unchecked" : undefined);
    const topic = escapeStart(topicOf(row.topic), "topic");
    if (isPlain && (row.note || state !== undefined)) throw plainRow();
    const box = state === undefined ? "" : `${boxOf(state)} `;
    const own = trimWhiteEnd(`${indent}${marker === "" ? "" : `${marker} `}${box}${topic}`);
    const inside = isPlain ? indent + (unitOfIndent() ?? "\t") : indent + " ".repeat(marker.length + 1);
    const below = indent.includes("\t") && marker.length === 1 ? `${indent}\t` : inside;
    const bullet = /^[-*+]?$/.test(marker) ? marker : "-";
    const children = (row.children ?? []).flatMap((child) => itemLines(child, below, bullet, withBox));
    return [own, ...linesOfNote(row.note ?? "", "note").map((line) => (line === "" ? "" : inside + line)), ...children];
  };

  const sectionLines = (row: NewRow, level: number): string[] => {
    if (row.state !== undefined)
      throw new Problem("invalid", "A heading has no checkbox: add this row below a heading, or without a state.");
    const note = linesOfNote(row.note ?? "", "section");
    const items = (row.children ?? []).flatMap((child) => itemLines(child, "", markerFor([], 0), false));
    return [
      trimWhiteEnd(`${"#".repeat(level)} ${topicOf(row.topic)}`),
      ...(note.length > 0 ? ["", ...note] : []),
      ...(items.length > 0 ? ["", ...items] : []),
    ];
  };

  /** Inserts lines as a block, at the start of a line or at the end of the text. */
  const insertLines = (
    at: number,
    lines: readonly string[],
    blank: { before?: boolean; after?: boolean } = {},
  ): TextEdit => {
    const isOpenEnd = at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\uFEFF";
    const before = blank.before && !isBlankBefore(text, at) ? [""] : [];
    const after = blank.after && at < text.length && !/^[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 200)) ? [""] : [];
    const block = [...before, ...lines, ...after].join(ending);
    return { start: at, end: at, text: isOpenEnd ? ending + block : block + ending };
  };

  /** Returns whether the list at this index has blank lines between its items. */
  const isLoose = (siblings: readonly number[], index: number): boolean => {
    for (const at of [index, index - 1, index + 1]) {
      const [before, after] = [rows[siblings[at - 1] ?? -1], rows[siblings[at] ?? -1]];
      const between = before && after?.heading === 0 ? text.slice(before.end, after.start) : undefined;
      // Text between two items separates two lists.
      if (between !== undefined && between.split("\n").every(isWhiteLine)) return between !== "";
    }
    return false;
  };

  /** Inserts items, with blank lines around them as the list has them. */
  const insertItems = (
    { parent }: RowSlot,
    index: number,
    siblings: readonly number[],
    lines: readonly string[],
  ): TextEdit => {
    const [before, after] = [siblings[index - 1], siblings[index]];
    const loose = isLoose(siblings, index);
    if (before !== undefined) return insertLines(rows[before]!.end, lines, { before: loose });
    if (after !== undefined && rows[after]!.heading === 0)
      return insertLines(rows[after]!.start, lines, { after: loose });
    const above = rows[parent];
    if (above?.heading === 0)
      return insertLines(above.note === -1 ? lineAfter(text, above.lineEnd) : lineAfter(text, above.noteEnd), lines);
    // The first item of a section: after its text, between blank lines.
    if (above !== undefined) {
      const end = above.note === -1 ? above.lineEnd : above.noteEnd;
      return insertLines(lineAfter(text, end), lines, { before: above.note !== -1, after: true });
    }
    const at = after === undefined ? text.length : rows[after]!.start;
    return insertLines(at, lines, { before: at > (findFrontmatter(text)?.end ?? 0), after: true });
  };

  const headingLevel = (parent: number, siblings: readonly number[]): number => {
    const sibling = siblings.map((row) => rows[row]!).findLast(({ heading }) => heading > 0);
    const level = sibling?.heading ?? (parent === TOP ? 1 : rows[parent]!.heading + 1);
    if (level > 6) throw new Problem("invalid", "Markdown has six levels of headings: this would be a seventh.");
    return level;
  };

  const insertSection = (
    parent: number,
    index: number,
    siblings: readonly number[],
    lines: readonly string[],
  ): TextEdit => {
    const after = siblings[index];
    if (after !== undefined && rows[after]!.heading === 0) throw noHeadingHere();
    const at = after === undefined ? sectionEnd(parent) : rows[after]!.start;
    return insertLines(at, lines, { before: at > 0, after: true });
  };

  const isAfterHeading = (siblings: readonly number[], index: number) =>
    index > 0 && rows[siblings[index - 1]!]!.heading > 0;

  /** The lines of new list items. */
  const itemsOf = (added: readonly NewRow[], { parent, index }: RowSlot, siblings: readonly number[]): string[] => {
    const indent = indentAt(parent, siblings, index);
    const withBox = hasBox(siblings, index);
    const marker = markerFor(siblings, index);
    const loose = isLoose(siblings, index);
    return added.flatMap((row, number) => [
      ...(loose && number > 0 ? [""] : []),
      ...itemLines(row, indent, numbered(marker, number), withBox),
    ]);
  };

  /** The lines of new headings, with what is below them. */
  const sectionsOf = (added: readonly NewRow[], level: number): string[] =>
    added.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...sectionLines(row, level)]);

  return { indentAt, itemsOf, sectionsOf, insertLines, insertItems, headingLevel, insertSection, isAfterHeading };
}

export function boxOf(state: "checked" | "unchecked"): string {
  return state === "checked" ? "[x]" : "[ ]";
}

/** The marker of the row `index` rows after one with this marker. */
function numbered(marker: string, index: number): string {
  return marker.replace(/^\d+/, (number) => String(Number(number) + index));
}

export function plainRow(): Problem {
  return new Problem(
    "invalid",
    "This is a plain list: its rows are single lines without notes or checkboxes.",
    "Add it as a child row instead.",
  );
}

export function noHeadingHere(): Problem {
  return new Problem(
    "invalid",
    "A heading cannot be below a list item, or before one: the items after it would become its children.",
    "Move it after them, or below another heading.",
  );
}
