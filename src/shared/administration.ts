// The work of an administrator: creates a store and its spaces, migrates it,
// and lets database logins in as members. Needs a login that may create roles and schemas;
// it gets no access to anybody's data by that. Used by the command `store`.
import { codeOf } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { checkDistinct, checkName } from "./names.ts";
import { CREATE_ROLES, ACCESS_ROLE, OWNER_ROLE } from "./schema/roles.ts";
import { checkVersion, lockMigrations, migrate, storedVersion } from "./schema/versions.ts";
import type { Store } from "./store.ts";
import type { Row, TaggedQuery, Work } from "./tagged-query.ts";

export interface Migrated {
  /** 0 if the store was created. */
  readonly from: number;
  readonly to: number;
}

/** Creates the store, or completes one; makes the login its member. Twice changes nothing. */
export async function createStore(store: Store): Promise<Migrated> {
  const { login } = store.address;
  return store.asLogin(
    permitted(login, async (sql) => {
      await lockMigrations(sql);
      await sql.script(CREATE_ROLES);
      await sql.script(`CREATE SCHEMA IF NOT EXISTS commonplace AUTHORIZATION ${OWNER_ROLE}`);
      const migrated = await migrate(sql);
      await admit(sql, { name: login, login });
      return migrated;
    }),
  );
}

/** Brings the tables of a store to the version of this release. */
export async function migrateStore(store: Store): Promise<Migrated> {
  const { login, shown } = store.address;
  return store.asLogin(
    permitted(login, async (sql) => {
      if ((await storedVersion(sql)) === 0)
        throw new Problem("not_found", `There is no store in ${shown}.`, "'commonplace store init' creates it.");
      return migrate(sql);
    }),
  );
}

/** Creates a space that the login owns, unless it is in a space of that name. */
export async function ensureSpace(store: Store, name: string): Promise<void> {
  await store.asLogin(
    permitted(store.address.login, async (sql) => {
      checkVersion(await storedVersion(sql));
      await sql`SELECT set_config('role', ${OWNER_ROLE}, true)`;
      const [own] = await sql`
        SELECT 1 FROM commonplace.space JOIN commonplace.membership ON membership.space = space.id
        WHERE name = ${name} AND member = commonplace.current_member()`;
      if (own !== undefined) return;
      checkName(name, "space");
      const taken = await sql`SELECT name FROM commonplace.space`;
      checkDistinct(name, "space", namesIn(taken));
      await sql`SELECT commonplace.create_space(${name})`;
    }),
  );
}

export interface NewMember {
  readonly name: string;
  /** The database login of this person. */
  readonly login: string;
}

/** Makes an existing database login a member of the store. It sees nothing until it is in a space. */
export async function admitMember(store: Store, member: NewMember): Promise<void> {
  checkName(member.name, "member");
  await store.asLogin(
    permitted(store.address.login, async (sql) => {
      checkVersion(await storedVersion(sql));
      const [known] = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${member.login} AND rolcanlogin`;
      if (known === undefined)
        throw new Problem(
          "not_found",
          `The database has no login ${member.login}.`,
          `Who runs the database creates it: CREATE ROLE "${member.login}" LOGIN PASSWORD '…'`,
        );
      await admit(sql, member);
    }),
  );
}

/** Makes somebody without a database login a member, who comes through a server. Twice changes nothing. */
export async function admitPerson(store: Store, name: string): Promise<void> {
  checkName(name, "member");
  await store.asLogin(
    permitted(store.address.login, async (sql) => {
      checkVersion(await storedVersion(sql));
      await sql`SELECT set_config('role', ${OWNER_ROLE}, true)`;
      await checkMember(sql, name);
      await sql`INSERT INTO commonplace.member (name) VALUES (${name}) ON CONFLICT (name) DO NOTHING`;
    }),
  );
}

/** How an issuer of access tokens calls a member. */
export interface LinkedIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** From now on, a token of the issuer with this subject stands for that member. Idempotent. */
export async function linkMember(store: Store, name: string, { issuer, subject }: LinkedIdentity): Promise<void> {
  await store.asLogin(
    permitted(store.address.login, async (sql) => {
      checkVersion(await storedVersion(sql));
      await sql`SELECT set_config('role', ${OWNER_ROLE}, true)`;
      const [member] = await sql`SELECT id FROM commonplace.member WHERE name = ${name}`;
      if (member === undefined) throw new Problem("not_found", `There is no member ${name} in this store.`);
      await sql`
        INSERT INTO commonplace.identity (issuer, subject, member) VALUES (${issuer}, ${subject}, ${String(member["id"])}::bigint)
        ON CONFLICT DO NOTHING`;
      const [linked] = await sql`
        SELECT name FROM commonplace.member WHERE id = (
          SELECT member FROM commonplace.identity WHERE issuer = ${issuer} AND subject = ${subject})`;
      if (linked?.["name"] !== name)
        throw new Problem(
          "exists",
          `That subject of ${issuer} is the member ${String(linked?.["name"])} already. Nothing was changed.`,
        );
    }),
  );
}

async function admit(sql: TaggedQuery, { name, login }: NewMember): Promise<void> {
  await sql`SELECT set_config('role', ${OWNER_ROLE}, true)`;
  const [taken] = await sql`
    SELECT name FROM commonplace.member
    WHERE (name = ${name} AND login IS DISTINCT FROM ${login}) OR (login = ${login} AND name <> ${name})`;
  if (taken?.["name"] === name) throw new Problem("exists", `Another login is the member ${name} already.`);
  if (taken !== undefined)
    throw new Problem("exists", `The login ${login} is the member ${String(taken["name"])} already.`);
  await checkMember(sql, name);
  await sql`INSERT INTO commonplace.member (name, login) VALUES (${name}, ${login}) ON CONFLICT (login) DO NOTHING`;
  await sql`RESET ROLE`;
  const [row] = await sql`
    SELECT pg_has_role(${login}, ${ACCESS_ROLE}, 'MEMBER') AS "hasAccess", quote_ident(${login}) AS login`;
  if (!row!["hasAccess"]) await sql.script(`GRANT ${ACCESS_ROLE} TO ${String(row!["login"])}`);
}

async function checkMember(sql: TaggedQuery, name: string): Promise<void> {
  checkDistinct(name, "member", namesIn(await sql`SELECT name FROM commonplace.member`));
}

function namesIn(rows: readonly Row[]): string[] {
  return rows.map((row) => String(row["name"]));
}

/** Words the refusal of a login that lacks the rights for this. */
function permitted<T>(login: string, work: Work<T>): Work<T> {
  return async (sql) => {
    try {
      return await work(sql);
    } catch (error) {
      if (codeOf(error) !== "42501") throw error;
      throw new Problem(
        "denied",
        `The login ${login} may not set up the store.`,
        "Use one that may create roles, and schemas in this database. Nothing was changed.",
      );
    }
  };
}
