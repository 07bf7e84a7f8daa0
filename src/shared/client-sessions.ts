// The sessions of clients of protocol versions before 2026-07-28, which say once
// who they are, and may open an outline: kept in the store, so that any server can go
// on with them. The store has the SHA-256 of their ids. Used by the server over HTTP,
// through app/.
import { createHash } from "node:crypto";
import type { Store } from "./store.ts";

/** Clients leave without notice: the least recently used one of a member makes room. */
const MAX_SESSIONS = 64;
/** In hours without use. */
const LASTS = 24;

function keyOf(id: string): string {
  return `\\x${createHash("sha256").update(id).digest("hex")}`;
}

/** @param store that of the member @param client what the client said about itself */
export async function keepClientSession(store: Store, id: string, client: string): Promise<void> {
  await store.transaction(async (sql) => {
    await sql`
      DELETE FROM commonplace.client_session WHERE used < now() - ${LASTS} * interval '1 hour' OR id IN (
        SELECT id FROM commonplace.client_session ORDER BY used DESC OFFSET ${MAX_SESSIONS - 1})`;
    await sql`
      INSERT INTO commonplace.client_session (id, member, client)
      VALUES (${keyOf(id)}::bytea, commonplace.current_member(), ${client}) ON CONFLICT DO NOTHING`;
  });
}

/** Returns what the client of this session said; undefined if the member has no such session. */
export async function clientOfSession(store: Store, id: string): Promise<string | undefined> {
  return store.transaction(async (sql) => {
    const [row] = await sql`
      SELECT client, used < now() - interval '10 minutes' AS "isOld" FROM commonplace.client_session
      WHERE id = ${keyOf(id)}::bytea AND used > now() - ${LASTS} * interval '1 hour'`;
    if (row === undefined) return undefined;
    if (row["isOld"] === true)
      await sql`UPDATE commonplace.client_session SET used = now() WHERE id = ${keyOf(id)}::bytea`;
    return String(row["client"]);
  });
}

/** @returns whether there was one */
export async function endClientSession(store: Store, id: string): Promise<boolean> {
  const ended = await store.transaction(
    (sql) => sql`DELETE FROM commonplace.client_session WHERE id = ${keyOf(id)}::bytea RETURNING 1`,
  );
  return ended.length > 0;
}

/** In a space that the member is in. */
interface StoredOutline {
  readonly space: string;
  readonly path: string;
}

/** The outline that a session has open. @param store that of the member */
export async function openedOutlineOf(store: Store, session: string): Promise<StoredOutline | undefined> {
  const [row] = await store.transaction(
    (sql) => sql`
      SELECT space.name, path FROM commonplace.open_outline JOIN commonplace.space ON space.id = open_outline.space
      WHERE session = ${keyOf(session)}::bytea`,
  );
  return row && { space: String(row["name"]), path: String(row["path"]) };
}

export async function keepOpenedOutline(store: Store, session: string, { space, path }: StoredOutline): Promise<void> {
  await store.transaction(
    (sql) => sql`
      INSERT INTO commonplace.open_outline (session, member, space, path)
      SELECT ${keyOf(session)}::bytea, commonplace.current_member(), id, ${path}
        FROM commonplace.space WHERE name = ${space}
      ON CONFLICT (session) DO UPDATE SET space = excluded.space, path = excluded.path`,
  );
}
