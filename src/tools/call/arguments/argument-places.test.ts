import { describe, expect, it } from "vitest";
import { ADDS, CHANGES, READS } from "../../definition/effects.ts";
import { placeHint } from "./argument-places.ts";

const CREATE = { name: "contentManager_createContent", effects: ADDS };
const EDIT = { name: "contentManager_replaceContent", effects: CHANGES };
const READ = { name: "contentManager_readContent", effects: READS };
const VALUES = { filePath: "x" };
const everything = () => true;

describe("the hint about an argument that names a folder", () => {
  it("moves what was made elsewhere", () => {
    expect(
      placeHint("parent_folder", "./A/B/", { tool: CREATE, values: VALUES, place: "x.md", offers: everything }),
    ).toBe('It is at x.md, not in A/B. To put it there: vaultManager_moveNote {"path":"x.md","newPath":"A/B/x.md"}');
  });

  it("moves it in the vault that it was made in", () => {
    const made = { tool: CREATE, values: { ...VALUES, vault: "Work" }, place: "x.md", offers: everything };
    expect(placeHint("folder", "A", made)).toContain('{"path":"x.md","newPath":"A/x.md","vault":"Work"}');
  });

  it("says to undo, if it cannot be moved or was there before", () => {
    const again = 'This changed x.md, nothing in A. If A/x.md was meant, undo this, then send filePath "A/x.md".';
    const made = { values: VALUES, place: "x.md" };
    expect(placeHint("folder", "A", { ...made, tool: CREATE, offers: () => false })).toBe(again);
    expect(placeHint("folder", "A", { ...made, tool: EDIT, offers: everything })).toBe(again);
  });

  it.each([
    [READ, "x.md"],
    [EDIT, undefined],
  ])("says what to send, if nothing was written", (tool, place) => {
    const name = place ?? "x";
    expect(placeHint("dir", "A", { tool, values: VALUES, place, offers: everything })).toBe(
      `The folder belongs to the path: send filePath "A/${name}".`,
    );
  });

  it.each([
    ["folder", "a", "A/x.md"],
    ["folder", "/", "x.md"],
    ["folder", ".", "x.md"],
    ["folder", 7, "x.md"],
    ["folder", "f".repeat(201), "x.md"],
    ["colour", "A", "x.md"],
    ["folder", "A", "daily:today"],
  ])("is not given for %s: %j and a note at %s", (name, value, place) => {
    expect(placeHint(name, value, { tool: CREATE, values: VALUES, place, offers: everything })).toBeUndefined();
  });
});
