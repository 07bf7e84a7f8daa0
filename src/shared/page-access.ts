// Questions of servers for the page of members: keys to sign addresses of files
// with, which all servers share, and whether anything changed. Used by app/members/.
import { randomBytes } from "node:crypto";
import type { Store } from "./store.ts";

const KEY_BYTES = 32;

/** The newest first: that one signs, and all of them are good. @param store that of the server's login */
export async function ticketKeys(store: Store): Promise<readonly Buffer[]> {
  const candidate = `\\x${randomBytes(KEY_BYTES).toString("hex")}`;
  const rows = await store.transaction(
    (sql) => sql`SELECT key FROM commonplace.ticket_keys(${candidate}::bytea) AS key`,
  );
  return rows.map((row) => row["key"] as Buffer);
}

/** Somebody whose page is open. */
export interface PageListener {
  readonly member: string;
  /** The hash of the personal token with which they came (hashOfToken), if it was one. */
  readonly token: string | undefined;
}

/**
 * For each listener a text that differs after every change of what the page shows; undefined if the member is in no
 * space any more, or the token is no longer good. One question for all of them.
 * @param store that of the server's login
 */
export async function newestChanges(
  store: Store,
  listeners: readonly PageListener[],
): Promise<readonly (string | undefined)[]> {
  const names = listeners.map(({ member }) => member);
  const tokens = listeners.map(({ token = null }) => token);
  const rows = await store.transaction(
    (sql) => sql`SELECT changes FROM commonplace.newest_changes(${names}::text[], ${tokens}::bytea[]) ORDER BY place`,
  );
  return rows.map((row) => (typeof row["changes"] === "string" ? row["changes"] : undefined));
}
