// Work on an index that may turn out to be damaged, or on a disk that is full:
// the index is replaced, and the work done again. Used by whoever keeps one.
import { refusalOf } from "./open.ts";
import { Problem } from "../kernel/kernel.ts";

interface Mendable {
  /** Whether the index was replaced, so that it is worth to try again. */
  readonly recover: (error: unknown) => boolean;
}

/** A damaged index is replaced; the second time it is a problem. */
export async function mended<T>(index: Mendable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!index.recover(error)) throw problemOf(error);
  }
  try {
    return await work();
  } catch (error) {
    // From a disk that is full a temporary index is the way out.
    if (!index.recover(error)) throw problemOf(error);
    return await work();
  }
}

function problemOf(error: unknown): unknown {
  switch (refusalOf(error)) {
    case "full":
      return new Problem("denied", "The disk of the index is full.", "Free some space, then try again.");
    case "damaged":
    case "closed to us":
      return new Problem("denied", "The index cannot be kept.", "Check the permissions of the cache folder.");
    case undefined:
      return error;
  }
}
