// How large a compressed outline may become: a few kilobytes can unfold into
// more than any memory holds. Used by the readers of zip and gzip.
import { Problem } from "../../text/problem.ts";

/** Of an outline's text: that of a million rows. */
export const LARGEST_CONTENTS = 400 * 1024 * 1024;
/** Below this nobody is harmed. */
const HARMLESS = 16 * 1024 * 1024;
/** Outlines of equal rows come to 100 times their compressed size. */
const LARGEST_RATIO = 300;

export function largestExpansion(packed: number): number {
  return Math.min(LARGEST_CONTENTS, Math.max(HARMLESS, packed * LARGEST_RATIO));
}

export function checkExpansion(packed: number, size: number): void {
  if (size > largestExpansion(packed)) throw tooLarge();
}

export function tooLarge(): Problem {
  return new Problem("too_large", "The outline file unfolds to more than an outline can be: it is left as it is.");
}
