// Limits on the size of unpacked outlines: a few kilobytes can expand to more than
// fits in memory. The size that the file declares is checked before unpacking, and
// never more than that is unpacked. Used by zip.ts, gzip.ts and the file document.
import { Problem } from "../../../kernel/kernel.ts";

/** The XML of about a million rows. */
export const MAX_CONTENTS_SIZE = 400 * 1024 * 1024;
/** Up to this size (100,000 equal rows) any compression ratio is accepted. */
export const HARMLESS = 32 * 1024 * 1024;
/** Larger outlines consist of many different rows, which compress about tenfold. */
const MAX_RATIO = 40;

/** @param size as the file declares; the caller must not unpack more */
export function checkExpansion(packed: number, size: number): void {
  if (isTooMuch(packed, size)) throw tooLarge();
}

export function isTooMuch(packed: number, size: number): boolean {
  return size > Math.min(MAX_CONTENTS_SIZE, Math.max(HARMLESS, packed * MAX_RATIO));
}

export function tooLarge(): Problem {
  return new Problem("too_large", "The outline file expands to more than an outline can be. The file was not changed.");
}
