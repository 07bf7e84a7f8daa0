// The versions of the store's tables, and their migration: forward only, one
// process at a time, all in one transaction. Used by administration.ts and
// store.ts.
import { Problem } from "../../kernel/kernel.ts";
import type { TaggedQuery } from "../tagged-query.ts";
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";
import { VERSION_1 } from "./version-1.ts";

/** Each upgrades from the version before it; the first creates the tables. A released one is never changed. */
export const VERSIONS: readonly string[] = [VERSION_1];

export const NEWEST = VERSIONS.length;

/** Any number, the same in every release: the process that migrates holds this lock. */
const LOCK = 4_127_001;

/** Throws unless this release knows exactly that version. */
export function checkVersion(version: number): void {
  if (version > NEWEST)
    throw new Problem(
      "denied",
      `A newer release of Commonplace has changed this store (version ${version}; this release knows ${NEWEST}).`,
      "Update Commonplace on this machine.",
    );
  if (version < NEWEST)
    throw new Problem(
      "denied",
      `This store has to be migrated from version ${version} to ${NEWEST}.`,
      "Who runs it does so with 'commonplace store migrate'.",
    );
}

/**
 * The version of the store's tables; 0 if there is none. Read from the catalogue: a call of the function may answer
 * what it was before another process, which was waited for, has migrated.
 */
export async function storedVersion(sql: TaggedQuery): Promise<number> {
  const [row] = await sql`
    SELECT substring(prosrc FROM '[0-9]+') AS version FROM pg_proc
    WHERE proname = 'version' AND pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'commonplace')`;
  return Number(row?.["version"] ?? 0);
}

/** Waits until no other process migrates; the lock is held to the end of the transaction. */
export async function lockMigrations(sql: TaggedQuery): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`;
}

/**
 * Brings the tables to the newest version. The schema exists, and the login may act as its owner.
 * @returns the versions before and after
 */
export async function migrate(
  sql: TaggedQuery,
  versions: readonly string[] = VERSIONS,
): Promise<{ readonly from: number; readonly to: number }> {
  await lockMigrations(sql);
  const from = await storedVersion(sql);
  if (from > versions.length) checkVersion(from);
  if (from === versions.length) return { from, to: from };
  await sql`SELECT set_config('role', ${OWNER_ROLE}, true), set_config('search_path', 'commonplace', true)`;
  for (const step of versions.slice(from)) await sql.script(step);
  await sql.script(`
    CREATE OR REPLACE FUNCTION commonplace.version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${versions.length}';
    REVOKE ALL ON FUNCTION commonplace.version() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION commonplace.version() TO ${ACCESS_ROLE}`);
  await sql`RESET ROLE`;
  return { from, to: versions.length };
}
