// The outline that a member has open, if any server may answer the next call of that
// member. Used by app/members/.
import type { Store } from "./store.ts";

/** In a space that the member is in. */
export interface OpenOutline {
  readonly space: string;
  readonly path: string;
}

/** @param store that of the member */
export async function openOutlineOf(store: Store): Promise<OpenOutline | undefined> {
  const [row] = await store.transaction(
    (sql) => sql`
      SELECT space.name, path FROM commonplace.open_outline JOIN commonplace.space ON space.id = open_outline.space
      WHERE member = commonplace.current_member()`,
  );
  return row && { space: String(row["name"]), path: String(row["path"]) };
}

export async function keepOpenOutline(store: Store, { space, path }: OpenOutline): Promise<void> {
  await store.transaction(
    (sql) => sql`
      INSERT INTO commonplace.open_outline (member, space, path)
      SELECT commonplace.current_member(), id, ${path} FROM commonplace.space WHERE name = ${space}
      ON CONFLICT (member) DO UPDATE SET space = excluded.space, path = excluded.path`,
  );
}
