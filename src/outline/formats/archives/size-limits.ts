// How large a compressed outline may become: a few kilobytes can unfold into
// more than any memory holds. The file says how large it will be, which is
// looked at before anything is unpacked, and no more than that is. Used by the
// readers of zip and gzip.
import { Problem } from "../../../kernel/kernel.ts";

/** Of an outline's text: that of a million rows. */
export const LARGEST_CONTENTS = 400 * 1024 * 1024;
/** Up to this anything may be compressed as well as can be: that of 100,000 equal rows. */
export const HARMLESS = 32 * 1024 * 1024;
/** Larger outlines are of many different rows, which come to 10 times their compressed size. */
const LARGEST_RATIO = 40;

/** @param size as the file says; the caller makes sure that no more is unpacked */
export function checkExpansion(packed: number, size: number): void {
  if (isTooMuch(packed, size)) throw tooLarge();
}

export function isTooMuch(packed: number, size: number): boolean {
  return size > Math.min(LARGEST_CONTENTS, Math.max(HARMLESS, packed * LARGEST_RATIO));
}

export function tooLarge(): Problem {
  return new Problem("too_large", "The outline file unfolds to more than an outline can be. The file was not changed.");
}
