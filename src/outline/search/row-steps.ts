// Works on many rows in steps, between which other calls are answered. Used by the
// ranking of rows.
import type { Steps } from "../../kernel/kernel.ts";

/** A step takes less than a millisecond, unless the rows are long or the query is. */
const ROWS_AT_ONCE = 100;

export function* inSteps<Item>(items: Iterable<Item>, work: (item: Item, at: number) => void): Steps {
  let at = 0;
  for (const item of items) {
    if (at % ROWS_AT_ONCE === 0) yield;
    work(item, at++);
  }
}

/** Stops at the first that passes. */
export function* someInSteps<Item>(items: readonly Item[], passes: (item: Item) => boolean): Steps<boolean> {
  for (const [at, item] of items.entries()) {
    if (at % ROWS_AT_ONCE === 0) yield;
    if (passes(item)) return true;
  }
  return false;
}
