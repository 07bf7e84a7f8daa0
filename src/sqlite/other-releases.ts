// Indexes that other releases left in the cache, under names with other
// versions: removed when nobody has used them for long.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeDatabase } from "./open.ts";

const LONG_AGO = 30 * 24 * 60 * 60 * 1000;

/** As indexFile names them. */
const INDEX = /^(?<kind>(?:notes|memory)-v[\d.]+)-[0-9a-f]{16}\.db$/;

/**
 * A release that still runs writes to its index, or has it open.
 * @param kinds those of this release: they stay, since a vault may be on a disk that is not mounted for a year
 */
export function removeOtherReleases(cache: string, kinds: readonly string[], now = Date.now()): void {
  for (const name of namesIn(cache)) {
    const kind = INDEX.exec(name)?.groups?.["kind"];
    if (kind === undefined || kinds.includes(kind)) continue;
    const path = join(cache, name);
    const used = Math.max(...["", "-wal", "-shm"].map((ending) => lastChange(path + ending)));
    if (now - used > LONG_AGO) removeDatabase(path);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lastChange(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
