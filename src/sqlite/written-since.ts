// For whoever remembers what an index has told.
import type { IndexDatabase } from "./index-database.ts";

/** Tells whether anything was written since it was asked last, by whichever process; at first it was. */
export function writtenSince(database: Pick<IndexDatabase, "version">): () => boolean {
  let last: string | undefined;
  return () => {
    const before = last;
    last = database.version();
    return last !== before;
  };
}
