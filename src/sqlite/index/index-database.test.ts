import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IndexDatabase, type Layout } from "./index-database.ts";
import { newHolder, releaseLease, takeLease } from "./lease.ts";
import { writeState } from "./sweep-state.ts";

const LAYOUT: Layout = {
  name: "the test",
  versions: [
    `CREATE TABLE fact (value TEXT);
     CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
     CREATE TABLE lease (work TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID`,
  ],
  clear: () => {},
};

let folder: string;
let database: IndexDatabase;

const opened = () => new IndexDatabase(join(folder, "index.db"), () => {}, LAYOUT);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-database-"));
  database = opened();
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe("the version of an index", () => {
  it("differs after a change by this or another process", () => {
    const first = database.version();
    database.run("INSERT INTO fact VALUES ('own')");
    const second = database.version();
    const other = opened();
    other.run("INSERT INTO fact VALUES ('other')");
    other.close();
    expect(new Set([first, second, database.version()]).size).toBe(3);
  });

  it("stays the same while a process only checks for changes", () => {
    const before = database.version();
    const holder = newHolder();
    takeLease(database, holder);
    takeLease(database, holder);
    writeState(database, { swept: 1, done: 2, total: 2 });
    writeState(database, { swept: 2 });
    releaseLease(database, holder);
    releaseLease(database, holder);
    expect(database.version()).toBe(before);
  });

  it("differs after a change that was rolled back: a search may have seen it", async () => {
    let during = "";
    const write = database.write(() => {
      database.run("INSERT INTO fact VALUES ('never')");
      during = database.version();
      throw new Error("on the way");
    });
    await expect(write).rejects.toThrow("on the way");
    expect(database.version()).not.toBe(during);
  });
});

describe("the memory of a new index", () => {
  it("is bounded, whatever the size of its pages: of a large transaction most is in the file before its end", async () => {
    const file = join(folder, "large-pages.db");
    const large = new IndexDatabase(file, () => {}, { ...LAYOUT, settings: "PRAGMA page_size = 16384" });
    const written = large.write(() => {
      for (let i = 0; i < 20; i++) large.run("INSERT INTO fact VALUES (?)", "x".repeat(1_000_000));
      return statSync(`${file}-wal`).size;
    });
    expect(await written).toBeGreaterThan(8_000_000);
    large.close();
  });
});
