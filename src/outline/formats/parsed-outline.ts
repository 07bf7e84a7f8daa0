// The result of parsing a file of any format: its rows, in the order in which they are
// shown, and functions that turn an edit into splices of the bytes. Rows are
// numbered in that order; ids are the business of file/. Used by the formats, and
// by everything that reads their result.
import type { Edit as Splice } from "../../journal/journal.ts";
import type { NewRow, OutlineFormat, SettableState, WrittenTexts } from "../model.ts";

export type { Splice };

/** The state that is stored for a row. What a parent shows combines those of its leaves. */
export const [NONE, UNCHECKED, CHECKED, MIXED] = [0, 1, 2, 3] as const;

/** Stands for the top level where a row number is expected. */
export const TOP = -1;

/** Rows in order, each followed by its descendants. */
export interface Tree {
  readonly count: number;
  /** The parent of each row, or TOP. */
  readonly parents: Int32Array;
  /** The number of descendants of each row. */
  readonly descendants: Int32Array;
}

export interface RowSlot {
  readonly parent: number;
  /** Among the children of `parent`; for a move, not counting the moved row. */
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
  /** As stored, not combined. */
  readonly states: Uint8Array;
  /** The ids in the file; undefined if the format has none. */
  readonly ids: readonly string[] | undefined;
  /** Finds a row by its id; undefined if the format has no ids. */
  readonly numberOf: ((id: string) => number | undefined) | undefined;
  readonly topic: (row: number) => string;
  /** A hash of the topic as written. */
  readonly topicNumber: (row: number) => number;
  /** null if there is none. */
  readonly note: (row: number) => string | null;
  /** The offsets of topics and notes in the bytes, if those can be copied. */
  readonly written?: WrittenTexts | undefined;
  /** Returns whether a row can have a checkbox. */
  readonly holdsState: (row: number) => boolean;
  /** True if the format stores states of parents too, not only of leaves. */
  readonly keepsParentStates: boolean;
  /** @param ids for the new rows, each before its descendants; used if the format has ids */
  readonly add: (rows: readonly NewRow[], slot: RowSlot, ids: readonly string[]) => Splice[];
  readonly update: (updates: readonly RowUpdate[]) => Splice[];
  readonly move: (row: number, slot: RowSlot) => Splice[];
  readonly remove: (row: number) => Splice[];
  /** Parses other bytes in the same format. */
  readonly read: (bytes: Buffer) => ParsedOutline;
  /** Returns a topic or a note as it reads after it was written. */
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

/** The level of each row, 0 at the top. */
export function levelsOf({ count, parents }: Tree): Uint16Array {
  const levels = new Uint16Array(count);
  for (let row = 0; row < count; row++) levels[row] = parents[row] === TOP ? 0 : levels[parents[row]!]! + 1;
  return levels;
}

/** New rows in order, each with the index of its parent among them, or -1. */
export function flattenedRows(rows: readonly NewRow[]): { readonly row: NewRow; readonly parent: number }[] {
  const flat: { row: NewRow; parent: number }[] = [];
  const pending = rows.map((row) => ({ row, parent: -1 })).toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const parent = flat.push(next) - 1;
    for (const row of (next.row.children ?? []).toReversed()) pending.push({ row, parent });
  }
  return flat;
}

export function replacement(offset: number, end: number, text: string): Splice {
  return { offset, length: end - offset, bytes: Buffer.from(text) };
}

export function insertion(offset: number, text: string): Splice {
  return replacement(offset, offset, text);
}
