// Counts what a journal holds, in a database that the caller opened. Used by
// doctor, which must not create or repair anything.
import type { Database } from "../sqlite/sqlite.ts";

export interface Inspected {
  readonly changes: number;
  /** Changes without an end mark: the next change completes them or rolls them back. */
  readonly unfinished: number;
  /** Milliseconds since 1970; undefined if nothing was changed yet. */
  readonly newest: number | undefined;
  readonly bytes: number;
}

export function inspectJournal(database: Database): Inspected {
  const row = database
    .prepare("SELECT count(*) AS changes, coalesce(sum(state = 0), 0) AS unfinished, max(time) AS newest FROM entry")
    .get()!;
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return {
    changes: Number(row["changes"]),
    unfinished: Number(row["unfinished"]),
    newest: row["newest"] === null ? undefined : Number(row["newest"]),
    bytes: pragma("page_count") * pragma("page_size"),
  };
}
