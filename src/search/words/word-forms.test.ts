import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FUNCTION_WORDS } from "./function-words.ts";
import { isStopWord, stemsOf } from "./word-forms.ts";

describe("stop words", () => {
  it("are those of several languages, folded, and no words that one looks for", () => {
    for (const word of [
      "the",
      "und",
      "avec",
      "para",
      "della",
      "niet",
      "nao",
      "nicht",
      "है",
      "кто",
      "icin",
      "الذي",
      "什么",
    ])
      expect(isStopWord(word)).toBe(true);
    for (const word of ["note", "", "whale", "war", "die", "todo", "os", "men", "pro", "dan", "ai"])
      expect(isStopWord(word)).toBe(false);
  });
});

describe("the table of function words", () => {
  it("has thirty languages, each with words of its own", () => {
    const tables = Object.entries(FUNCTION_WORDS);
    expect(tables.length).toBeGreaterThanOrEqual(30);
    for (const [language, words] of tables)
      expect(words.split(/\s+/).filter(Boolean).length, language).toBeGreaterThan(10);
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
      ["الملك", "ملك"],
      ["مدينة", "المدينة"],
      ["והספר", "ספרים"],
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
