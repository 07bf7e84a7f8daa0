// Gives the documents below a moved folder their new paths without reading them
// again. Used by note-database.ts.
import { countRelocation, countWriting, type IndexDatabase } from "../../sqlite/sqlite.ts";
import { rangeOf } from "./known-files.ts";
import { removeDocument } from "../../search/search.ts";

export interface Relocation {
  readonly from: string;
  readonly to: string;
}

/** Documents per step: some milliseconds of work. */
const STEP = 500;
const REMOVED_STEP = 20;

/**
 * Only the folder part of the paths changes, which is stored only in the table of
 * documents. If another process indexes the same files at the same time, what it has
 * added is kept, and the next sweep removes the rest.
 */
export async function relocate(database: IndexDatabase, { from, to }: Relocation): Promise<void> {
  const [, first, end] = rangeOf(from);
  /** Documents that an outdated index still has at the new path. */
  let outdated: string[] | undefined;
  let last = first;
  const step = (): boolean => {
    outdated ??= pathsBelow(database, to);
    for (const path of outdated.splice(-REMOVED_STEP)) removeDocument(database, path);
    if (outdated.length > 0) return true;
    const rows = database.all(
      `SELECT path FROM document WHERE path > ? AND path < ? ORDER BY path LIMIT ${STEP}`,
      last,
      end,
    );
    const next = rows.at(-1)?.["path"];
    if (next === undefined) return false;
    database.run(
      "UPDATE OR IGNORE document SET path = ? || substr(path, length(?) + 1) WHERE path > ? AND path <= ?",
      to,
      from,
      last,
      next,
    );
    countWriting(database);
    countRelocation(database);
    last = String(next);
    return rows.length === STEP;
  };
  while (await database.writeInTurns(step));
}

function pathsBelow(database: IndexDatabase, folder: string): string[] {
  const [, first, end] = rangeOf(folder);
  const rows = database.all("SELECT path FROM document WHERE path > ? AND path < ?", first, end);
  return rows.map((row) => String(row["path"]));
}
