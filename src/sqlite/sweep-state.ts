// Which process sweeps, and how far sweeps have come: rows of the index that
// all processes share. Used by the sweep and by whoever asks how fresh the
// index is.
import type { IndexDatabase } from "./index-database.ts";

/** What tells, without a look at what the index knows, that nothing has changed since. */
export interface Seen {
  /** Of all files (see `Listing`). */
  readonly digest: number;
  readonly total: number;
}

export interface SweepState {
  /** When the last whole sweep began: everything older is in the index. 0 for never. */
  readonly swept: number;
  /** How many files the sweep under way has behind it, and how many there are. */
  readonly done: number;
  readonly total: number;
}

const STATE = `SELECT ${["swept", "done", "total"].map((key) => `(SELECT value FROM state WHERE key = '${key}') AS ${key}`).join(", ")}`;

/** Asked before every question: one row is faster than three. */
export function readState(database: Pick<IndexDatabase, "get">): SweepState {
  const { swept, done, total } = database.get(STATE)!;
  return { swept: Number(swept ?? 0), done: Number(done ?? 0), total: Number(total ?? 0) };
}

export function writeState(database: IndexDatabase, changes: Partial<SweepState>): void {
  for (const [key, value] of Object.entries(changes))
    database.runAside("INSERT OR REPLACE INTO state VALUES (?, ?)", key, value);
}

/** How many slices were written, by whichever process. */
export function writingsIn(database: IndexDatabase): number {
  return Number(database.get("SELECT value FROM state WHERE key = 'writings'")?.["value"] ?? 0);
}

/** To be called within the transaction of every slice. */
export function countWriting(database: IndexDatabase): void {
  database.runAside("INSERT OR REPLACE INTO state VALUES ('writings', ?)", writingsIn(database) + 1);
}

/** How often documents got another path without being read again. */
export const RELOCATIONS = "(SELECT value FROM state WHERE key = 'relocations')";

/** To be called within the transaction of every slice of a relocation. */
export function countRelocation(database: IndexDatabase): void {
  database.run(`INSERT OR REPLACE INTO state VALUES ('relocations', coalesce(${RELOCATIONS}, 0) + 1)`);
}

/** How the files were when the index last had all of them as they were; undefined where it was written to since. */
export function readSeen(database: IndexDatabase): Seen | undefined {
  const rows = database.all("SELECT key, value FROM state WHERE key IN ('seen', 'seen after', 'total')");
  const values = new Map(rows.map(({ key, value }) => [key, Number(value)]));
  const digest = values.get("seen");
  if (digest === undefined || values.get("seen after") !== writingsIn(database)) return undefined;
  return { digest, total: values.get("total") ?? 0 };
}

/** To be called within a transaction. */
export function writeSeen(database: IndexDatabase, { digest }: Seen): void {
  database.runAside("INSERT OR REPLACE INTO state VALUES ('seen', ?)", digest);
  database.runAside("INSERT OR REPLACE INTO state VALUES ('seen after', ?)", writingsIn(database));
}

/** A holder renews it with every slice; one that was killed is waited for no longer than this. */
export const LEASE_TIME = 5_000;

/** One sweep among those of all processes that share an index. */
export function newHolder(): string {
  return `${process.pid}-${performance.timeOrigin}-${Math.random()}`;
}

/** Takes or renews the lease; to be called within a transaction. @returns false while another process has it */
export function takeLease(database: IndexDatabase, holder: string, work = "sweep"): boolean {
  const now = Date.now();
  const held = database.get("SELECT holder, expires FROM lease WHERE work = ?", work);
  // A lease that ends later than any can was taken under another clock.
  const isHeld = held !== undefined && Number(held["expires"]) > now && Number(held["expires"]) <= now + LEASE_TIME;
  if (isHeld && held["holder"] !== holder) return false;
  database.runAside("INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?)", work, holder, process.pid, now + LEASE_TIME);
  return true;
}

/** Whether another process took the lease: this one may have slept. */
export function hasLease(database: IndexDatabase, holder: string): boolean {
  return database.get("SELECT holder FROM lease WHERE work = 'sweep'")?.["holder"] === holder;
}

export function releaseLease(database: IndexDatabase, holder: string, work = "sweep"): void {
  database.runAside("DELETE FROM lease WHERE work = ? AND holder = ?", work, holder);
}
