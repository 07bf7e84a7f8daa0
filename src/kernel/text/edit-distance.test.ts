import { describe, expect, it } from "vitest";
import { editDistance, forgivenErrors } from "./edit-distance.ts";

describe("the distance of two words", () => {
  it.each([
    ["note", "note", 0],
    ["note", "ntoe", 1],
    ["note", "not", 1],
    ["note", "notes", 1],
    ["note", "nota", 1],
    ["espresso", "expreso", 2],
  ])("of %s and %s is %i", (a, b, distance) => expect(editDistance(a, b, 2)).toBe(distance));

  it("is not counted beyond the limit", () => {
    expect(editDistance("note", "something", 1)).toBe(2);
    expect(editDistance("abcdef", "fedcba", 2)).toBe(3);
  });

  it("is forgiven in long words only, and never in numbers", () => {
    expect(["the", "note", "markdown", "espressos", "2026"].map(forgivenErrors)).toEqual([0, 1, 1, 2, 0]);
  });
});
