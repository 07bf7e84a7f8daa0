import { expect, it } from "vitest";
import { escapePattern } from "./escape-pattern.ts";

const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \n\t\u2028aZ09é文👍";

it.each(["", "u", "v", "iu"])("an escaped text matches itself alone with the flags '%s'", (flags) => {
  for (const sign of SIGNS) {
    const text = `a${sign}b`;
    expect(new RegExp(`^${escapePattern(text)}$`, flags).test(text), JSON.stringify(sign)).toBe(true);
    expect(new RegExp(`^${escapePattern(text)}$`, flags).test("a_-b"), JSON.stringify(sign)).toBe(false);
  }
  expect(new RegExp(`^${escapePattern(SIGNS)}$`, flags).test(SIGNS)).toBe(true);
});

it.each(["", "u"])("an escaped text is no range between the brackets of a class with the flags '%s'", (flags) => {
  const pattern = new RegExp(`^[${escapePattern("a-z]^")}]$`, flags);
  expect(["a", "-", "z", "]", "^", "m", "\\"].map((sign) => pattern.test(sign))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
