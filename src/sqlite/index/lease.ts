// Leases: a row of an index that says which process does a piece of work, so
// that of all processes that share the index only one does. Used by the sweep
// of notes, by the ingest of conversations and by what runs after it.
import type { IndexDatabase } from "./index-database.ts";

/** The holder renews the lease with every slice of work; others wait this long for a holder that was killed. */
const LEASE_TIME = 5_000;

/** A name for one run of a piece of work, unique among all processes. */
export function newHolder(): string {
  return `${process.pid}-${performance.timeOrigin}-${Math.random()}`;
}

/** Takes or renews the lease; call it within a transaction. @returns false while another process has it */
export function takeLease(database: IndexDatabase, holder: string, work = "sweep"): boolean {
  const now = Date.now();
  const held = database.get("SELECT holder, expires FROM lease WHERE work = ?", work);
  // A lease that ends later than possible was taken under another clock.
  const isHeld = held !== undefined && Number(held["expires"]) > now && Number(held["expires"]) <= now + LEASE_TIME;
  if (isHeld && held["holder"] !== holder) return false;
  database.runAside("INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?)", work, holder, process.pid, now + LEASE_TIME);
  return true;
}

/** Returns whether the lease is still this holder's: another process takes it if this one was suspended for too long. */
export function hasLease(database: IndexDatabase, holder: string): boolean {
  return database.get("SELECT holder FROM lease WHERE work = 'sweep'")?.["holder"] === holder;
}

export function releaseLease(database: IndexDatabase, holder: string, work = "sweep"): void {
  database.runAside("DELETE FROM lease WHERE work = ? AND holder = ?", work, holder);
}
