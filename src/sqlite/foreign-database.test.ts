// Databases that another process holds open, in every way in which it can.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { atTheEnd, temporaryFolder } from "../../test/temporary-folder.ts";
import { UnreadableFile } from "../files/files.ts";
import { ForeignDatabase } from "./foreign-database.ts";
import { databaseWriter } from "../../test/processes/database-writer.ts";

const READ = "SELECT key FROM item ORDER BY key";

function database(mode: "WAL" | "DELETE", keys: readonly string[] = ["a", "b"]): string {
  const path = join(temporaryFolder(), "state.vscdb");
  const made = new DatabaseSync(path);
  made.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE item (key TEXT, value BLOB)`);
  for (const key of keys) made.prepare("INSERT INTO item VALUES (?, ?)").run(key, "x".repeat(5000));
  made.close();
  return path;
}

const UNKNOWN = "in a form that is not known";

async function keysIn(path: string): Promise<unknown[]> {
  using foreign = new ForeignDatabase(path);
  return (await foreign.rows(READ)).map(({ key }) => key);
}

/** Everything about a folder that must stay as it is. */
function stateOf(path: string): unknown {
  const folder = join(path, "..");
  return readdirSync(folder)
    .filter((name) => !name.endsWith("-shm"))
    .map((name) => [name, statSync(join(folder, name)).mtimeMs, readFileSync(join(folder, name)).toString("base64")]);
}

describe("a foreign database", () => {
  it.each(["WAL", "DELETE"] as const)(
    "in %s mode that no program has open is read, and nothing changes",
    async (mode) => {
      const path = database(mode);
      const before = stateOf(path);
      expect(await keysIn(path)).toEqual(["a", "b"]);
      expect(stateOf(path)).toEqual(before);
    },
  );

  it("in WAL mode shows the newest commits of a writer, and nothing that is not committed", async () => {
    const path = database("WAL");
    const { run } = await databaseWriter(
      path,
      "INSERT INTO item VALUES ('c', 1)",
      "BEGIN IMMEDIATE",
      "INSERT INTO item VALUES ('d', 1)",
    );
    const before = stateOf(path);
    expect(await keysIn(path)).toEqual(["a", "b", "c"]);
    expect(stateOf(path)).toEqual(before);
    await run("COMMIT");
    expect(await keysIn(path)).toEqual(["a", "b", "c", "d"]);
  });

  it("in WAL mode is read to the end while its program keeps writing", async () => {
    const path = database("WAL");
    const { run } = await databaseWriter(path);
    using foreign = new ForeignDatabase(path);
    for (let i = 0; i < 20; i++) {
      await run(
        `INSERT INTO item VALUES ('k${String(i).padStart(2, "0")}', zeroblob(9000)); PRAGMA wal_checkpoint(TRUNCATE)`,
      );
      expect(await foreign.rows("SELECT count(*) AS n FROM item")).toEqual([{ n: 3 + i }]);
    }
  });

  it.each(["WAL", "DELETE"] as const)(
    "in %s mode can be written and rebuilt between two readings of the same, and shows what is there then",
    async (mode) => {
      const path = database(mode);
      const { run } = await databaseWriter(path);
      using foreign = new ForeignDatabase(path);
      expect(await foreign.rows(READ)).toEqual([{ key: "a" }, { key: "b" }]);
      // Fails if a reading still held a lock.
      await run(`BEGIN EXCLUSIVE; DROP TABLE item; CREATE TABLE item (value BLOB, more TEXT, key TEXT);
        INSERT INTO item VALUES (1, 'x', 'c'); COMMIT`);
      expect(await foreign.rows(READ)).toEqual([{ key: "c" }]);
      await run("DROP TABLE item");
      await expect(foreign.rows(READ)).rejects.toThrow(UNKNOWN);
    },
  );

  it("without a -wal is read again when its program starts to write", async () => {
    const path = database("WAL");
    using foreign = new ForeignDatabase(path);
    expect(await foreign.rows("SELECT count(*) AS n FROM item")).toEqual([{ n: 2 }]);
    await databaseWriter(path, "INSERT INTO item VALUES ('c', 1)");
    expect(await foreign.rows("SELECT count(*) AS n FROM item")).toEqual([{ n: 3 }]);
  });

  it("in WAL mode that its program holds exclusively is read from a copy, of which nothing is left", async () => {
    const path = database("WAL");
    await databaseWriter(
      path,
      "PRAGMA locking_mode = EXCLUSIVE",
      "INSERT INTO item VALUES ('c', 1)",
      "BEGIN IMMEDIATE",
      "INSERT INTO item VALUES ('d', 1)",
    );
    const before = stateOf(path);
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("commonplace-copy-"));
    const copies = temporary();
    expect(await keysIn(path)).toEqual(["a", "b", "c"]);
    expect(stateOf(path)).toEqual(before);
    expect(temporary().filter((name) => !copies.includes(name))).toEqual([]);
  });

  it("with a -wal that a killed program left shows what was committed", async () => {
    const path = database("WAL");
    const { kill } = await databaseWriter(path, "INSERT INTO item VALUES ('c', 1)");
    kill();
    const before = stateOf(path);
    expect(await keysIn(path)).toEqual(["a", "b", "c"]);
    expect(stateOf(path)).toEqual(before);
  });

  it("in rollback mode shows nothing that is not committed", async () => {
    const path = database("DELETE");
    const { run } = await databaseWriter(path, "BEGIN IMMEDIATE", "INSERT INTO item VALUES ('c', 1)");
    expect(await keysIn(path)).toEqual(["a", "b"]);
    await run("COMMIT");
    expect(await keysIn(path)).toEqual(["a", "b", "c"]);
  });

  it("in rollback mode that is locked is reported as locked within a second", async () => {
    const path = database("DELETE");
    const { run } = await databaseWriter(path, "BEGIN EXCLUSIVE");
    // The machine may have other things to do: one of many tries is enough.
    let least = Infinity;
    for (let i = 0; i < 30 && least >= 1000; i++) {
      const began = performance.now();
      await expect(keysIn(path)).rejects.toThrow("locked by its program");
      least = Math.min(least, performance.now() - began);
    }
    expect(least).toBeLessThan(1000);
    await run("COMMIT");
    expect(await keysIn(path)).toEqual(["a", "b"]);
  });

  it("that is locked only briefly is waited for", async () => {
    const path = database("DELETE");
    const { run } = await databaseWriter(path, "BEGIN EXCLUSIVE");
    const reading = keysIn(path);
    await run("COMMIT");
    expect(await reading).toEqual(["a", "b"]);
  });

  it("does not block its program", async () => {
    const path = database("DELETE");
    const { run } = await databaseWriter(path);
    using foreign = new ForeignDatabase(path);
    await foreign.rows(READ);
    await run("BEGIN EXCLUSIVE; INSERT INTO item VALUES ('c', 1); COMMIT");
    expect(await keysIn(path)).toEqual(["a", "b", "c"]);
  });

  it("in a folder that cannot be written is read from a copy", { skip: process.getuid?.() === 0 }, async () => {
    const path = database("WAL");
    const { kill } = await databaseWriter(path, "INSERT INTO item VALUES ('c', 1)");
    kill();
    const folder = join(temporaryFolder(), "closed");
    mkdirSync(folder);
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, join(folder, `state.vscdb${suffix}`));
    chmodSync(folder, 0o500);
    atTheEnd(() => chmodSync(folder, 0o700));
    expect(await keysIn(join(folder, "state.vscdb"))).toEqual(["a", "b", "c"]);
    expect(existsSync(join(folder, "state.vscdb-shm"))).toBe(false);
  });

  it.each([
    ["is not a database", "not a database at all, but long enough to be looked at ".repeat(20)],
    ["is damaged", undefined],
  ])("that %s says so", async (_, content) => {
    const path = database("DELETE");
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 3000);
    writeFileSync(path, content ?? bytes);
    await expect(keysIn(path)).rejects.toThrow("damaged, or no database");
  });

  it("without a column that is asked for, or with a number beyond JavaScript's, is of an unknown form", async () => {
    const path = database("DELETE");
    using foreign = new ForeignDatabase(path);
    expect([...(await foreign.columns("item"))]).toEqual(["key", "value"]);
    expect([...(await foreign.columns("none"))]).toEqual([]);
    await expect(foreign.rows("SELECT missing FROM item")).rejects.toThrow(new UnreadableFile(UNKNOWN));
    await expect(foreign.rows("SELECT 9007199254740993 AS n")).rejects.toThrow(new UnreadableFile(UNKNOWN));
  });

  it("of a format that this SQLite does not know is reported, and not an error", async () => {
    const path = database("DELETE");
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(99, 44);
    writeFileSync(path, bytes);
    await expect(keysIn(path)).rejects.toThrow(new UnreadableFile(UNKNOWN));
  });

  it("that was deleted is reported as deleted", async () => {
    await expect(keysIn(join(temporaryFolder(), "none"))).rejects.toThrow("deleted");
  });

  it("cannot be written through", async () => {
    using foreign = new ForeignDatabase(database("DELETE"));
    await expect(foreign.rows("DELETE FROM item")).rejects.toThrow();
    await expect(foreign.rows("PRAGMA journal_mode = WAL")).rejects.toThrow();
  });
});
