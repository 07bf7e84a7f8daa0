// Names of spaces, members and tokens.
import { describe, expect, it } from "vitest";
import { checkDistinct, checkName, isName } from "./names.ts";

describe("a name in a store", () => {
  it.each(["team", "Équipe 2", "anna@example.com", "auth0|12", "a.b", "日本", "x".repeat(60)])("can be %s", (name) => {
    for (const of of ["space", "member", "token"] as const) expect(isName(name, of)).toBe(true);
  });

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "a\\b",
    " team",
    "team ",
    "te\nam",
    "te\u2028am",
    "te\u200bam",
    "te\u202eam",
    "\ufeffteam",
    "te\u001b[31mam",
    "te\u0000am",
    "te\ud800am",
    "x".repeat(10_000),
  ])("cannot be %j", (name) => {
    for (const of of ["space", "member", "token"] as const)
      expect(() => checkName(name, of)).toThrow(`cannot be the name of a ${of}.`);
    expect(() => checkName(name, "space")).toThrow(/^.{0,90}$/su);
  });

  it("is not another one's in another case, or with other bytes", () => {
    expect(() => checkDistinct("TEAM", "space", ["team"])).toThrow("There is a space team already");
    expect(() => checkDistinct("Ame\u0301lie", "member", ["am\u00e9lie"])).toThrow("already");
    expect(() => checkDistinct("team", "space", ["Team", "team", "teams"])).not.toThrow();
  });
});
