import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMigrated, migrate } from "./migrations.ts";

let database: DatabaseSync;
beforeEach(() => (database = new DatabaseSync(":memory:")));
afterEach(() => database.close());

const first = "CREATE TABLE t (a)";
const second = "ALTER TABLE t ADD COLUMN b DEFAULT 2";
const schemaOf = (...versions: string[]) => ({ name: "the test database", versions });

describe("a schema", () => {
  it("is created, and upgraded from the version that is there", () => {
    migrate(database, schemaOf(first));
    database.exec("INSERT INTO t VALUES (1)");
    expect(isMigrated(database, schemaOf(first, second))).toBe(false);
    migrate(database, schemaOf(first, second));
    migrate(database, schemaOf(first, second));
    expect(isMigrated(database, schemaOf(first, second))).toBe(true);
    expect({ ...database.prepare("SELECT * FROM t").get() }).toEqual({ a: 1, b: 2 });
  });

  it("stays at its version when an upgrade fails", () => {
    migrate(database, schemaOf(first));
    expect(() => migrate(database, schemaOf(first, `${second}; nonsense`))).toThrow("syntax error");
    expect(isMigrated(database, schemaOf(first))).toBe(true);
    expect(database.prepare("SELECT name FROM pragma_table_info('t')").all()).toHaveLength(1);
  });

  it("of a newer release is refused", () => {
    migrate(database, schemaOf(first, second));
    expect(() => migrate(database, schemaOf(first))).toThrow(
      "A newer release of this program has written the test database.",
    );
  });
});
