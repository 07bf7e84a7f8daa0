// The order of rows in OmniOutliner 5: arranges items by parent and rank, and
// finds ranks for new rows. Used by omnioutliner5.ts.
import type { Problem } from "../../../kernel/kernel.ts";
import { compareRanks, parseRank, ranksBetween } from "./rank.ts";
import { TOP, treeOf, type Tree } from "../parsed-outline.ts";

interface Items {
  readonly count: number;
  /** TOP without a parent; undefined if the parent does not exist. */
  readonly parentOf: (item: number) => number | undefined;
  /** Orders ranks by their first bytes; undefined for an invalid rank. */
  readonly keyOf: (item: number) => number | undefined;
  readonly rankOf: (item: number) => string;
  readonly damaged: (what: string, item: number) => Problem;
}

export interface Arranged {
  readonly tree: Tree;
  /** The item of each row, and the row of each item. Items are in the order of the file. */
  readonly order: Int32Array;
  readonly rowOf: Int32Array;
}

export function arrange({ count, parentOf, keyOf, rankOf, damaged }: Items): Arranged {
  const keys = new Float64Array(count);
  /** `children` has those of the top first, then those of each item, beginning at `starts`. */
  const above = new Int32Array(count);
  const starts = new Int32Array(count + 2);
  for (let item = 0; item < count; item++) {
    const key = keyOf(item);
    if (key === undefined) throw damaged("a row has an invalid rank", item);
    keys[item] = key;
    const parent = parentOf(item);
    if (parent === undefined) throw damaged("a row has a parent that does not exist", item);
    above[item] = parent;
    starts[parent + 2]!++;
  }
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const filled = starts.slice();
  const children = new Int32Array(count);
  for (let item = 0; item < count; item++) children[filled[above[item]! + 1]!++] = item;
  const compare = (a: number, b: number) => keys[a]! - keys[b]! || compareRankTexts(rankOf(a), rankOf(b)) || a - b;
  for (let at = 0; at <= count; at++)
    if (starts[at + 1]! - starts[at]! > 1) children.subarray(starts[at], starts[at + 1]).sort(compare);

  const order = new Int32Array(count);
  const parents = new Int32Array(count);
  const rowOf = new Int32Array(count).fill(-1);
  let row = 0;
  const pending: number[] = [];
  const pushChildren = (at: number) => {
    for (let child = starts[at + 1]! - 1; child >= starts[at]!; child--) pending.push(children[child]!);
  };
  pushChildren(0);
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    order[row] = item;
    parents[row] = above[item] === TOP ? TOP : rowOf[above[item]!]!;
    rowOf[item] = row++;
    pushChildren(item + 1);
  }
  if (row < count) {
    const item = rowOf.indexOf(-1);
    throw damaged("a row is its own ancestor", item);
  }
  return { tree: treeOf(parents), order, rowOf };
}

/** For equal keys: long ranks, or two spellings of the same rank. */
function compareRankTexts(a: string, b: string): number {
  return a === b ? 0 : compareRanks(parseRank(a)!, parseRank(b)!);
}

export interface NewRanks {
  readonly ranks: string[];
  /** Siblings that need another rank, which happens only if some have equal ranks. */
  readonly changed: Map<number, string>;
}

/** Ranks for `count` rows before the sibling with this index. */
export function ranksBefore(
  siblings: readonly number[],
  rankOf: (row: number) => string,
  index: number,
  count: number,
): NewRanks {
  const rankAt = (at: number) => (siblings[at] === undefined ? undefined : rankOf(siblings[at]));
  const before = rankAt(index - 1);
  let end = index;
  const isEqual = (rank: string | undefined) =>
    before !== undefined && rank !== undefined && compareRanks(parseRank(before)!, parseRank(rank)!) === 0;
  while (isEqual(rankAt(end))) end++;
  const found = ranksBetween(before, rankAt(end), count + end - index);
  const changed = new Map(siblings.slice(index, end).map((row, at) => [row, found[count + at]!]));
  return { ranks: found.slice(0, count), changed };
}
