import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { foldForSearch, foldWithOffsets } from "./folding.ts";
import { indexedTerms, indexText, isPaired, spellingOf, symbolsOf, termsOf } from "./terms.ts";

/** The terms that the tokenizer makes of what the index is given. */
function indexed(text: string): string[] {
  return indexText(text).match(/[\p{L}\p{N}\p{Co}][\p{L}\p{M}\p{N}\p{Co}]*/gu) ?? [];
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc
    .array(
      fc.constantFrom(
        "é",
        "e\u0301",
        "ß",
        "İ",
        "Σ",
        "ｶﾞ",
        "か\u3099",
        "ㄱㅏ",
        "각",
        "½",
        "東京",
        "กิน",
        "हिन्दी",
        "C++",
        "aB-c",
        " ",
        "\u{E0100}",
      ),
    )
    .map((parts) => parts.join("")),
);

describe("folding", () => {
  it("unifies the spellings of a letter", () => {
    expect(foldForSearch("Straße STRASSE Ｆｕｌｌ Œuvre Łódź Ångström")).toBe(
      "strasse strasse full oeuvre lodz angstrom",
    );
    expect(foldForSearch("İstanbul ISTANBUL ışık")).toBe("istanbul istanbul isik");
    expect(foldForSearch("ΟΔΟΣ οδός")).toBe("οδοσ οδοσ");
    expect(foldForSearch("e\u0301\u0300 é ﬁn m² ёж")).toBe("e e fin m2 еж");
  });

  it("unifies the spellings of quotes and dashes", () => {
    expect(foldForSearch("“it’s” – «so»—")).toBe('"it\'s" - "so"-');
  });

  it("drops what cannot be seen and the vowel points, but keeps the signs that make another word", () => {
    expect(foldForSearch("hy\u00ADphen שָׁלוֹם كِتَاب")).toBe("hyphen שלום كتاب");
    expect(foldForSearch("हिन्दी กิน がか")).toBe("हिन्दी กิน がか");
    expect(foldForSearch("か\u3099 ｶﾞ \u1112\u1161\u11ab")).toBe("が ガ 한");
  });

  it("changes nothing the second time, for any character and any text", () => {
    for (let code = 0; code < 0x30000; code++) {
      const once = foldForSearch(`a${String.fromCodePoint(code)}b`);
      if (foldForSearch(once) !== once) expect.fail(`U+${code.toString(16)}`);
    }
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("maps each character back to its offset in the original", () => {
    const { folded, sourceAt } = foldWithOffsets("Die Straße, e\u0301tage ½ x");
    const place = (word: string): [number, number] => [folded.indexOf(word), folded.indexOf(word) + word.length];
    const source = (word: string): string =>
      "Die Straße, e\u0301tage ½ x".slice(...(place(word).map(sourceAt) as [number, number]));
    expect(source("strasse")).toBe("Straße");
    expect(source("etage")).toBe("e\u0301tage");
    expect(source("1/2")).toBe("½");
    expect(source("x")).toBe("x");
  });

  it("never maps outside the text, nor backwards", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { folded, sourceAt } = foldWithOffsets(text);
        expect(folded).toBe(foldForSearch(text));
        let last = 0;
        for (let at = 0; at <= folded.length; at++) {
          expect(sourceAt(at)).toBeGreaterThanOrEqual(last);
          last = sourceAt(at);
        }
        expect(last).toBe(text.length);
      }),
    );
  });
});

describe("the terms of a text", () => {
  it("are its folded words, in order", () => {
    expect(termsOf("Café au lait, s’il vous plaît!")).toEqual(["cafe", "au", "lait", "s", "il", "vous", "plait"]);
    expect(termsOf("node.js user@host 2026-11-15")).toEqual(["node", "js", "user", "host", "2026", "11", "15"]);
    expect(termsOf("")).toEqual([]);
    expect(termsOf("🎉 -- …")).toEqual([]);
  });

  it("are pairs of characters for scripts without spaces, separate from the words beside them", () => {
    expect(termsOf("東京都")).toEqual(["東京", "京都"]);
    expect(termsOf("iPhone手机2024年")).toEqual(["iphone", "手机", "2024", "年"]);
    expect(termsOf("コーヒー")).toEqual(["コー", "ーヒ", "ヒー"]);
    expect(termsOf("한국어 물")).toEqual(["한국", "국어", "물"]);
    expect(termsOf("𠮷野家")).toEqual(["𠮷野", "野家"]);
    expect(isPaired("東京")).toBe(true);
    expect(isPaired("tokyo")).toBe(false);
  });

  it("keep the names of languages that are more than a letter", () => {
    expect(termsOf("C++, C# and F#")).toEqual(["cplusplus", "csharp", "and", "fsharp"]);
    expect(termsOf("c++11 i++ #c")).toEqual(["c", "11", "i", "c"]);
  });

  it("are all in the index of the same text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = new Set(indexed(text));
        for (const term of termsOf(text)) expect(terms).toContain(term);
      }),
    );
  });

  it("of any part of a word without spaces are in the index of the word", () => {
    const terms = indexed("吾輩は猫である");
    for (const part of ["吾", "猫", "る", "輩は", "猫である"])
      expect(terms).toEqual(expect.arrayContaining(termsOf(part)));
  });
});

