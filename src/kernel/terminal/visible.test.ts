import { describe, expect, it } from "vitest";
import { visible, visibleJson, visibleLines } from "./visible.ts";

const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((c) => /\p{Cc}/u.test(c));
const BIDI = [..."\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"];
const OTHERS = [
  "\u2028",
  "\u2029",
  "\uD800",
  "\uDFFF",
  "\uFEFF",
  "\u2060",
  "\u206E",
  "\uFFF9",
  "\u{E0041}",
  "\u{E007F}",
];
const UNSAFE = [...controls, ...BIDI, ...OTHERS];

describe("what a terminal would obey or hide", () => {
  it.each(UNSAFE.map((character) => [character.codePointAt(0)!.toString(16), character]))(
    "becomes visible: U+%s",
    (_, character) => {
      const shown = visible(`a${character}b`);
      expect(shown).not.toContain(character);
      expect(shown).toMatch(/^a(?:[\u2400-\u2421]|\\u\{[0-9a-f]+\})b$/);
    },
  );

  it("cannot be an escape sequence, in either form of it", () => {
    expect(visible("\u001B[31mred\u001B]0;title\u0007\u009B2J")).toBe("␛[31mred␛]0;title␇\\u{9b}2J");
  });

  it("is a line break on one line only", () => {
    expect(visible("a\r\n\tb")).toBe("a␍␊␉b");
    expect(visibleLines("a\r\n\tb\u0007\rc")).toBe("a\n\tb␇␍c");
  });
});

describe("what people write", () => {
  it.each([
    "Zażółć gęślą jaźń",
    "日本語のノート",
    "नमस्ते क्‍ष",
    "می‌خواهم",
    "שלום",
    "ភាសា\u200Bខ្មែរ",
    "👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "soft\u00ADhyphen and a no-break\u00A0space",
    "é (decomposed)",
  ])("stays as it is: %s", (text) => {
    expect(visible(text)).toBe(text);
    expect(visibleJson(text)).toBe(JSON.stringify(text));
  });
});

describe("JSON", () => {
  it("keeps its meaning", () => {
    const value = Object.fromEntries(UNSAFE.map((character) => [`key ${character}`, [`${character} value`, 1, null]]));
    const json = visibleJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toBe(visible(json));
    expect(json).toBe(visibleLines(json));
    expect(visibleJson("\u009B\u202E\u{E0041}")).toBe(String.raw`"\u009b\u202e\udb40\udc41"`);
  });
});
