// Personal tokens: with one, a program of a member may use a server over HTTP as
// that member. The store keeps their SHA-256 alone; a token is shown once, when it
// is made. Used by the command `store token`, and by the server over HTTP.
import { createHash, randomBytes } from "node:crypto";
import { Problem } from "../kernel/kernel.ts";
import { checkName } from "./names.ts";
import { SERVER_ROLE } from "./schema/roles.ts";
import type { Store } from "./store.ts";

/** Recognisable, for people and for what looks for secrets (src/redaction/patterns/tokens/code.ts). */
export const TOKEN_PREFIX = "cmnp_";
const RANDOM_BYTES = 32;
const FORM = new RegExp(`^${TOKEN_PREFIX}[\\w-]{43}$`);
/** A member has a handful; more are a mistake in a script. */
const MAX_TOKENS = 100;

export interface PersonalToken {
  readonly name: string;
  readonly created: string;
  readonly expires: string;
  readonly hasExpired: boolean;
  /** The day of its last use. */
  readonly used: string | undefined;
}

export function isPersonalToken(text: string): boolean {
  return FORM.test(text);
}

/** As a literal of bytes. Random tokens need no slow hash: nobody can guess 256 bits. */
export function hashOfToken(token: string): string {
  return `\\x${createHash("sha256").update(token).digest("hex")}`;
}

/** The owner of tokens. */
export interface TokenHolder {
  readonly name: string;
  /** As this member sees it. */
  readonly store: Store;
}

/**
 * The member of this login, or the one that is named. A name that the login may not work for is refused: the database
 * would take it for the login's own member.
 */
export async function tokenHolder(login: Store, named: string | undefined): Promise<TokenHolder> {
  const store = named === undefined ? login : login.forMember(named);
  const [row] = await store.transaction(
    (sql) => sql`
      SELECT pg_has_role(session_user, ${SERVER_ROLE}, 'MEMBER') AS "maySpeakForMembers",
        (SELECT name FROM commonplace.member WHERE id = commonplace.current_member()) AS name`,
  );
  const { name, maySpeakForMembers } = row!;
  if (named !== undefined && name !== named && maySpeakForMembers !== true)
    throw new Problem(
      "denied",
      `The login ${login.address.login} may not work for ${named}. Nothing was changed.`,
      "Without --member, the tokens are your own; for others, use the login of a server.",
    );
  if (typeof name === "string") return { name, store };
  if (named === undefined) throw noMember(login);
  throw new Problem("not_found", `There is no member ${named} in this store.`);
}

/** @param member whose it is, if that is not who asks. @returns the token itself, which is nowhere else */
export async function createToken(store: Store, name: string, days: number, member?: string): Promise<string> {
  checkName(name, "token");
  const token = TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");
  const hash = hashOfToken(token);
  await store.transaction(async (sql) => {
    const known = await sql`SELECT name, hash = ${hash}::bytea AS "isThis" FROM commonplace.personal_token`;
    // A second attempt, after the answer to the first was lost.
    if (known.some((row) => row["isThis"] === true)) return;
    if (known.some((row) => row["name"] === name))
      throw new Problem(
        "exists",
        `${has(member)} a token ${name} already.`,
        `Choose another name, or revoke it first: 'commonplace store token revoke ${name}${member === undefined ? "" : ` --member ${member}`}'.`,
      );
    if (known.length >= MAX_TOKENS)
      throw new Problem("denied", `${has(member)} ${MAX_TOKENS} tokens.`, "Revoke those that are not used.");
    const added = await sql`
      INSERT INTO commonplace.personal_token (member, name, hash, expires)
      SELECT member, ${name}, ${hash}::bytea, now() + ${days} * interval '1 day'
      FROM commonplace.current_member() AS member WHERE member IS NOT NULL RETURNING 1`;
    if (added.length === 0) throw noMember(store);
  });
  return token;
}

export async function listTokens(store: Store): Promise<PersonalToken[]> {
  const rows = await store.transaction(
    (sql) => sql`
      SELECT name, created, expires, expires <= now() AS "hasExpired", used::text FROM commonplace.personal_token
      ORDER BY created, name`,
  );
  return rows.map((row) => ({
    name: String(row["name"]),
    created: (row["created"] as Date).toISOString(),
    expires: (row["expires"] as Date).toISOString(),
    hasExpired: row["hasExpired"] === true,
    used: row["used"] === null ? undefined : String(row["used"]),
  }));
}

/** Ends it at once. */
export async function revokeToken(store: Store, name: string, member?: string): Promise<void> {
  const deleted = await store.transaction(
    (sql) => sql`DELETE FROM commonplace.personal_token WHERE name = ${name} RETURNING 1`,
  );
  if (deleted.length === 0) throw new Problem("not_found", `${has(member)} no token ${name}.`);
}

function has(member: string | undefined): string {
  return member === undefined ? "You have" : `${member} has`;
}

function noMember({ address }: Store): Problem {
  return new Problem(
    "denied",
    `The login ${address.login} is no member of this store.`,
    "--member names the one that a server's login makes a token for.",
  );
}
