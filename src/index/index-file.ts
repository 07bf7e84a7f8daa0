// Where an index is kept: one file for each folder that is indexed, each kind
// of index, and each version of its tables (which is part of the kind).
import { createHash } from "node:crypto";
import { join } from "node:path";

export function indexFile(cache: string, kind: string, folder: string): string {
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join(cache, `${kind}-${hash}.db`);
}
