// The setting that names a shared store keeps its password to itself.
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { readSettings } from "../settings.ts";
import { flagsOf } from "../setup/hosts/setting-flags.ts";

const ADDRESS = "postgres://me:hunter2@db.example/notes?sslmode=require";
const HOME = { COMMONPLACE_HOME: "/nowhere" };

describe("the setting of a shared store", () => {
  it("is not there by default", () => {
    expect(readSettings({}, HOME, "/").store).toBeUndefined();
  });

  it("shows no password, however it is printed, and gives the address to what connects", () => {
    const settings = readSettings({}, { ...HOME, COMMONPLACE_STORE: ADDRESS }, "/");
    expect(settings.store!.reveal()).toBe(ADDRESS);
    expect(settings.store!.shown).toBe("postgres://me@db.example/notes?sslmode=require");
    for (const shown of [
      JSON.stringify(settings),
      inspect(settings, { depth: 9, showHidden: true }),
      `${settings.store}`,
    ])
      expect(shown).not.toContain("hunter2");
  });

  it("is passed on to hosts and schedules without its password", () => {
    const settings = readSettings({}, { ...HOME, COMMONPLACE_STORE: ADDRESS }, "/");
    expect(flagsOf(settings).slice(-2)).toEqual(["--store", "postgres://me@db.example/notes?sslmode=require"]);
  });

  it.each(["p@ss/hunter2", "12/hunter2", "12?hunter2", "12#hunter2", "p:s/hunter2", "x@y?password=hunter2"])(
    "is refused from everywhere if its password is not escaped, without being repeated: %s",
    (password) => {
      const address = `postgres://me:${password}@127.0.0.1:5997/notes`;
      for (const read of [
        () => readSettings({}, { ...HOME, COMMONPLACE_STORE: address }, "/"),
        () => readSettings({ store: address }, HOME, "/"),
      ]) {
        expect(read).toThrow("has a password that is not escaped");
        expect(read).not.toThrow("hunter2");
      }
    },
  );

  it("is refused with an option that nobody knows, which may be a password", () => {
    const read = () =>
      readSettings({}, { ...HOME, COMMONPLACE_STORE: "postgres://me@db.example/notes?password=hunter2" }, "/");
    expect(read).toThrow("COMMONPLACE_STORE has an unknown option.");
    expect(read).not.toThrow("hunter2");
  });

  it("is refused as a flag with a password, which everybody on the machine could read, and if it is no address", () => {
    const read = (store: string) => () => readSettings({ store }, HOME, "/");
    expect(read(ADDRESS)).toThrow("--store must not contain a password");
    expect(read(ADDRESS)).not.toThrow("hunter2");
    expect(read("hunter2")).toThrow("--store must have the form postgres://LOGIN@HOST/DATABASE.");
    expect(read("postgres://me@db/x")().store!.shown).toBe("postgres://me@db/x");
  });
});
