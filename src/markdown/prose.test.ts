import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../test/growth.ts";
import { proseOf } from "./prose.ts";

describe("the prose of Markdown", () => {
  it.each([
    ["frontmatter", "---\nstatus: open\n---\nBody", "Body"],
    ["embeds", "Before ![[Pasted image.png|300]] after", "Before  after"],
    [
      "targets of links",
      "See [[Trips/Kyoto|the trip]], [[Osaka]] and [home](https://a.b/c_(d)).",
      "See the trip, Osaka and home.",
    ],
    ["images", "![A map](map.png) of it", "A map of it"],
    ["block ids", "A line. ^abc123\n\n- item ^x-1", "A line. \n\n- item "],
    ["comments", "Shown %%hidden%% and <!-- not --> shown", "Shown  and  shown"],
    ["marks of headings", "## Plan ##\ntext\n# Why?", "Plan:\ntext\nWhy?"],
    ["marks of emphasis", "**bold** _slanted_ ==marked== ~~gone~~ *it*", "bold slanted marked gone it"],
    ["marks of quotes and callouts", "> [!note]- Mind this\n> > twice", "Mind this\ntwice"],
    ["rules", "above\n\n---\n* * *\nbelow", "above\n\nbelow"],
    ["definitions of links", "text\n[1]: https://a.b\n[^1]: A footnote", "text\n[^1]: A footnote"],
    ["fences", "```js\nlet a = b | c;\n```\nafter", "let a = b | c;\nafter"],
    ["backticks", "use `a | b` here", "use a | b here"],
    ["escapes", "1\\. not a list \\*", "1. not a list *"],
  ])("has no %s", (_what, text, prose) => {
    expect(proseOf(text)).toBe(prose);
  });

  it("has the cells of tables, without pipes and delimiters", () => {
    const table = "| Name | Place |\n| :--- | ---: |\n| Ann | [[Kyoto\\|here]] |\n| `a|b` |  |\n\nAfter | all";
    expect(proseOf(table)).toBe("Name, Place\nAnn, here\na|b\n\nAfter | all");
    expect(proseOf("Name | Place\n--- | ---\nAnn | Kyoto")).toBe("Name, Place\nAnn, Kyoto");
  });

  it("keeps what only looks like a mark", () => {
    const text = "snake_case and 2 * 3 == 6, a | b, __init__ in C++, #tag, [ ] open, [x] done, 5 > 3";
    expect(proseOf(text)).toBe(text.replace("__init__", "init"));
  });

  it("keeps the targets of links and embeds if asked to", () => {
    expect(proseOf("![[map.png]] [[Trips/Kyoto|the trip]]", { keepsTargets: true })).toBe(
      "map.png Trips/Kyoto the trip",
    );
  });

  it("keeps text that looks like what it uses itself", () => {
    expect(proseOf("a \uFDD00\uFDD1 `code`")).toBe("a 0 code");
  });

  it.each(["| a ", "[[a|", "![[", "**a", "_a ", "# ", "> ", "`a` ", "\n| - ", "[a](b", "((", "\\", " \t", "- - -\n"])(
    "takes linear time for any number of %j",
    (part) => expectLinearTimeForText(part, proseOf),
  );
});
