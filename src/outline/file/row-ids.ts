// Ids for rows of files that have none (OPML, Markdown). The first id of a row
// follows from its position, so that all processes compute the same; when another
// program has changed the file, rows are matched with the former ones and keep
// their ids. Pure; used by row-id-store.ts, which stores them.
import { Hash } from "../formats/hash.ts";
import { childrenOf, TOP, type Tree } from "../formats/parsed-outline.ts";

/** The stored rows of one state of a file. */
export interface KnownRows extends Tree {
  readonly ids: readonly string[];
  /** A hash of each topic. */
  readonly topics: Float64Array;
}

export type RowsWithoutIds = Omit<KnownRows, "ids">;

const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
export const ID_LENGTH = 11;

/** 64 bits in the form of OmniOutliner's ids: eleven characters, the first of them `a` to `p`. */
export function idOfBits(high: number, low: number): string {
  let id = ALPHABET[(high >>> 28) & 0xf]!;
  for (const [bits, from] of [
    [high, 22],
    [high, 16],
    [high, 10],
    [high, 4],
  ] as const)
    id += ALPHABET[(bits >>> from) & 0x3f]!;
  id += ALPHABET[((high & 0xf) << 2) | (low >>> 30)]!;
  for (const from of [24, 18, 12, 6, 0]) id += ALPHABET[(low >>> from) & 0x3f]!;
  return id;
}

/** The id of a new row, from its position; hashed again while that id is taken. */
function idOfPosition(parentId: string, index: number, isTaken: (id: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const id = idOfBits(...new Hash().addText(parentId).add(index).add(attempt).bits());
    if (!isTaken(id)) return id;
  }
}

/**
 * The ids of the rows.
 * @param before the former rows, if there are any
 * @param document part of the hash, so that an id of one document does not exist in another
 */
export function assignIds(rows: RowsWithoutIds, before: KnownRows | undefined, document = ""): string[] {
  const ids = before === undefined ? [] : matched(rows, before);
  const taken = new Set(before?.ids);
  // A position includes the parent's id, so parents come first.
  const childCounts = new Int32Array(rows.count + 1);
  for (let row = 0; row < rows.count; row++) {
    const parent = rows.parents[row]!;
    const index = childCounts[parent + 1]!++;
    if (ids[row] !== undefined) continue;
    const id = idOfPosition(parent === TOP ? document : ids[parent]!, index, (each) => taken.has(each));
    taken.add(id);
    ids[row] = id;
  }
  return ids;
}

/**
 * The ids of the rows that existed before, by their new numbers. Matches rows with
 * the same parent and topic, in order; then topics that are unique on both sides
 * (moved rows); then rows between the same matched neighbours (edited rows).
 */
function matched(rows: RowsWithoutIds, before: KnownRows): string[] {
  const ids: string[] = Array.from({ length: rows.count });
  const oldOf = new Int32Array(rows.count).fill(-1);
  const newOf = new Int32Array(before.count).fill(-1);
  /** Pairs whose children have not been compared yet. */
  const pending: [number, number][] = [[TOP, TOP]];
  const pair = (old: number, row: number) => {
    oldOf[row] = old;
    newOf[old] = row;
    ids[row] = before.ids[old]!;
    pending.push([old, row]);
  };
  const comparePending = () => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      pairEqual(next[0], next[1]);
      compared.push(next);
    }
  };
  const compared: [number, number][] = [];

  const pairEqual = (oldParent: number, parent: number) => {
    const byTopic = new Map<number, number[]>();
    for (const old of childrenOf(before, oldParent)) {
      if (newOf[old] !== -1) continue;
      const equal = byTopic.get(before.topics[old]!);
      if (equal === undefined) byTopic.set(before.topics[old]!, [old]);
      else equal.push(old);
    }
    for (const equal of byTopic.values()) equal.reverse();
    for (const row of childrenOf(rows, parent)) {
      if (oldOf[row] !== -1) continue;
      const old = byTopic.get(rows.topics[row]!)?.pop();
      if (old !== undefined) pair(old, row);
    }
  };

  const pairMoved = () => {
    const old = unique(before.topics, newOf);
    for (const [topic, row] of unique(rows.topics, oldOf)) {
      const was = old.get(topic);
      if (row !== -1 && was !== undefined && was !== -1) pair(was, row);
    }
  };

  /** Unmatched rows between the same matched neighbours are matched in order. */
  const pairEdited = (oldParent: number, parent: number) => {
    const olds = childrenOf(before, oldParent);
    const indexes = new Map(olds.map((old, index) => [old, index]));
    let at = 0;
    let gap: number[] = [];
    const close = (end: number) => {
      const open = olds.slice(at, end).filter((old) => newOf[old] === -1);
      gap.forEach((row, index) => {
        if (open[index] !== undefined) pair(open[index], row);
      });
      gap = [];
    };
    for (const row of childrenOf(rows, parent)) {
      if (oldOf[row] === -1) {
        gap.push(row);
        continue;
      }
      const index = indexes.get(oldOf[row]!);
      // A row that was moved here, or reordered, is no neighbour.
      if (index === undefined || index < at) continue;
      close(index);
      at = index + 1;
    }
    close(olds.length);
  };

  comparePending();
  pairMoved();
  comparePending();
  // Parents before children: below an edited parent, rows with the same topic match by position.
  for (let next = 0; next < compared.length; next++) {
    pairEdited(...compared[next]!);
    comparePending();
  }
  return ids;
}

/** Unmatched rows by topic; -1 if several have the same. */
function unique(topics: Float64Array, known: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  topics.forEach((topic, row) => {
    if (known[row] === -1) found.set(topic, found.has(topic) ? -1 : row);
  });
  return found;
}
