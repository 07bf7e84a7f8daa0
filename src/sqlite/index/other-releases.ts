// Removes indexes that other releases left in the cache, under names with other
// versions, if they have not been used for long. Used by app/app.ts.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeDatabase } from "../open.ts";

const LONG_AGO = 30 * 24 * 60 * 60 * 1000;

/** The names that indexFile makes, and with the number of a space behind. */
const INDEX = /^(?<kind>(?:notes|memory|conversations)-v[\d.]+)-[0-9a-f]{16}(?:-\d+)?\.db$/;

/**
 * A release that is still in use writes to its index, or has it open.
 * @param kinds the kinds of this release, which stay: a drive may not be mounted for a year
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
