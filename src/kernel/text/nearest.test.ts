import { describe, expect, it } from "vitest";
import { nearest, nearestFirst } from "./nearest.ts";

describe("the nearest name", () => {
  it.each([
    ["serv", "serve"],
    ["vualt", "vault"],
    ["DOCTOR", "doctor"],
    ["conect", "connect"],
    ["xyz", undefined],
    ["", undefined],
  ])("of %j is %j", (word, name) => {
    expect(nearest(word, ["serve", "vault", "doctor", "connect"])).toBe(name);
  });
});

describe("names, the nearest first", () => {
  it.each([
    ["Meating", ["Work/Meeting Template", "Meals", "Book Template"]],
    ["meals.md", ["Meals", "Work/Meeting Template", "Book Template"]],
    ["Book Tmplate", ["Book Template", "Work/Meeting Template", "Meals"]],
  ])("to %j", (word, sorted) => {
    expect(nearestFirst(word, ["Book Template", "Meals", "Work/Meeting Template"])).toEqual(sorted);
  });
});
