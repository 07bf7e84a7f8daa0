// Every code that the system or SQLite can answer with has a sentence.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { Problem } from "../kernel/problem.ts";
import { openReadOnly } from "./open.ts";
import { unforeseenProblem } from "./unforeseen.ts";

const folder = mkdtempSync(join(tmpdir(), "commonplace-unforeseen-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}

describe("an error that no other code has handled", () => {
  it.each(Object.keys(constants.errno))("has a sentence for the system error %s", (code) => {
    const error = Object.assign(new Error(`${code}: refused, open '/secret/place'`), { code, syscall: "open" });
    const problem = unforeseenProblem(error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem!.message).toMatch(/^[A-Z].*\.$/);
    expect(`${problem!.message} ${problem!.hint}`).not.toContain("/secret");
  });

  it("has a sentence if a database is read-only, not one, missing or locked", () => {
    const path = join(folder, "a.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE t (a)");
    const other = openReadOnly(path, "read-only", 0);
    const readOnly = failureOf(() => other.exec("INSERT INTO t VALUES (1)"));
    database.exec("BEGIN EXCLUSIVE");
    const locked = failureOf(() => other.exec("SELECT * FROM t"));
    database.exec("ROLLBACK");
    database.close();
    other.close();
    writeFileSync(path, "no database, but long enough to be looked at as one".repeat(20));
    const damaged = failureOf(() => openReadOnly(path, "read-only", 0).exec("SELECT * FROM t"));
    const missing = failureOf(() => openReadOnly(join(folder, "none", "b.db"), "read-only", 0));
    expect([readOnly, locked, damaged, missing].map((error) => unforeseenProblem(error)?.message)).toEqual([
      "A database in the data or cache folder cannot be used.",
      "Another process keeps a database of this program busy.",
      "A database of this program is damaged.",
      "A database in the data or cache folder cannot be used.",
    ]);
  });

  it("has a sentence if something is nested too deeply or too long", () => {
    const deep = (level: number): number => deep(level + 1) + 1;
    expect(unforeseenProblem(failureOf(() => deep(0)))?.message).toContain("nested too deeply");
    expect(unforeseenProblem(failureOf(() => "x".repeat(2 ** 29).repeat(2)))?.message).toContain("too large");
  });

  it("is a bug of this program otherwise", () => {
    expect(unforeseenProblem(new TypeError("x is not a function"))).toBeUndefined();
    const database = new DatabaseSync(":memory:");
    expect(unforeseenProblem(failureOf(() => database.exec("SELECT * FROM nothing")))).toBeUndefined();
    database.close();
  });
});
