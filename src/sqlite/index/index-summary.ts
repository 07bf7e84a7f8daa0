// Counts what an index holds, in a database that the caller opened. Used by
// doctor, which must not create or repair anything.
import type { Database } from "../open.ts";

export interface Inspected {
  readonly documents: number;
  /** Files that exist but could not be read. */
  readonly unread: number;
  /** When the last complete sweep started; 0 for never. */
  readonly swept: number;
}

export function inspectIndex(database: Database): Inspected {
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? { none: 0 })[0]);
  return {
    documents: number("SELECT count(*) FROM document"),
    unread: number(
      "SELECT (SELECT count(*) FROM document WHERE unread IS NOT NULL) + (SELECT count(*) FROM pdf WHERE unread IS NOT NULL)",
    ),
    swept: number("SELECT value FROM state WHERE key = 'swept'"),
  };
}
