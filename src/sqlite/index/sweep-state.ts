// How far the sweeps of an index have come: rows that all processes share. Used
// by the sweep, and by searches that say how fresh the index is.
import type { IndexDatabase } from "./index-database.ts";

/** Shows, without reading the index, that nothing has changed since. */
export interface Seen {
  /** A digest of all files (see `Listing`). */
  readonly digest: number;
  readonly total: number;
}

export interface SweepState {
  /** When the last complete sweep started: everything older is indexed. 0 for never. */
  readonly swept: number;
  /** How many files the current sweep has processed, and how many there are. */
  readonly done: number;
  readonly total: number;
}

const STATE = `SELECT ${["swept", "done", "total"].map((key) => `(SELECT value FROM state WHERE key = '${key}') AS ${key}`).join(", ")}`;

/** Read before every search: one row is faster than three. */
export function readState(database: Pick<IndexDatabase, "get">): SweepState {
  const { swept, done, total } = database.get(STATE)!;
  return { swept: Number(swept ?? 0), done: Number(done ?? 0), total: Number(total ?? 0) };
}

export function writeState(database: IndexDatabase, changes: Partial<SweepState>): void {
  for (const [key, value] of Object.entries(changes))
    database.runAside("INSERT OR REPLACE INTO state VALUES (?, ?)", key, value);
}

/** How many slices were written, by all processes. */
export function writingsIn(database: IndexDatabase): number {
  return Number(database.get("SELECT value FROM state WHERE key = 'writings'")?.["value"] ?? 0);
}

/** Call it within the transaction of every slice. */
export function countWriting(database: IndexDatabase): void {
  database.runAside("INSERT OR REPLACE INTO state VALUES ('writings', ?)", writingsIn(database) + 1);
}

/** How often documents were relocated without being read again. */
export const RELOCATIONS = "(SELECT value FROM state WHERE key = 'relocations')";

/** Call it within the transaction of every slice of a relocation. */
export function countRelocation(database: IndexDatabase): void {
  database.run(`INSERT OR REPLACE INTO state VALUES ('relocations', coalesce(${RELOCATIONS}, 0) + 1)`);
}

/** The files when the index was last complete; undefined if it was written to since. */
export function readSeen(database: IndexDatabase): Seen | undefined {
  const rows = database.all("SELECT key, value FROM state WHERE key IN ('seen', 'seen after', 'total')");
  const values = new Map(rows.map(({ key, value }) => [key, Number(value)]));
  const digest = values.get("seen");
  if (digest === undefined || values.get("seen after") !== writingsIn(database)) return undefined;
  return { digest, total: values.get("total") ?? 0 };
}

/** Call it within a transaction. */
export function writeSeen(database: IndexDatabase, { digest }: Seen): void {
  database.runAside("INSERT OR REPLACE INTO state VALUES ('seen', ?)", digest);
  database.runAside("INSERT OR REPLACE INTO state VALUES ('seen after', ?)", writingsIn(database));
}
