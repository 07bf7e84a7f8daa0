// What every format makes of a file: its rows, in the order in which they are
// shown, and the splices that change them. Rows are known by their number in
// that order here; their ids are a matter of whoever keeps the file.
import type { Edit as Splice } from "../../journal/journal.ts";
import type { NewRow, OutlineFormat, SettableState, WrittenTexts } from "../model.ts";

export type { Splice };

/** A row's own state, as it is stored: what a parent shows is rolled up. */
export const [NONE, UNCHECKED, CHECKED, MIXED] = [0, 1, 2, 3] as const;

/** The top, where a row is asked for. */
export const TOP = -1;

/** Each row is followed by those below it. */
export interface Tree {
  readonly count: number;
  /** The row above each; TOP for those at the top. */
  readonly parents: Int32Array;
  /** How many rows are below each. */
  readonly descendants: Int32Array;
}

export interface RowSlot {
  readonly parent: number;
  /** Among the children; for a move, as if the moved row were gone. */
  readonly index: number;
}

export interface RowUpdate {
  readonly row: number;
  readonly topic?: string | undefined;
  readonly note?: string | undefined;
  readonly state?: SettableState | undefined;
}

export interface ParsedOutline extends Tree {
  readonly format: Exclude<OutlineFormat, "app">;
  readonly bytes: Buffer;
  /** Own states. */
  readonly states: Uint8Array;
  /** The ids that the file gives to its rows; undefined where the format has none. */
  readonly ids: readonly string[] | undefined;
  /** The number of the row that has this id, where the file has ids. */
  readonly numberOf: ((id: string) => number | undefined) | undefined;
  readonly topic: (row: number) => string;
  /** A number for the topic as it is written: equal where the topics are, and different for any two that are not. */
  readonly topicNumber: (row: number) => number;
  /** null where there is none. */
  readonly note: (row: number) => string | null;
  /** Where topics and notes are in the bytes, if they are written as they are. */
  readonly written?: WrittenTexts | undefined;
  /** Whether a row can have a checkbox. */
  readonly holdsState: (row: number) => boolean;
  /** Whether a parent that is set writes the state down for itself as well as for its leaves. */
  readonly keepsParentStates: boolean;
  /** @param ids for the new rows, each before those below it, where the format has ids */
  readonly add: (rows: readonly NewRow[], place: RowSlot, ids: readonly string[]) => Splice[];
  readonly update: (updates: readonly RowUpdate[]) => Splice[];
  readonly move: (row: number, place: RowSlot) => Splice[];
  readonly remove: (row: number) => Splice[];
  /** The same format's reading of other bytes. */
  readonly read: (bytes: Buffer) => ParsedOutline;
  /** What a topic or a note becomes when it is written and read again. */
  readonly asStored: (text: string, field: "topic" | "note") => string;
}

export function treeOf(parents: Int32Array): Tree {
  const descendants = new Int32Array(parents.length);
  for (let row = parents.length - 1; row >= 0; row--) {
    const parent = parents[row]!;
    if (parent !== TOP) descendants[parent]! += descendants[row]! + 1;
  }
  return { count: parents.length, parents, descendants };
}

export function childrenOf({ count, descendants }: Tree, parent: number): number[] {
  const children: number[] = [];
  const end = parent === TOP ? count : parent + 1 + descendants[parent]!;
  for (let row = parent + 1; row < end; row += 1 + descendants[row]!) children.push(row);
  return children;
}

/** How many levels are above each row. */
export function levelsOf({ count, parents }: Tree): Uint16Array {
  const levels = new Uint16Array(count);
  for (let row = 0; row < count; row++) levels[row] = parents[row] === TOP ? 0 : levels[parents[row]!]! + 1;
  return levels;
}

/** The rows of new content in order, each with the number of the one above it among them; -1 for those on top. */
export function flattenedRows(rows: readonly NewRow[]): { readonly row: NewRow; readonly parent: number }[] {
  const flat: { row: NewRow; parent: number }[] = [];
  const waiting = rows.map((row) => ({ row, parent: -1 })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const parent = flat.push(next) - 1;
    for (const row of (next.row.children ?? []).toReversed()) waiting.push({ row, parent });
  }
  return flat;
}

export function replacement(offset: number, end: number, text: string): Splice {
  return { offset, length: end - offset, bytes: Buffer.from(text) };
}

export function insertion(offset: number, text: string): Splice {
  return replacement(offset, offset, text);
}
