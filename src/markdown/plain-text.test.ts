import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../test/growth.ts";
import { plainText } from "./plain-text.ts";

describe("Markdown as plain text", () => {
  it.each([
    ["a heading", "## The retry loop", "The retry loop"],
    ["a table", "| who | when |\n| --- | :-: |\n| Ann | today |", "who, when\n\nAnn, today"],
    ["the end of a row of a table", "nn | today |", "nn, today"],
    ["a quote and a callout", "> said\n> > twice\n> [!warning]- Mind", "said\ntwice\n Mind"],
    ["a fence", "```ts\nconst a = 1;\n```", "\nconst a = 1;\n"],
    ["rules and underlines", "Title\n=====\n***\n- - -\n---", "Title\n\n\n\n"],
    [
      "an embed, a link and an alias",
      "![[Plan.png]] in [[Kyoto]] or [[Kyoto|the city]]",
      "Plan.png in Kyoto or the city",
    ],
    ["a web link and an image", "[docs](https://x.org/a) ![a cat](cat.png)", "docs a cat"],
    ["bold type", "**never** 2 ** 3 ** 4", "never 2 ** 3 ** 4"],
    ["a block id", "Decided. ^d1", "Decided."],
  ])("has no signs of %s", (_, markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });

  it.each(["a || b, a | b and c|d ||", "- a list item", "x = __init__(a[0](1))", "#tag and C# 8", "cat a.txt --all"])(
    "keeps %s",
    (text) => {
      expect(plainText(text)).toBe(text);
    },
  );

  it("takes linear time on any signs", () => {
    for (const sign of ["[[", "![", "**a", "|", "> ", "`", "- ", " \t", "---", "](", " ^a", "| ", "|:-"])
      expectLinearTime((size) => `${sign.repeat(size)}x`, plainText, 20_000);
  });
});
