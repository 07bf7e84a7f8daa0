// What an index knows, asked of a database that somebody else opened. For
// doctor, which must not make or repair anything by looking.
import type { Database } from "./open.ts";

export interface Inspected {
  readonly documents: number;
  /** Files that are there and could not be read. */
  readonly unread: number;
  /** When the last whole sweep began; 0 for never. */
  readonly swept: number;
}

export function inspectIndex(database: Database): Inspected {
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? { none: 0 })[0]);
  return {
    documents: number("SELECT count(*) FROM document"),
    unread: number("SELECT count(*) FROM document WHERE unread IS NOT NULL"),
    swept: number("SELECT value FROM state WHERE key = 'swept'"),
  };
}
