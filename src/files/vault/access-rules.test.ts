// Paths that the patterns of --hide and --protect match.
import { describe, expect, it } from "vitest";
import { accessRules, matcherOf } from "./access-rules.ts";

describe("a pattern", () => {
  it.each([
    ["Private", "Private", true],
    ["Private", "Private/a/b.md", true],
    ["Private", "Work/Private/a.md", true],
    ["Private", "Privates/a.md", false],
    ["Private", "private.md", false],
    ["Private/", "Private", true],
    ["Private/", "Private/", true],
    ["Private/", "/Private/a.md", true],
    ["Private/", "Work/Private/a.md", true],
    ["/Private", "Work/Private/a.md", false],
    ["/Private/", "Private/a.md", true],
    ["Private/**", "Private", true],
    ["Private/**", "Private/a/b.md", true],
    ["Private/**", "Work/Private/a.md", false],
    ["**/Private/**", "Work/Private/a.md", true],
    ["**/Private/**", "Private", true],
    ["Private/*", "Private", false],
    ["Private/*", "Private/a/b.md", true],
    ["*.secret.md", "a/b.secret.md", true],
    ["*.secret.md", "a/b.md", false],
    ["a/b", "a/b/c.md", true],
    ["a/b", "x/a/b/c.md", false],
    ["Jour?al/", "Journal/x.md", true],
    ["[ab].md", "b.md", true],
    ["#Inbox", "#Inbox/x.md", true],
    ["Inbox ", "Inbox ", true],
    ["PRIVATE/", "private/x.md", true],
    ["straße/", "STRASSE/x.md", true],
    ["Caf\u00e9/", "Cafe\u0301/x.md", true],
    ["Cafe\u0301/", "CAF\u00c9/x.md", true],
    ["**", "x.md", true],
    ["*", "", false],
    ["*", ".trash/x.md", false],
  ])("%j on %j: %s", (pattern, path, expected) => {
    expect(matcherOf([pattern])(path)).toBe(expected);
  });

  it("takes back an earlier one with !, unless a whole folder is matched", () => {
    const isHidden = matcherOf(["Journal/*", "!Journal/Public.md"]);
    expect([isHidden("Journal/a.md"), isHidden("journal/public.md")]).toEqual([true, false]);
    expect(matcherOf(["Journal/", "!Journal/Public.md"])("Journal/Public.md")).toBe(true);
  });
});

it("has no rules where nothing is given, and all is protected in a read-only vault", () => {
  expect(accessRules({})).toMatchObject({ hides: false, protects: false, hiddenKey: "", readOnly: undefined });
  const rules = accessRules({ hide: ["a"], readOnly: { vault: "Work", by: "settings" } });
  expect([rules.isProtected("x.md"), rules.isHidden("a/x.md"), rules.isHidden("x.md")]).toEqual([true, true, false]);
});
