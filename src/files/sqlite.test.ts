import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase, useWriteAheadLog } from "./sqlite.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "commonplace-sqlite-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("gets a write-ahead log also where another process is making the file just then", async () => {
  const file = join(folder, "shared.db");
  const holds = `const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec("BEGIN EXCLUSIVE; CREATE TABLE t (a)");
    console.log("held");
    setTimeout(() => database.exec("COMMIT"), 200);`;
  const other = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", holds]);
  const ended = once(other, "close");
  await once(other.stdout, "data");
  // It does not wait for any lock by itself.
  const database = openDatabase(file);
  expect(() => database.exec("PRAGMA journal_mode = WAL")).toThrow("database is locked");
  useWriteAheadLog(database);
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  database.close();
  await ended;
});
