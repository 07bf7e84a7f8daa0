// The order of OmniOutliner 5's rows: from parents and ranks to the outline as
// it is shown, and ranks for rows that come in between.
import type { Problem } from "../../text/problem.ts";
import { compareRanks, parseRank, ranksBetween } from "./rank.ts";
import { TOP, treeOf, type Tree } from "./source.ts";

interface Items {
  readonly parentOf: (item: number) => string | undefined;
  readonly rankOf: (item: number) => string;
  readonly damaged: (what: string, item: number) => Problem;
}

export interface Arranged {
  readonly tree: Tree;
  /** The item of each row. */
  readonly order: Int32Array;
  /** The rank of each row, as it is written. */
  readonly ranks: readonly string[];
}

export function arrange(ids: readonly string[], { parentOf, rankOf, damaged }: Items): Arranged {
  const numbers = new Map<string, number>();
  ids.forEach((id, item) => {
    if (numbers.has(id)) throw damaged(`two rows have the id ${id}`, item);
    numbers.set(id, item);
  });
  const ranks = ids.map((_, item) => rankOf(item));
  const keys = Float64Array.from(ranks, (rank, item) => {
    if (parseRank(rank) === undefined) throw damaged("a row has a rank that is none", item);
    return keyOf(rank);
  });
  const children = new Map<number, number[]>();
  ids.forEach((id, item) => {
    const parentId = parentOf(item);
    const parent = parentId === undefined ? TOP : numbers.get(parentId);
    if (parent === undefined) throw damaged(`row ${id} is below one that is not there`, item);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [item]);
    else siblings.push(item);
  });
  const compare = (a: number, b: number) =>
    keys[a]! - keys[b]! || compareRanks(parseRank(ranks[a]!)!, parseRank(ranks[b]!)!) || a - b;
  for (const siblings of children.values()) siblings.sort(compare);

  const order = new Int32Array(ids.length);
  const parents = new Int32Array(ids.length);
  let count = 0;
  const waiting = (children.get(TOP) ?? []).toReversed().map((item) => ({ item, parent: TOP }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const row = count++;
    order[row] = next.item;
    parents[row] = next.parent;
    const below = children.get(next.item) ?? [];
    for (let at = below.length - 1; at >= 0; at--) waiting.push({ item: below[at]!, parent: row });
  }
  if (count < ids.length) {
    const seen = new Set(order.subarray(0, count));
    const item = ids.findIndex((_, each) => !seen.has(each));
    throw damaged(`row ${ids[item]} is below itself`, item);
  }
  return { tree: treeOf(parents), order, ranks: Array.from(order, (item) => ranks[item]!) };
}

/** A number that orders as the first six bytes of a rank do: most have two. */
function keyOf(rank: string): number {
  let key = 0;
  for (let at = 0; at < 12; at += 2) {
    const byte = at < rank.length ? Number.parseInt(rank.slice(at, at + 2), 16) : 0;
    key = key * 256 + ((byte + 128) & 0xff);
  }
  return key;
}

export interface Beside {
  readonly ranks: string[];
  /** Rows that must make room: none but where a file has equal ranks. */
  readonly changed: Map<number, string>;
}

/** Ranks for rows that come before the sibling of this index. */
export function ranksBeside(
  siblings: readonly number[],
  ranks: readonly string[],
  index: number,
  count: number,
): Beside {
  const rankAt = (at: number) => (siblings[at] === undefined ? undefined : ranks[siblings[at]]);
  const before = rankAt(index - 1);
  let end = index;
  const isEqual = (rank: string | undefined) =>
    before !== undefined && rank !== undefined && compareRanks(parseRank(before)!, parseRank(rank)!) === 0;
  while (isEqual(rankAt(end))) end++;
  const found = ranksBetween(before, rankAt(end), count + end - index);
  const changed = new Map(siblings.slice(index, end).map((row, at) => [row, found[count + at]!]));
  return { ranks: found.slice(0, count), changed };
}
