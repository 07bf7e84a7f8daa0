// Spaces and their members, as one member sees them: row-level security decides
// what that is. Used by the command `store`, and by whatever adds to a space.
import { Problem } from "../kernel/kernel.ts";
import type { Store } from "./store.ts";
import type { TaggedQuery } from "./tagged-query.ts";

export const ROLES = ["reader", "writer", "owner"] as const;
export type Role = (typeof ROLES)[number];

export interface Space {
  readonly id: number;
  readonly name: string;
  /** One's own. */
  readonly role: Role;
  readonly members: readonly { readonly name: string; readonly role: Role }[];
}

/** The name of the member that this connection works for. */
export async function ownName(store: Store): Promise<string> {
  return store.reading(async (sql) => {
    const [row] = await sql`SELECT name FROM commonplace.member WHERE id = commonplace.current_member()`;
    if (row !== undefined) return String(row["name"]);
    throw new Problem(
      "denied",
      `The login ${store.address.login} is no member of this store.`,
      "Who runs the store makes it one with 'commonplace store add'.",
    );
  });
}

export async function listSpaces(store: Store): Promise<Space[]> {
  return store.reading(spacesIn);
}

async function spacesIn(sql: TaggedQuery): Promise<Space[]> {
  const rows = await sql`
    SELECT space.id, space.name, own.role, (
      SELECT json_agg(json_build_object('name', member.name, 'role', membership.role) ORDER BY member.name)
      FROM commonplace.membership JOIN commonplace.member ON member.id = membership.member WHERE membership.space = space.id
    )::text AS members
    FROM commonplace.space JOIN commonplace.membership AS own ON own.space = space.id AND own.member = commonplace.current_member()
    ORDER BY space.id`;
  return rows.map((row) => ({
    id: Number(row["id"]),
    name: String(row["name"]),
    role: row["role"] as Role,
    members: JSON.parse(String(row["members"])) as Space["members"],
  }));
}

/** The number and size of the files of a space, without its trash. */
export interface SpaceFiles {
  readonly files: number;
  readonly bytes: number;
}

/** By the name of the space; those without files are left out. */
export async function countFiles(store: Store): Promise<ReadonlyMap<string, SpaceFiles>> {
  return store.reading(async (sql) => {
    const rows = await sql`
      SELECT space.name, count(*)::int AS files, sum(size)::float8 AS bytes
      FROM commonplace.file JOIN commonplace.space ON space.id = file.space
      WHERE kind = 'file' AND NOT starts_with(key, '.') GROUP BY space.name`;
    return new Map(
      rows.map((row) => [String(row["name"]), { files: Number(row["files"]), bytes: Number(row["bytes"]) }]),
    );
  });
}

/** The space with that name, or without a name the member's only one. Throws if there is none, or if there are several. */
export async function spaceNamed(store: Store, name: string | undefined): Promise<Space> {
  const spaces = await listSpaces(store);
  const found = name === undefined ? spaces : spaces.filter((space) => space.name === name);
  if (found.length === 1) return found[0]!;
  const names = spaces.map((space) => space.name).join(", ");
  if (name === undefined && spaces.length > 1)
    throw new Problem("invalid", `You are in several spaces: ${names}.`, "Name one with --space.");
  if (name === undefined) throw new Problem("not_found", "You are in no space of this store.");
  throw new Problem("not_found", `You are in no space ${name}.`, spaces.length === 0 ? undefined : `Yours: ${names}.`);
}

/** An identity that no other space of the store ever had, also under the same name; undefined if one is in no space of the name. */
export async function spaceIdentity(sql: TaggedQuery, name: string): Promise<string | undefined> {
  // Numbers begin again in a database that was made again.
  const [row] = await sql`
    SELECT id || ' ' || extract(epoch FROM created) AS identity FROM commonplace.space WHERE name = ${name}`;
  return row === undefined ? undefined : String(row["identity"]);
}

/** Lets a member of the store into a space, or changes what it may do there. */
export async function setRole(store: Store, space: Space, member: string, role: Role): Promise<void> {
  await store.transaction((sql) => sql`SELECT commonplace.set_role(${space.id}, ${member}, ${role})`);
}

/** Ends the access of a member at once. What it has added stays. */
export async function removeMember(store: Store, space: Space, member: string): Promise<void> {
  if (!space.members.some(({ name }) => name === member))
    throw new Problem("not_found", `${member} is not in the space ${space.name}.`);
  await store.transaction((sql) => sql`SELECT commonplace.end_membership(${space.id}, ${member})`);
}
