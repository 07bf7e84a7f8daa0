// Work on an index that may turn out to be damaged, or on a disk that is full:
// the index is replaced, and the work done again. Used by whoever keeps one.
import { databaseProblem, type Sentences } from "./errors.ts";

interface Mendable {
  /** Whether the index was replaced, so that it is worth to try again. */
  readonly recover: (error: unknown) => boolean;
}

/** A damaged index is replaced; the second time it is a problem. */
export async function mended<T>(index: Mendable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!index.recover(error)) throw databaseProblem(error, SENTENCES);
  }
  try {
    return await work();
  } catch (error) {
    // From a disk that is full a temporary index is the way out.
    if (!index.recover(error)) throw databaseProblem(error, SENTENCES);
    return await work();
  }
}

const SENTENCES: Sentences = {
  busy: ["conflict", "Another process keeps the index busy.", "Try again."],
  full: ["denied", "The disk of the index is full.", "Free some space, then try again."],
  damaged: ["denied", "The index cannot be kept.", "Check the permissions of the cache folder."],
  inaccessible: ["denied", "The index cannot be kept.", "Check the permissions of the cache folder."],
};
