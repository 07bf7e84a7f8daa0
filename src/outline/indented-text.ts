// Rows out of a plain text: a line each, below the line before it that is
// indented less. Used for content that is inserted as text.
import type { NewRow } from "./model.ts";

/** Columns that a tab reaches. */
const TAB = 4;

interface Draft extends NewRow {
  readonly children: Draft[];
}

export function rowsOfText(text: string): NewRow[] {
  const top: Draft[] = [];
  /** The rows that the next line may be below, outermost first. */
  const open: { readonly indent: number; readonly row: Draft }[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const topic = line.trim();
    if (topic === "") continue;
    const indent = indentOf(line);
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const row: Draft = { topic, children: [] };
    (open.at(-1)?.row.children ?? top).push(row);
    open.push({ indent, row });
  }
  return top;
}

function indentOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === "\t") column += TAB - (column % TAB);
    else if (character.trim() === "") column++;
    else break;
  }
  return column;
}
