import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { operatingSystem } from "../kernel/kernel.ts";
import { openDatabase, openReadOnly, readingUri, useWriteAheadLog } from "./open.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "commonplace-sqlite-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ["\\\\server\\share\\a b#?.vscdb", "file:////server/share/a%20b%23%3F.vscdb?mode=ro"],
  ["\\\\?\\UNC\\server\\share\\a.db", "file:////server/share/a.db?mode=ro"],
  ["\\\\wsl.localhost\\Ubuntu\\home\\a.db", "file:////wsl.localhost/Ubuntu/home/a.db?mode=ro"],
  ["C:\\a b\\ü.db", "file:///C:/a%20b/%C3%BC.db?mode=ro"],
])("a path of Windows is a URI that SQLite takes: %s", (path, uri) => {
  expect(readingUri(path, "read-only", operatingSystem("win32"))).toBe(uri);
});

it("a URI with four slashes is a path that begins with two, as those on servers do", () => {
  const file = join(folder, "a b#?.db");
  const made = openDatabase(file);
  made.exec("CREATE TABLE t (a)");
  made.close();
  for (const way of ["read-only", "immutable"] as const) openReadOnly(file, way, 0).close();
  const { pathname } = new URL(readingUri(file, "read-only"));
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const open = (uri: string) => new DatabaseSync(uri, { readOnly: true }).close();
  expect(() => open(`file://server${pathname}?mode=ro`)).toThrow("authority");
  if (process.platform !== "win32") open(`file:///${pathname}?mode=ro`);
});

it("a database gets a write-ahead log even while another process creates the file", async () => {
  const file = join(folder, "shared.db");
  const isWaitedFor = join(folder, "waited");
  const holds = `const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec("BEGIN EXCLUSIVE; CREATE TABLE t (a)");
    console.log("held");
    const isWaitedFor = () => require("node:fs").existsSync(${JSON.stringify(isWaitedFor)});
    const look = setInterval(() => {
      if (!isWaitedFor()) return;
      clearInterval(look);
      setTimeout(() => database.exec("COMMIT"), 200);
    }, 10);`;
  const other = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", holds]);
  const ended = once(other, "close");
  await once(other.stdout, "data");
  // It does not wait for any lock by itself.
  const database = openDatabase(file);
  expect(() => database.exec("PRAGMA journal_mode = WAL")).toThrow("database is locked");
  writeFileSync(isWaitedFor, "");
  useWriteAheadLog(database);
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  database.close();
  await ended;
});
