import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase, useWriteAheadLog } from "../open.ts";
import { removeOtherReleases } from "./other-releases.ts";

const folder = mkdtempSync(join(tmpdir(), "commonplace-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LATER = Date.now() + 31 * 24 * 60 * 60 * 1000;
const OLD = join(folder, "notes-v1-0123456789abcdef.db");

describe("an index of another release", () => {
  it.each(["DELETE", "WAL"])("stays while a process has it open, in the journal mode %s", (mode) => {
    const database = openDatabase(OLD);
    if (mode === "WAL") useWriteAheadLog(database);
    database.exec("CREATE TABLE IF NOT EXISTS t (x)");
    // A rollback journal locks the file while something is read or written, a write-ahead log as long as it is open.
    if (mode === "DELETE") database.exec("BEGIN; SELECT * FROM t");
    removeOtherReleases(folder, ["notes-v2"], LATER);
    expect(existsSync(OLD)).toBe(true);
    if (mode === "DELETE") database.exec("COMMIT");
    database.exec("INSERT INTO t VALUES (1)");
    database.close();
    removeOtherReleases(folder, ["notes-v2"], LATER);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is removed with its side files, damaged or not, and only when it is old", () => {
    for (const ending of ["", "-wal", "-shm"]) writeFileSync(OLD + ending, "no database at all".repeat(100));
    removeOtherReleases(folder, ["notes-v2"]);
    expect(readdirSync(folder)).toHaveLength(3);
    utimesSync(OLD, 0, 0);
    removeOtherReleases(folder, ["notes-v2"]);
    expect(readdirSync(folder)).toHaveLength(3);
    removeOtherReleases(folder, ["notes-v1"], LATER);
    expect(readdirSync(folder)).toHaveLength(3);
    removeOtherReleases(folder, ["notes-v2"], LATER);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not searched if there is no cache", () => {
    expect(() => removeOtherReleases(join(folder, "none"), [])).not.toThrow();
  });
});
