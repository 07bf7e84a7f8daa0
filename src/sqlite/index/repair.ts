// Runs work on an index, and repeats it after replacing an index that is damaged
// or on a full disk. Used by the rooms with an index.
import { databaseProblem, type Sentences } from "../errors.ts";

interface Repairable {
  /** @returns whether the index was replaced, so that another attempt may succeed */
  readonly recover: (error: unknown) => boolean;
}

/** Replaces the index up to twice; then the error is thrown as a problem. */
export async function mended<T>(index: Repairable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!index.recover(error)) throw databaseProblem(error, SENTENCES);
  }
  try {
    return await work();
  } catch (error) {
    // On a full disk, a temporary index replaces it the second time.
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
