import { describe, expect, it } from "vitest";
import { hintForUnfound, unfoundInAll, unfoundWords } from "./unfound-words.ts";
import { symbolsOf } from "./words/terms.ts";

describe("words that no text has", () => {
  it("are named as they were typed, once, and whole", () => {
    expect(unfoundWords("Codex or codex in the Garden?", ["codex"])).toEqual(["Codex"]);
    expect(unfoundWords('"STRASSE ohne Ende" Straße', ["strasse"])).toEqual(["STRASSE"]);
    expect(unfoundWords("C++ 🦄 會議室", ["cplusplus", ...symbolsOf("🦄"), "會議", "議室"])).toEqual([
      "C++",
      "會議室",
      "🦄",
    ]);
    // A part of it is there.
    expect(unfoundWords("會議室", ["議室"])).toEqual([]);
    expect(unfoundWords("garden", [])).toEqual([]);
  });

  it("cost few tokens, however many and long they are", () => {
    const words = Array.from({ length: 60 }, (_, i) => `unknown${i}`);
    expect(unfoundWords(words.join(" "), words)).toEqual(words.slice(0, 8));
    const long = "x".repeat(900);
    expect(unfoundWords(long, [long])[0]!.length).toBeLessThan(50);
    expect(hintForUnfound(["a", "b"])).toBe("No text has: a, b.");
    expect(hintForUnfound([])).toBeUndefined();
  });

  it("are those that every place that was searched is without", () => {
    expect(unfoundInAll([["a", "b"], undefined, ["b", "c"]])).toEqual(["b"]);
    expect(unfoundInAll([["a"], []])).toEqual([]);
    expect(unfoundInAll([undefined])).toBeUndefined();
  });
});
