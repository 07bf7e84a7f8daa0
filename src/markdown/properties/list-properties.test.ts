import { describe, expect, it } from "vitest";
import { newValues, type PropertyChange } from "./list-properties.ts";

const NOTHING = { set: {}, unset: [], dropped: {} };

describe("a change of properties", () => {
  it.each<[string, Record<string, unknown>, PropertyChange, Record<string, unknown>]>([
    ["a tag beside others", { tags: ["a", "b"] }, { add: { tags: ["c"] } }, { tags: ["a", "b", "c"] }],
    ["a tag as a word with its mark", { tags: ["a"] }, { add: { tags: "#c" } }, { tags: ["a", "c"] }],
    ["several tags in one text", { tags: "a, b" }, { add: { tags: "c d" } }, { tags: ["a", "b", "c", "d"] }],
    [
      "tags that are there in another case",
      { tags: ["Work"] },
      { add: { tags: ["#work", "x"] } },
      { tags: ["Work", "x"] },
    ],
    ["a tag to a note without any", {}, { add: { tags: "a" } }, { tags: ["a"] }],
    ["an empty property", { tags: null }, { add: { tags: "a" } }, { tags: ["a"] }],
    ["an alias with blanks", { aliases: "One" }, { add: { alias: "Two three" } }, { aliases: ["One", "Two three"] }],
    ["a value to a single one", { author: "Ann" }, { add: { author: "Bo" } }, { author: ["Ann", "Bo"] }],
    ["numbers", { years: [1, 2] }, { add: { years: [2, 3] } }, { years: [1, 2, 3] }],
    ["one twice", { tags: [] }, { add: { tags: ["x", "x", "#X"] } }, { tags: ["x"] }],
    ["'tag' where there is only that", { tag: ["a"] }, { add: { tag: "b" } }, { tag: ["a", "b"] }],
    ["'tag' where there are both", { tag: ["a"], tags: ["b"] }, { add: { tag: "c" } }, { tags: ["b", "c"] }],
    ["some while others go", { tags: ["a", "b"] }, { add: { tags: "c" }, remove: { tags: "a" } }, { tags: ["b", "c"] }],
  ])("adds %s", (_, own, change, set) => {
    expect(newValues(own, change)).toEqual({ ...NOTHING, set });
  });

  it.each<[string, Record<string, unknown>, PropertyChange, Record<string, unknown>]>([
    ["a tag", { tags: ["a", "b"] }, { remove: { tags: "#A" } }, { tags: ["b"] }],
    ["the last one", { tags: ["a"] }, { remove: { tags: ["a"] } }, { tags: [] }],
    ["one of several in a text", { tags: "a, b, c" }, { remove: { tag: ["a", "c"] } }, { tags: ["b"] }],
    [
      "one of equal texts in another case only if it is the same",
      { authors: ["ann", "Ann"] },
      { remove: { authors: "Ann" } },
      { authors: ["ann"] },
    ],
  ])("removes %s", (_, own, change, set) => {
    expect(newValues(own, change)).toEqual({ ...NOTHING, set });
  });

  it.each<[Record<string, unknown>, PropertyChange]>([
    [{ tags: ["a"] }, { add: { tags: "a" } }],
    [{ tags: "a, b" }, { add: { tags: "b" }, remove: { tags: "c" } }],
    [{ tags: "a b" }, { remove: { tags: "c" } }],
    [{}, { remove: { tags: "c", authors: ["x"] } }],
  ])("leaves %j as it is if %j changes nothing", (own, change) => {
    expect(newValues(own, change)).toEqual(NOTHING);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    [{ tags: ["a", "b"] }, { tags: ["urgent"] }, { tags: ["a", "b"] }],
    [{ tags: ["a", "b"] }, { tags: ["b", "#A"] }, {}],
    [{ tags: "a b" }, { tag: "c" }, { tags: ["a", "b"] }],
    [{ aliases: ["One"] }, { alias: "Two" }, { aliases: ["One"] }],
    [{ authors: ["Ann", "Bo"] }, { authors: "Ann" }, { authors: ["Bo"] }],
    [{ authors: ["Ann"] }, { authors: null }, { authors: ["Ann"] }],
    [{ status: "open" }, { status: "done" }, {}],
    [{ tags: [] }, { tags: ["x"] }, {}],
    [{ tags: null }, { tags: ["x"] }, {}],
  ])("of %j names what it drops by setting %j", (own, set, dropped) => {
    expect(newValues(own, { set }).dropped).toEqual(dropped);
  });

  it.each<[PropertyChange, string]>([
    [{ set: { tags: "a" }, add: { tags: "b" } }, "set.tags and add.tags are the same property"],
    [{ set: { tags: "a", tag: "b" } }, "set.tags and set.tag are the same property"],
    [{ add: { tags: "a" }, unset: ["tag"] }, "add.tags and unset.tag are the same property"],
    [{ set: { x: 1 }, unset: ["x"] }, "set.x and unset.x are the same property"],
    [{ add: { place: "x" } }, '"place" is not a list.'],
    [{ add: { tags: "2026" } }, "cannot be a tag"],
  ])("refuses %j", (change, message) => {
    expect(() => newValues({ place: { lat: 1 } }, change)).toThrow(message);
  });
});
