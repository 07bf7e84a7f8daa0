// A store is created once, migrated forward only, by one process at a time.
import { describe, expect, it } from "vitest";
import {
  countOwnRows,
  createStore,
  ensureSpace,
  listSpaces,
  migrateStore,
  NEWEST_STORE_VERSION,
  spaceNamed,
} from "../../src/postgres/postgres.ts";
import { CREATE_ROLES, OWNER_ROLE } from "../../src/postgres/schema/roles.ts";
import { migrate, VERSIONS } from "../../src/postgres/schema/versions.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

describe.runIf(HAS_POSTGRESQL)("the tables of a store", () => {
  it("are created once, also by several processes at the same time", async () => {
    const database = await newDatabase();
    const stores = [1, 2, 3].map(() => database.open(SUPERUSER));
    const made = await Promise.all(stores.map(createStore));
    expect(made.map(({ from }) => from).toSorted()).toEqual([0, NEWEST_STORE_VERSION, NEWEST_STORE_VERSION]);
    expect(await createStore(stores[0]!)).toEqual({ from: NEWEST_STORE_VERSION, to: NEWEST_STORE_VERSION });
    expect(await listSpaces(stores[0]!)).toEqual([]);
  });

  /** A store as an earlier release made it. */
  const storeOf = async (version: number) => {
    const database = await newDatabase();
    const store = database.open(SUPERUSER);
    await store.asLogin(async (sql) => {
      await sql.script(CREATE_ROLES);
      await sql.script(`CREATE SCHEMA commonplace AUTHORIZATION ${OWNER_ROLE}`);
      await migrate(sql, VERSIONS.slice(0, version));
    });
    await database.superuser`INSERT INTO commonplace.member (name, login) VALUES ('alice', ${SUPERUSER})`;
    return { database, store };
  };

  it.each(VERSIONS.slice(1).map((_, i) => i + 1))(
    "are migrated from version %i with what is in them, by one process",
    async (version) => {
      const { database, store } = await storeOf(version);
      await expect(listSpaces(store)).rejects.toThrow(`has to be migrated from version ${version}`);
      const done = await Promise.all([store, database.open(SUPERUSER)].map(migrateStore));
      expect(done.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([version, NEWEST_STORE_VERSION]);
      expect(await database.superuser`SELECT name, commonplace.version() FROM commonplace.member`).toEqual([
        { name: "alice", version: NEWEST_STORE_VERSION },
      ]);
      await ensureSpace(store, "mine");
      expect(await countOwnRows(store, await spaceNamed(store, "mine"))).toMatchObject({ events: 0, conversations: 0 });
    },
  );

  it("have all words of conversations made again that an earlier release has made", async () => {
    const { database, store } = await storeOf(11);
    await database.superuser`INSERT INTO commonplace.space (name) VALUES ('team')`;
    await database.superuser`
      INSERT INTO commonplace.conversation (space, source, key, number, content, stamps, redaction, title, created, updated,
        time_known, messages, type, keywords, opening, files, touched, abandoned, has_dropped)
      SELECT id, 'x', 'x', 1, 'hash', '{stamp}', 1, 'x', 1, 1, 'x', 1, 'x', 'x', 'x', 'x', '[]', '[]', false FROM commonplace.space`;
    await database.superuser`
      INSERT INTO commonplace.conversation_page (conversation, page, space, kind, content, first, last, parts)
      SELECT id, 1, space, 'prose', 'hash', 1, 1, '' FROM commonplace.conversation`;
    await migrateStore(store);
    expect(
      await database.superuser`
        SELECT conversation.content || page.content AS content, cardinality(stamps) AS stamps
        FROM commonplace.conversation JOIN commonplace.conversation_page AS page ON page.conversation = conversation.id`,
    ).toEqual([{ content: "", stamps: 0 }]);
    expect(
      await database.superuser`
        SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace
          AND relname IN ('conversation', 'conversation_page') AND relforcerowsecurity`,
    ).toEqual([{ count: 2 }]);
  });

  it("stay as they are if a step of a migration fails", async () => {
    const { database, store } = await storeOf(1);
    const versions = [VERSIONS[0]!, "ALTER TABLE member ADD COLUMN note text", "SELECT * FROM nothing"];
    await expect(store.asLogin((sql) => migrate(sql, versions))).rejects.toThrow("nothing");
    const [row] = await database.superuser`
      SELECT commonplace.version(), count(*)::int AS columns FROM pg_attribute
      WHERE attrelid = 'commonplace.member'::regclass AND attname = 'note'`;
    expect(row).toMatchObject({ version: 1, columns: 0 });
  });

  it("are refused if a newer release made them, also by a server that runs already", async () => {
    const database = await newDatabase();
    const store = database.open(SUPERUSER);
    await createStore(store);
    await listSpaces(store);
    expect(await store.call("files_below", ["team", "", false])).toBeNull();
    const newer = NEWEST_STORE_VERSION + 1;
    const setVersion = (version: number) =>
      database.superuser.script(
        `CREATE OR REPLACE FUNCTION commonplace.version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${version}'`,
      );
    await setVersion(newer);
    const problem = `A newer release of Commonplace has changed this store (version ${newer}`;
    await expect(listSpaces(store)).rejects.toThrow(problem);
    await expect(store.call("files_below", ["team", "", false])).rejects.toThrow(problem);
    await expect(migrateStore(store)).rejects.toThrow(problem);
    await expect(createStore(store)).rejects.toThrow(problem);
    await setVersion(NEWEST_STORE_VERSION - 1);
    await expect(listSpaces(store)).rejects.toMatchObject({ hint: expect.stringContaining("store migrate") });
  });

  it("are reported as missing in words", async () => {
    const database = await newDatabase();
    const store = database.open(SUPERUSER);
    await expect(listSpaces(store)).rejects.toThrow(`There is no store in postgres://${SUPERUSER}@127.0.0.1`);
    await expect(migrateStore(store)).rejects.toThrow("There is no store in");
  });

  it("can be created by a login that is no superuser, and by no other than one that may", async () => {
    const database = await newDatabase();
    const plain = await database.newLogin("plain");
    await expect(createStore(database.open(plain))).rejects.toThrow(`The login ${plain} may not set up the store.`);
    const able = await database.newLogin("able");
    await database.superuser.script(
      `ALTER ROLE ${able} CREATEROLE; GRANT CREATE ON DATABASE ${database.name} TO ${able}`,
    );
    const store = database.open(able);
    expect(await createStore(store)).toEqual({ from: 0, to: NEWEST_STORE_VERSION });
    expect(await listSpaces(store)).toEqual([]);
    await ensureSpace(store, "team");
    expect(await listSpaces(store)).toMatchObject([{ name: "team", role: "owner", members: [{ name: able }] }]);
  });
});
