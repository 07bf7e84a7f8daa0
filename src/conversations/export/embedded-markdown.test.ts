import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenced, selfContained } from "./embedded-markdown.ts";
import { scanMarkdown } from "../../markdown/scanner/scanner.ts";

describe("a block of code", () => {
  it.each(["plain", "with `ticks`", "```js\nx\n```", "````md\n```\n````", "~~~", ""])("holds %j", (text) => {
    const block = fenced(text);
    const [code, ...more] = scanMarkdown(`${block}\n\n# After`).notProse;
    expect(more).toEqual([]);
    expect([code!.start, code!.end]).toEqual([0, block.length]);
  });
});

describe("a text between others", () => {
  it.each([
    ["closes a fence that it leaves open", "See:\n\n```ts\nconst a = 1;", "See:\n\n```ts\nconst a = 1;\n```"],
    ["closes it with the same marks", "~~~~\nx", "~~~~\nx\n~~~~"],
    ["leaves a closed one alone", "```\nx\n```", "```\nx\n```"],
    ["shows tags instead of obeying them", "Use <div> and <Foo bar> here", "Use \\<div> and \\<Foo bar> here"],
    ["shows comments", "a <!-- b", "a \\<!-- b"],
    ["keeps addresses links", "<https://example.org/a>", "<https://example.org/a>"],
    ["keeps comparisons", "a < b and c<1", "a < b and c<1"],
    ["keeps code as it is", "`<div>` and\n\n```html\n<div>%%</div>\n```", "`<div>` and\n\n```html\n<div>%%</div>\n```"],
    ["keeps links to notes", "See [[Plan#A|the plan]] and ![[x.png]]", "See [[Plan#A|the plan]] and ![[x.png]]"],
    ["begins no comment of Obsidian's", "100%% sure", "100\\%\\% sure"],
    ["begins no maths that it does not end", "costs $$ a lot", "costs \\$\\$ a lot"],
    ["keeps maths", "$$\nx < y\n$$", "$$\nx < y\n$$"],
    ["keeps what is escaped", "\\<div>", "\\<div>"],
  ])("%s", (_, text, expected) => {
    expect(selfContained(text)).toBe(expected);
  });

  it("has no effect on what follows, whatever it contains", () => {
    const pieces = [
      "```",
      "````",
      "~~~",
      "`",
      "``",
      "<!--",
      "-->",
      "%%",
      "$$",
      "$",
      "\n",
      "\n\n",
      "- ",
      "> ",
      "  ",
      "    ",
      "x",
      "# h",
      "---",
      "<pre>",
      "[[a]]",
      "1. ",
      "\\",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (chosen) => {
        const text = selfContained(chosen.join(""));
        const scanned = scanMarkdown(`${text}\n\n## After\n\n\`\`\`\ncode\n\`\`\`\n`);
        expect(scanned.headings.some((heading) => heading.text === "After")).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
