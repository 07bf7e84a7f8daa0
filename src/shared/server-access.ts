// Questions of a server over HTTP about the people who come to it: which
// member a proof belongs to, and how often that one has asked. The login of the
// server has the role commonplace_server, and is no member. Used by app/.
import { Problem } from "../kernel/kernel.ts";
import { hashOfToken } from "./personal-tokens.ts";
import { SERVER_ROLE } from "./schema/roles.ts";
import { NEWEST, storedVersion } from "./schema/versions.ts";
import type { Role, Space } from "./spaces.ts";
import type { Store } from "./store.ts";

/** Throws unless the login of this store may serve members, and can do no more than that. */
export async function checkServerLogin(store: Store): Promise<void> {
  const { login } = store.address;
  const [row] = await store.reading(
    (sql) => sql`
      SELECT pg_has_role(session_user, ${SERVER_ROLE}, 'MEMBER') AS "maySpeakForMembers",
        (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS "mayDoAnything",
        commonplace.current_member() IS NOT NULL AS "isMember"`,
  );
  if (row!["mayDoAnything"] === true)
    throw new Problem("denied", `The login ${login} may do anything in this database: it must not serve.`, OWN_LOGIN);
  if (row!["isMember"] === true)
    throw new Problem(
      "denied",
      `The login ${login} is a member of the store itself, so it cannot serve the members.`,
      `'serve --http PORT' serves you alone. ${OWN_LOGIN}`,
    );
  if (row!["maySpeakForMembers"] !== true)
    throw new Problem("denied", `The login ${login} may not work for the members of the store.`, OWN_LOGIN);
}

/** Returns whether this is the login of a server for members. */
export async function isServerLogin(store: Store): Promise<boolean> {
  const [row] = await store.reading(
    (sql) => sql`
      SELECT pg_has_role(session_user, ${SERVER_ROLE}, 'MEMBER') AND commonplace.current_member() IS NULL
        AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS "isServer"`,
  );
  return row!["isServer"] === true;
}

const OWN_LOGIN = `A server has a login of its own: CREATE ROLE commonplace_http LOGIN PASSWORD '…'; GRANT ${SERVER_ROLE} TO commonplace_http;`;

/** Somebody who has proved who they are. */
export interface Entered {
  readonly member: string;
  /** The spaces that they are in now. */
  readonly spaces: readonly Pick<Space, "id" | "name" | "role">[];
}

/** Whom the token belongs to; undefined if it is wrong, revoked or has expired. */
export async function memberOfToken(store: Store, token: string): Promise<Entered | undefined> {
  return memberOfTokenHash(store, hashOfToken(token));
}

/** The same for somebody who has shown the token before. */
export async function memberOfTokenHash(store: Store, hash: string): Promise<Entered | undefined> {
  const [row] = await store.transaction(
    (sql) => sql`
      SELECT name, commonplace.spaces_of(name)::text AS spaces
      FROM (SELECT commonplace.member_of_token(${hash}::bytea) AS name OFFSET 0) AS found`,
  );
  return enteredIn(row);
}

/** A member of this name, who has proved that before; undefined if there is none. */
export async function memberNamed(store: Store, name: string): Promise<Entered | undefined> {
  const row = await store.forMember(name).reading(async (sql) => {
    const [found] = await sql`
      SELECT name, commonplace.spaces_of(name)::text AS spaces FROM commonplace.member
      WHERE id = commonplace.current_member()`;
    return found;
  });
  return enteredIn(row);
}

/** A person at an issuer, as one of its tokens says. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** The name of a new member. */
  readonly name: string;
  /** The roles that the groups of the token give. */
  readonly grants: readonly { readonly space: string; readonly role: Role }[];
  /** When the token was issued, in seconds. */
  readonly issued: number;
}

/** Puts the member into the spaces of its groups, and out of those that they no longer give. Undefined if it is nobody's. */
export async function memberOfIdentity(
  store: Store,
  { issuer, subject, name, grants, issued }: Identity,
): Promise<Entered | undefined> {
  const row = await store.transaction(async (sql) => {
    const [found] = await sql`
      SELECT commonplace.member_of_identity(
        ${issuer}, ${subject}, ${name}, ${JSON.stringify(grants)}::text::json, to_timestamp(${issued})) AS name`;
    // A statement of its own: it sees what the first has changed.
    const [spaces] = await sql`SELECT commonplace.spaces_of(${String(found!["name"])})::text AS spaces`;
    return { ...found, ...spaces };
  });
  return enteredIn(row);
}

function enteredIn(row: Readonly<Record<string, unknown>> | undefined): Entered | undefined {
  if (typeof row?.["name"] !== "string") return undefined;
  return { member: row["name"], spaces: JSON.parse(String(row["spaces"])) as Entered["spaces"] };
}

export interface CountedRequests {
  /** Of this minute, on all servers. */
  readonly total: number;
  readonly secondsLeft: number;
}

/** @param store that of the member */
export async function countRequests(store: Store, amount: number): Promise<CountedRequests> {
  const [row] = await store.transaction(
    (sql) => sql`SELECT total, seconds_left FROM commonplace.count_requests(${amount})`,
  );
  return { total: Number(row!["total"]), secondsLeft: Number(row!["seconds_left"]) };
}

/** Returns the version of the store's tables, and the one that this release knows. Throws if the store cannot be used. */
export async function schemaOf(store: Store): Promise<{ readonly found: number; readonly known: number }> {
  return { found: await store.asLogin(storedVersion), known: NEWEST };
}
