// Ids for rows of files that have none (OPML, Markdown). At first sight a row's
// id follows from its place, so that any number of processes agree without a
// word; when the file was changed by others, rows are recognised and keep their
// ids. Pure; row-id-store.ts keeps what was seen.
import { Hash } from "../formats/hash.ts";
import { childrenOf, TOP, type Tree } from "../formats/parsed-outline.ts";

/** What is remembered of the rows of one state of a file. */
export interface Seen extends Tree {
  readonly ids: readonly string[];
  /** A number for each topic, equal where the topics are. */
  readonly topics: Float64Array;
}

export type Unnamed = Omit<Seen, "ids">;

const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
export const ID_LENGTH = 11;

/** 64 bits as OmniOutliner writes them: eleven characters, the first of them `a` to `p`. */
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

/** The id of a row that is seen for the first time: from its place alone, and once more where that id is taken. */
function idOfPlace(parentId: string, index: number, isTaken: (id: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const id = idOfBits(...new Hash().addText(parentId).add(index).add(attempt).bits());
    if (!isTaken(id)) return id;
  }
}

/**
 * The ids of the rows, given what was there before; undefined at first sight.
 * The document tells them apart from those of others: an id that was read in
 * one must not mean a row of another.
 */
export function identify(rows: Unnamed, before: Seen | undefined, document = ""): string[] {
  const ids = before === undefined ? [] : recognised(rows, before);
  const taken = new Set(before?.ids);
  // A row's place is told by its parent's id: parents come first.
  const childCounts = new Int32Array(rows.count + 1);
  for (let row = 0; row < rows.count; row++) {
    const parent = rows.parents[row]!;
    const index = childCounts[parent + 1]!++;
    if (ids[row] !== undefined) continue;
    const id = idOfPlace(parent === TOP ? document : ids[parent]!, index, (each) => taken.has(each));
    taken.add(id);
    ids[row] = id;
  }
  return ids;
}

/**
 * The ids of the rows that were there before, by their new numbers. Same parent
 * and topic, in order; then topics that are unique on both sides: those moved;
 * then the same place between neighbours that are known: those were edited.
 */
function recognised(rows: Unnamed, before: Seen): string[] {
  const ids: string[] = Array.from({ length: rows.count });
  const oldOf = new Int32Array(rows.count).fill(-1);
  const newOf = new Int32Array(before.count).fill(-1);
  /** Pairs whose children have not been compared yet. */
  const waiting: [number, number][] = [[TOP, TOP]];
  const pair = (old: number, row: number) => {
    oldOf[row] = old;
    newOf[old] = row;
    ids[row] = before.ids[old]!;
    waiting.push([old, row]);
  };
  const compareWaiting = () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
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

  /** Rows without a partner, between two neighbours that have each other's, are taken for each other in order. */
  const pairEdited = (oldParent: number, parent: number) => {
    const olds = childrenOf(before, oldParent);
    const places = new Map(olds.map((old, place) => [old, place]));
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
      const place = places.get(oldOf[row]!);
      // One that came from elsewhere, or changed places, is no neighbour.
      if (place === undefined || place < at) continue;
      close(place);
      at = place + 1;
    }
    close(olds.length);
  };

  compareWaiting();
  pairMoved();
  compareWaiting();
  // Edited parents first: below them, rows of the same topic have not moved at all.
  for (let next = 0; next < compared.length; next++) {
    pairEdited(...compared[next]!);
    compareWaiting();
  }
  return ids;
}

/** The rows without a partner, by their topics; -1 where several have the same. */
function unique(topics: Float64Array, known: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  topics.forEach((topic, row) => {
    if (known[row] === -1) found.set(topic, found.has(topic) ? -1 : row);
  });
  return found;
}
