// How far an index has followed a feed of a shared store, and the lease under which one
// process at a time works on an index. Used by the indexes of notes and of conversations.
import { IndexReplaced, type IndexDatabase } from "./index-database.ts";
import { hasLease, newHolder, releaseLease, takeLease } from "./lease.ts";

/** A feed of changes, and the number of the last one that was indexed. */
export interface Fed {
  /** The feed, and no other that ever was. */
  readonly identity: string;
  readonly number: number;
}

/** Undefined for an index that has followed no feed. */
export function readFed(database: IndexDatabase): Fed | undefined {
  const rows = database.all("SELECT key, value FROM state WHERE key IN ('feed', 'number')");
  const values = new Map(rows.map(({ key, value }) => [String(key), value]));
  const identity = values.get("feed");
  return identity === undefined ? undefined : { identity: String(identity), number: Number(values.get("number") ?? 0) };
}

/** Call it within a transaction. */
export function writeFed(database: IndexDatabase, { identity, number }: Fed): void {
  database.runAside("INSERT OR REPLACE INTO state VALUES ('feed', ?), ('number', ?)", identity, number);
}

class LeaseLost extends Error {}

/**
 * Runs work under the lease of the index.
 * @returns undefined if another process has it, or took it over
 */
export async function alone<T>(
  database: IndexDatabase,
  signal: AbortSignal | undefined,
  work: (holder: string) => Promise<T>,
): Promise<T | undefined> {
  const holder = newHolder();
  if (!(await database.write(() => takeLease(database, holder), signal))) return undefined;
  try {
    return await work(holder);
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof IndexReplaced) return undefined;
    throw error;
  } finally {
    // Without this it expires by itself.
    await database.write(() => releaseLease(database, holder)).catch(() => {});
  }
}

/** Renews the lease; call it within the transaction of every slice of work. */
export function keepLease(database: IndexDatabase, holder: string): void {
  if (!hasLease(database, holder)) throw new LeaseLost();
  takeLease(database, holder);
}
