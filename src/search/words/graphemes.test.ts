import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginningOf, charactersOf, textAround, wholeCharacters } from "./graphemes.ts";

const CHARACTERS = ["a", "ß", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "한", "ก็", "\r\n", "🏳️‍🌈"];
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 20 }).map((parts) => parts.join(" "));

describe("cutting between characters", () => {
  it("widens a span to whole ones, and no further", () => {
    fc.assert(
      fc.property(text, fc.nat(60), fc.nat(20), (whole, from, length) => {
        const [start, end] = [Math.min(from, whole.length), Math.min(from + length, whole.length)];
        const [first, last] = wholeCharacters(whole, start, end);
        const ends = [0];
        for (const character of charactersOf(whole)) ends.push(ends.at(-1)! + character.length);
        expect(first).toBe(ends.findLast((each) => each <= start));
        expect(last).toBe(start === end ? first : ends.find((each) => each >= end));
      }),
    );
  });

  it("shows the text around a span, and marks where it was cut", () => {
    expect(textAround("abcdef", 2, 3, 1)).toBe("…bcd…");
    expect(textAround("abcdef", 2, 3, 10)).toBe("abcdef");
    expect(textAround("🇩🇪🇫🇷x🇩🇪🇫🇷", 8, 9, 5)).toBe("…🇩🇪🇫🇷x🇩🇪🇫🇷".slice(1));
    expect(textAround("", 0, 0, 5)).toBe("");
  });

  it("shows the beginning of a text", () => {
    expect(beginningOf("short", 10)).toBe("short");
    expect(beginningOf("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 13)).toBe("👩‍👩‍👧‍👦…");
    // One character that is longer than all there is room for.
    expect(beginningOf("👩‍👩‍👧‍👦", 3)).toMatch(/^👩.*…$/u);
  });
});
