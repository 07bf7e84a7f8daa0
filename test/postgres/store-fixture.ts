// A database of its own for each test file, with logins of its own: roles belong
// to the whole server, databases do not. Used by the tests of the shared store.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import {
  ensureSpace,
  leaveSpace,
  openStore,
  setRole,
  spaceNamed,
  type Store,
  type StoreOptions,
} from "../../src/shared/shared.ts";
import { taggedQuery, type TaggedQuery } from "../../src/shared/tagged-query.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { SUPERUSER, type Cluster } from "./cluster.ts";

const cluster = inject("postgresql");

/** Without PostgreSQL these tests are skipped, except in CI on Linux: see cluster.ts. */
export const HAS_POSTGRESQL = cluster !== undefined;

export interface TestDatabase {
  readonly cluster: Cluster;
  readonly name: string;
  /** The address for a login; the password is that of every login here. */
  readonly address: (login: string, password?: string) => string;
  /** A login of the database that nothing else uses; the name is made unique. */
  readonly newLogin: (name: string) => Promise<string>;
  /** The store as this login sees it; closed at the end. */
  readonly open: (login: string, options?: Omit<StoreOptions, "address">) => Store;
  /** Everything, as the superuser: row-level security does not apply to it. */
  readonly superuser: TaggedQuery;
  /** Closes all of these connections. */
  readonly close: () => Promise<void>;
}

/** @param ssl how the superuser's own connections are encrypted */
export async function newDatabase(on: Cluster = cluster!, ssl: pg.ClientConfig["ssl"] = false): Promise<TestDatabase> {
  // Not the number of a process: in a long run of tests, two have the same.
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const options = { host: "127.0.0.1", port: on.port, user: SUPERUSER, password: on.password, ssl } as const;
  const first = new pg.Client({ ...options, database: "postgres" });
  await first.connect();
  await first.query(`CREATE DATABASE ${name}`);
  await first.end();
  const pool = new pg.Pool({ ...options, database: name, max: 2 });
  // Tests stop the server.
  pool.on("error", () => {});
  const closing: (() => Promise<void>)[] = [() => pool.end()];
  const close = async () => {
    for (const each of closing.splice(0)) await each();
  };
  atTheEnd(close);
  const superuser = taggedQuery((statement, values) => pool.query(statement, values as unknown[]));
  const address = (login: string, password = on.password) =>
    `postgres://${encodeURIComponent(login)}:${encodeURIComponent(password)}@127.0.0.1:${on.port}/${name}`;
  return {
    cluster: on,
    name,
    address,
    newLogin: async (given) => {
      const login = `${given}_${name}`;
      await superuser.script(`CREATE ROLE ${login} LOGIN PASSWORD '${on.password}'`);
      return login;
    },
    open: (login, options) => {
      const store = openStore({ address: address(login), ...options });
      closing.push(store.close);
      return store;
    },
    superuser,
    close,
  };
}

/** A space that this member owns, made as who runs the store makes it. */
export async function newSpaceOf(member: string, admin: Store, name: string): Promise<void> {
  await ensureSpace(admin, name);
  const space = await spaceNamed(admin, name);
  await setRole(admin, space, member, "owner");
  await leaveSpace(admin, space);
}
