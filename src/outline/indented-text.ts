// Parses plain text into rows: one per line, each the child of the closest line
// above it that is indented less. Used by inserted-content.ts.
import type { NewRow } from "./model.ts";

/** Tab stops are this many columns apart. */
const TAB = 4;

interface Draft extends NewRow {
  readonly children: Draft[];
}

export function rowsOfText(text: string): NewRow[] {
  const top: Draft[] = [];
  /** The possible parents of the next line, outermost first. */
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
