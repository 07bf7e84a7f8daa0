// Where an index is kept: one file for each folder that is indexed, each kind
// of index, and each version of its tables (which is part of the kind).
import { join } from "node:path";
import { quickHash } from "../kernel/kernel.ts";

export function indexFile(cache: string, kind: string, folder: string): string {
  return join(cache, `${kind}-${quickHash(folder)}.db`);
}
