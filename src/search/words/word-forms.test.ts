import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStopWord, stemsOf } from "./word-forms.ts";

describe("stop words", () => {
  it("are those of several languages, folded, and no words that one looks for", () => {
    for (const word of ["the", "und", "avec", "para", "della", "niet", "nao", "nicht"])
      expect(isStopWord(word)).toBe(true);
    for (const word of ["note", "", "whale", "war", "die", "todo", "os"]) expect(isStopWord(word)).toBe(false);
  });
});

describe("other forms of a word", () => {
  it("lead from each form to the others", () => {
    for (const [word, form] of [
      ["notes", "note"],
      ["note", "notes"],
      ["running", "runs"],
      ["planned", "plan"],
      ["stories", "story"],
      ["story", "stories"],
      ["boxes", "box"],
      ["making", "make"],
      ["quickly", "quick"],
      ["happily", "happy"],
      ["watch", "watched"],
    ] as const) {
      expect(stemsOf(word), word).toContain(form);
    }
  });

  it("do not exist for short words, other scripts and words that only look like a form", () => {
    for (const word of ["cat", "straße", "東京", "news", "evening", "v123"]) expect(stemsOf(word)).toEqual([]);
    expect(stemsOf("business")).not.toContain("busines");
    expect(stemsOf("string")).not.toContain("str");
    expect(stemsOf("noting")).not.toContain("not");
  });

  it("never are the word itself, nor many", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}(?:s|es|ed|ing|ly|ies)?$/), (word) => {
        expect(stemsOf(word)).not.toContain(word);
        expect(stemsOf(word).length).toBeLessThan(16);
      }),
    );
  });
});
