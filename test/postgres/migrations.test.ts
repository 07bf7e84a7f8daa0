// A store is created once, migrated forward only, by one process at a time.
import { describe, expect, it } from "vitest";
import { createStore, ensureSpace, listSpaces, migrateStore, NEWEST_STORE_VERSION } from "../../src/shared/shared.ts";
import { migrate, VERSIONS } from "../../src/shared/schema/versions.ts";
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

  it("are migrated with what is in them, by one process", async () => {
    const database = await newDatabase();
    const stores = [1, 2].map(() => database.open(SUPERUSER));
    await createStore(stores[0]!);
    const versions = [...VERSIONS, "ALTER TABLE member ADD COLUMN note text NOT NULL DEFAULT 'made'"];
    const done = await Promise.all(stores.map((store) => store.asLogin((sql) => migrate(sql, versions))));
    expect(done.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([NEWEST_STORE_VERSION, versions.length]);
    expect(await database.superuser`SELECT name, note, commonplace.version() FROM commonplace.member`).toEqual([
      { name: SUPERUSER, note: "made", version: versions.length },
    ]);
  });

  it("stay as they are if a step of a migration fails", async () => {
    const database = await newDatabase();
    const store = database.open(SUPERUSER);
    await createStore(store);
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