describe("a symbol", () => {
  const symbolsFrom = (text: string) => symbolsOf(text).map(spellingOf);

  it("is a term of its own, the same with a skin tone or as an emoji, and a flag is one", () => {
    expect(symbolsFrom("done✅ 👍🏽 ❤️ ★ → 5 € 100°, C++ and 🇩🇪🇫🇷")).toEqual([
      "✅",
      "👍",
      "❤",
      "★",
      "→",
      "€",
      "°",
      "🇩🇪",
      "🇫🇷",
    ]);
    expect(symbolsOf("❤️ 👍")).toEqual(symbolsOf("❤ 👍🏿"));
    expect(symbolsOf("a–b — “c” … • ├── █▒ ⠋ \uFFFD $ + = 東京 é ①")).toEqual([]);
  });

  it("is written as it is, whichever it is", () => {
    for (let code = 0x80; code < 0x20000; code++) {
      const folded = foldForSearch(String.fromCodePoint(code));
      for (const term of symbolsOf(folded)) expect(folded).toContain(spellingOf(term));
    }
  });

  it("is added once after the text, so that the words around it stay next to each other", () => {
    expect(indexText("⭐ input → output ⭐")).toMatch(/^⭐ input → output ⭐\n\S+ \S+$/);
    expect(indexed("⭐ input → output ⭐")).toEqual(["input", "output", ...symbolsOf("⭐→")]);
  });
});

describe("the index of a text", () => {
  it("keeps the words in order, so that a phrase is found in any case", () => {
    expect(indexText("On GitHub Actions")).toMatch(/^on github actions\n/);
  });

  it("has the parts of camelCase besides the whole, but for single letters and encoded data", () => {
    expect(indexed("parseHTMLNote")).toEqual(["parsehtmlnote", "parse", "html", "note"]);
    expect(indexed("iPhone utf8Text")).toEqual(["iphone", "utf8text", "phone", "utf8", "text"]);
    expect(indexed("aB".repeat(40))).toHaveLength(1);
  });

  it("has two words with a hyphen or underscore as one word too", () => {
    expect(indexed("e-mail user_name")).toEqual(["e", "mail", "user", "name", "email", "username"]);
    expect(indexed("state-of-the-art 2026-11")).toEqual(["state", "of", "the", "art", "2026", "11"]);
  });

  it("is only the folded text if there is no such word", () => {
    expect(indexText("Plain words, here.")).toBe("plain words, here.");
  });

  const pieces = ["a", "aB", "a-", "a_b", "é", "ㄱ", "東", "c#", "\u0301"];
  it.each(pieces)("is made in linear time, of one long word too: %j", (piece) => {
    expectLinearTimeForText(piece, indexText);
  });

  it.each(["ㄱ", "東", "\u0301"])("is made of millions of %j", (piece) => {
    expect(() => indexText(piece.repeat(8_000_000))).not.toThrow();
  });

  it("has every pair of a run of any length", () => {
    const run = Array.from({ length: 5_001 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    for (const length of [1, 2, 998, 999, 1_000, 1_001, 1_998, 1_999, 5_001]) {
      const text = run.slice(0, length);
      const pairs = Array.from({ length: length - 1 }, (_, index) => text.slice(index, index + 2));
      expect(termsOf(text)).toEqual(length === 1 ? [text] : pairs);
    }
  });
});

// Indexes that exist were made with these words, and queries would no longer find others. A change of how words are
// made changes SCHEMA (documents/index-tables.ts), and adds a version of the tables of conversations; only then this test.
it("makes the words that the indexes of this version have", () => {
  expect(
    indexedTerms(
      "Größe İstanbul naïve Σίσυφος e-mail user_name camelCaseWords C++ C# don't ﬁne ＡＢＣ 3.14 東京タワー 서울에서 กินข้าว हिन्दी ⭐ →",
    ).join(" "),
  ).toBe(
    "grosse istanbul naive σισυφοσ e mail user name camelcasewords cplusplus csharp don t fine abc 3 14 東京 京タ タワ ワー 서울 울에 에서 กิ น นข ข้ า าว हिन्दी camel case words email username \u{F2B50} \u{F2192} 東 京 タ ワ ー 서 울 에 ก น ข า ว",
  );
});
