// What a journal holds, asked of a database that somebody else opened. For
// doctor, which must not make or repair anything by looking.
import type { Database } from "../sqlite/sqlite.ts";

export interface Inspected {
  readonly changes: number;
  /** Changes that were begun and whose end is not marked: the next change finishes them or takes them back. */
  readonly unfinished: number;
  /** Milliseconds; undefined where nothing was changed yet. */
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
