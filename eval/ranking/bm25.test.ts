import { describe, expect, it } from "vitest";
import { indexOf } from "./bm25.ts";
import { stemOf, wordsIn } from "./words.ts";

describe("the words of a text", () => {
  it("are the parts of names, in small letters, without the commonest words", () => {
    expect(wordsIn("vaultManager_moveNote")).toEqual(["vault", "manager", "mov", "not"]);
    expect(wordsIn("Which of THE rows, e.g. 250 g?")).toEqual(["row", "250"]);
  });

  it.each([
    ["moves", "moved", "moving", "move"],
    ["notes", "note"],
    ["entries", "entry"],
    ["matches", "matched", "match"],
    ["tagged", "tags", "tag"],
    ["added", "adding", "add"],
    ["changes", "changed", "change"],
  ])("%s has the stem of %s", (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  it.each(["status", "address", "string", "thing", "used", "red", "need", "bus"])("%s stays as it is", (word) => {
    expect(stemOf(word)).toBe(word);
  });
});

describe("a search by BM25", () => {
  const search = (documents: Record<string, string>, query: string) =>
    indexOf(new Map(Object.entries(documents)))
      .search(query)
      .map(({ name }) => name);

  it("prefers a rare word to a common one", () => {
    expect(search({ a: "note folder", b: "note outline", c: "note text" }, "outline note")).toEqual(["b", "a", "c"]);
  });

  it("prefers a short text that has the word as often", () => {
    expect(search({ a: "undo many other words of a longer text", b: "undo change" }, "undo")).toEqual(["b", "a"]);
  });

  it("leaves out what has none of the words", () => {
    expect(search({ a: "note", b: "row" }, "rows")).toEqual(["b"]);
    expect(search({ a: "note" }, "which of these")).toEqual([]);
  });

  it("gives the scores of the formula", () => {
    const [found] = indexOf(
      new Map([
        ["a", "note note row"],
        ["b", "row"],
      ]),
    ).search("note");
    // ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    expect(found?.score).toBeCloseTo((Math.log(2) * 4.4) / 3.65, 10);
  });
});
