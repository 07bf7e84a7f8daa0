// The address of a store: what it says, what it leaves to variables, and that
// nothing about it is repeated in an error.
import { describe, expect, it } from "vitest";
import { parseStoreAddress } from "./address.ts";

const parse = (text: string, environment = {}) => parseStoreAddress(text, environment);

describe("the address of a store", () => {
  it("names host, port, database, login and password, each of them escaped", () => {
    expect(parse("postgres://al%40ice:p%3Aa%2Fss@db.example:5433/team%20notes")).toEqual({
      host: "db.example",
      port: 5433,
      database: "team notes",
      login: "al@ice",
      password: "p:a/ss",
      encryption: "verified",
      shown: "postgres://al@ice@db.example:5433/team notes",
    });
    expect(parse("postgresql://me@[::1]/x")).toMatchObject({ host: "::1", port: 5432, encryption: "none" });
    expect(parse("postgres://me@%2Frun%2Fpostgresql/x")).toMatchObject({
      host: "/run/postgresql",
      encryption: "none",
    });
  });

  it("leaves what it does not say to the variables of PostgreSQL", () => {
    const environment = { PGHOST: "h", PGPORT: "1", PGUSER: "u", PGDATABASE: "d", PGSSLMODE: "require" };
    expect(parse("postgres://", environment)).toMatchObject({
      host: "h",
      port: 1,
      login: "u",
      database: "d",
      encryption: "unverified",
      password: undefined,
    });
  });

  it("encrypts and verifies every connection that leaves the machine, unless it says otherwise", () => {
    expect(parse("postgres://me@db.example/x").encryption).toBe("verified");
    expect(parse("postgres://me@127.0.0.1/x").encryption).toBe("none");
    expect(parse("postgres://me@127.0.0.1/x?sslmode=verify-full").encryption).toBe("verified");
    expect(parse("postgres://me@db.example/x?sslmode=disable").encryption).toBe("none");
  });

  it.each([
    ["mysql://me:hunter2@db/x"],
    ["hunter2"],
    ["postgres://me:hunter2@db/x?sslmode=hunter2"],
    ["postgres://me:hunter2@db/x?password=hunter2"],
    ["postgres://me:hunter2%zz@db/x"],
    ["postgres:me:hunter2@db/x"],
    ["postgres:/me:hunter2@db/x"],
    ["postgres://me@db/x#hunter2"],
  ])("is refused without being repeated: %s", (address) => {
    expect(() => parse(address)).toThrow(/store|sslmode/);
    expect(() => parse(address)).not.toThrow("hunter2");
  });

  it.each([
    ["postgres://me:p@ss/hunter2@127.0.0.1:5997/x"],
    ["postgres://me:p/hunter2@db/x"],
    ["postgres://me:12/hunter2@db/x"],
    ["postgres://me:p?hunter2@db/x"],
    ["postgres://me:12?sslmode=disable&hunter2@db/x"],
    ["postgres://me:p#hunter2@db/x"],
    ["postgres://me:12#hunter2@db/x"],
    ["postgres://me:p:@/hunter2@db/x"],
    ["POSTGRESQL://me:@@/hunter2\n@db"],
    [" postgres://me:12/hunter2@db/x"],
  ])("is refused if a character of its password has to be escaped, which it says: %s", (address) => {
    expect(() => parse(address)).toThrow("has a password that is not escaped");
    expect(() => parse(address)).not.toThrow("hunter2");
  });

  it("takes an @ and a : in a password as they are, which end nothing", () => {
    expect(parse("postgres://me:p@s:s@db.example/x")).toMatchObject({
      password: "p@s:s",
      shown: "postgres://me@db.example/x",
    });
  });
});
