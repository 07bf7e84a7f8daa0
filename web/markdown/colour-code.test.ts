// Code that is split into coloured parts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { colourCode } from "./colour-code.ts";

const typed = (text: string, language: string) =>
  colourCode(text, language)
    .filter(({ type }) => type !== undefined)
    .map(({ text: part, type }) => `${type}:${part}`);

describe("coloured code", () => {
  it("is the same text in any language, whatever the text is", () => {
    const language = fc.oneof(
      fc.constantFrom("ts", "python", "bash", "sql", "json", "html", "diff", "constructor", ""),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), language, (text, name) => {
        expect(
          colourCode(text, name)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  it.each([
    [
      "ts",
      'const x = await load("a", 1); // b',
      ["keyword:const", "keyword:await", "call:load", 'string:"a"', "number:1", "comment:// b"],
    ],
    [
      "python",
      "def f(): # c\n  return '''d'''",
      ["keyword:def", "call:f", "comment:# c", "keyword:return", "string:'''d'''"],
    ],
    ["ts", "/* a\n b */ let c /* d\n e", ["comment:/* a\n b */", "keyword:let", "comment:/* d\n e"]],
    ["python", '"""a\nb""" is', ['string:"""a\nb"""', "keyword:is"]],
    ["html", "<!-- a\n b -->", ["comment:<!-- a\n b -->"]],
    ["SQL", "SELECT 1 -- all", ["keyword:SELECT", "number:1", "comment:-- all"]],
    ["bash", 'echo "a" # b', ["keyword:echo", 'string:"a"', "comment:# b"]],
    ["diff", "+a\n-b\n c", ["added:+a\n", "removed:-b\n"]],
    ["unheard-of", "const a = 1", []],
  ])("has the right parts in %s", (language, text, parts) => {
    expect(typed(text, language)).toEqual(parts);
  });
});
