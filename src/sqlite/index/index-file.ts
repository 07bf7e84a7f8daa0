// The path of an index: one file per indexed folder, kind of index, and version
// of its tables (which is part of the kind). Used by the rooms with an index.
import { join } from "node:path";
import { quickHash } from "../../kernel/kernel.ts";

export function indexFile(cache: string, kind: string, folder: string): string {
  return join(cache, `${kind}-${quickHash(folder)}.db`);
}
