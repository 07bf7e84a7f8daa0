// The order of OmniOutliner 5's rows: from parents and ranks to the outline as
// it is shown, and ranks for rows that come in between.
import type { Problem } from "../../../kernel/kernel.ts";
import { compareRanks, parseRank, ranksBetween } from "./rank.ts";
import { TOP, treeOf, type Tree } from "../parsed-outline.ts";

interface Items {
  readonly count: number;
  /** The item above; TOP where none is named, undefined where it is not there. */
  readonly parentOf: (item: number) => number | undefined;
  /** A number that orders ranks, as far as it goes; undefined for what is no rank. */
  readonly keyOf: (item: number) => number | undefined;
  readonly rankOf: (item: number) => string;
  readonly damaged: (what: string, item: number) => Problem;
}

export interface Arranged {
  readonly tree: Tree;
  /** The item of each row, and the row of each item. */
  readonly order: Int32Array;
  readonly rowOf: Int32Array;
}

export function arrange({ count, parentOf, keyOf, rankOf, damaged }: Items): Arranged {
  const keys = new Float64Array(count);
  /** The children of each item lie together, those of the top first: `starts` tells where. */
  const above = new Int32Array(count);
  const starts = new Int32Array(count + 2);
  for (let item = 0; item < count; item++) {
    const key = keyOf(item);
    if (key === undefined) throw damaged("a row has a rank that is none", item);
    keys[item] = key;
    const parent = parentOf(item);
    if (parent === undefined) throw damaged("a row is below one that is not there", item);
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
  const waiting: number[] = [];
  const wait = (at: number) => {
    for (let child = starts[at + 1]! - 1; child >= starts[at]!; child--) waiting.push(children[child]!);
  };
  wait(0);
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    order[row] = item;
    parents[row] = above[item] === TOP ? TOP : rowOf[above[item]!]!;
    rowOf[item] = row++;
    wait(item + 1);
  }
  if (row < count) {
    const item = rowOf.indexOf(-1);
    throw damaged("a row is below itself", item);
  }
  return { tree: treeOf(parents), order, rowOf };
}

/** Where the keys are equal: the rest of two long ranks, or two spellings of one. */
function compareRankTexts(a: string, b: string): number {
  return a === b ? 0 : compareRanks(parseRank(a)!, parseRank(b)!);
}

export interface Beside {
  readonly ranks: string[];
  /** Rows that must make room: none but where a file has equal ranks. */
  readonly changed: Map<number, string>;
}

/** Ranks for rows that come before the sibling of this index. */
export function ranksBeside(
  siblings: readonly number[],
  rankOf: (row: number) => string,
  index: number,
  count: number,
): Beside {
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
