// Renders a section of an outline as Markdown or plain text, as the contract of
// get_section_content shows them. Pure; used by that tool.
import type { Outline, Row } from "./model.ts";
import { escapeStart } from "./formats/markdown/text.ts";
import { rowOf, rowsBelow } from "./rows.ts";

/** A row and its descendants, or the whole document under its name. */
export interface Section {
  readonly title: string;
  /** Undefined for the whole document. */
  readonly row: Row | undefined;
  /** Number of rows below it. */
  readonly count: number;
  /** Those rows in order, without the first `skip`. */
  readonly rows: (skip?: number) => Iterable<Row>;
}

export function sectionOf(outline: Outline, rowId?: string): Section {
  const row = rowId === undefined ? undefined : rowOf(outline, rowId);
  return {
    title: row?.topic ?? outline.name,
    row,
    count: row?.descendants ?? outline.rowCount,
    rows: (skip = 0) => rowsBelow(outline, row?.id ?? null, { skip }),
  };
}

/** Topics only, indented by two spaces per level. */
export function plainText({ title, row: top, rows }: Section): string {
  const lines = Array.from(rows(), (row) => indented(row.topic, "  ".repeat(depthBelow(top, row) + 1)));
  return [title, ...lines].join("\n");
}

/** A heading, the rows as a list with their notes below them, then the note of the section itself. */
export function markdownText({ title, row: top, rows }: Section): string {
  const items = Array.from(rows(), (row) => itemText(row, "  ".repeat(depthBelow(top, row))));
  const heading = `# ${title.replace(/(?<!\s)\s*\n\s*/g, " ")}`.trimEnd();
  return [heading, items.join("\n"), noteText(top?.note ?? null)].filter((part) => part !== "").join("\n\n");
}

/** The same list with the id of each row at the end of its first line: an outline at a third of the cost of its rows. */
export function markdownWithIds(rows: Iterable<Row>): string {
  return Array.from(rows, (row) => {
    const [first = "", ...others] = itemText(row, "  ".repeat(row.level)).split("\n");
    return [`${first} {${row.id}}`, ...others].join("\n");
  }).join("\n");
}

/** 0 for a child of the section. */
function depthBelow(top: Row | undefined, row: Row): number {
  return row.level - (top === undefined ? 0 : top.level + 1);
}

const MARKS: Readonly<Record<Row["state"], string>> = {
  checked: "- [x] ",
  unchecked: "- [ ] ",
  mixed: "- [ ] ",
  none: "- ",
};

function itemText({ topic, note, state }: Row, indent: string): string {
  const item = `${indent}${MARKS[state]}${escapeStart(topic, "topic").replaceAll("\n", `\n${indent}  `)}`.trimEnd();
  const below = noteText(note);
  return below === "" ? item : `${item}\n${indented(below, `${indent}  `)}`;
}

function noteText(note: string | null): string {
  if (note === null || note === "") return "";
  return `> Note: ${note.replaceAll("\n", "\n> ")}`.replace(/(?<! ) +$/gm, "");
}

function indented(text: string, indent: string): string {
  return text.replace(/^/gm, indent);
}
