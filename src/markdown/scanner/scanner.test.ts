import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime, expectLinearTimeForText } from "../../../test/growth.ts";
import { scanMarkdown } from "./scanner.ts";

/** Returns the passages that are not prose, as text. */
function passages(text: string): [kind: string, passage: string][] {
  return scanMarkdown(text).notProse.map(({ kind, start, end }) => [kind, text.slice(start, end)]);
}

describe("passages that are not prose", () => {
  it("recognises frontmatter at the very start, with CRLF and a byte order mark too", () => {
    expect(passages("---\na: 1\n---\ntext")).toEqual([["frontmatter", "---\na: 1\n---\n"]]);
    expect(passages("\uFEFF---\r\na: 1\r\n--- \r\ntext")).toEqual([["frontmatter", "---\r\na: 1\r\n--- \r\n"]]);
    expect(passages("---\n---")).toEqual([["frontmatter", "---\n---"]]);
    expect(scanMarkdown("---\r\na: 1\r\n---\r\n").frontmatter?.yaml).toEqual({ start: 5, end: 11 });
  });

  it("takes no frontmatter that is not closed or not first", () => {
    expect(passages("---\na: 1\ntext")).toEqual([]);
    expect(passages("\n---\na: 1\n---\n")).toEqual([]);
    expect(passages("---a\nb\n---\n")).toEqual([]);
  });

  it("recognises fences of both kinds, and that only as long a fence closes one", () => {
    expect(passages("a\n```js\nx\n```\nb")).toEqual([["code", "```js\nx\n```"]]);
    expect(passages("~~~~\n~~~\n```\n~~~~~ \nb")).toEqual([["code", "~~~~\n~~~\n```\n~~~~~ "]]);
    expect(passages("```\r\nx\r\n```\r\nb")).toEqual([["code", "```\r\nx\r\n```"]]);
    expect(passages("```\nx\n``` y\n```\nb")).toEqual([["code", "```\nx\n``` y\n```"]]);
  });

  it("takes a fence that is not closed to the end of what holds it", () => {
    expect(passages("```\nx\n\ny")).toEqual([["code", "```\nx\n\ny"]]);
    expect(passages("> ```\n> x\ntext")).toEqual([["code", "```\n> x"]]);
    expect(passages("- ```\n  x\n\n  y\n- z")).toEqual([["code", "```\n  x\n\n  y"]]);
    expect(passages("1. a\n   ```\n   x\ntext")).toEqual([["code", "```\n   x"]]);
  });

  it("recognises fences in lists and quotes, with tabs too", () => {
    expect(passages("- a\n\t```\n\tx\n\t```\n- b")).toEqual([["code", "```\n\tx\n\t```"]]);
    expect(passages("- a\n  - b\n    ```\n    x\n    ```\n  - c")).toEqual([["code", "```\n    x\n    ```"]]);
    expect(passages("> [!note]\n> ```\n> x\n> ```\n> y")).toEqual([["code", "```\n> x\n> ```"]]);
  });

  it("recognises code spans, across lines and with longer runs, but not across blocks", () => {
    expect(passages("a `b` c ``d`e`` f")).toEqual([
      ["code", "`b`"],
      ["code", "``d`e``"],
    ]);
    expect(passages("a `b\nc` d")).toEqual([["code", "`b\nc`"]]);
    expect(passages("a `b\n\nc` d")).toEqual([]);
    expect(passages("- a ` b\n- c ` d")).toEqual([]);
    expect(passages("| ` |\n| ` |")).toEqual([]);
    expect(passages("a ` b\n# c `")).toEqual([]);
    expect(passages("\\`a` b")).toEqual([]);
    expect(passages("```a``` b")).toEqual([["code", "```a```"]]);
  });

  it("recognises comments: inline within a paragraph, and as blocks across blank lines", () => {
    expect(passages("a %%b%% c")).toEqual([["comment", "%%b%%"]]);
    expect(passages("%%\na\n\n```\nb\n%%\nc")).toEqual([["comment", "%%\na\n\n```\nb\n%%"]]);
    expect(passages("a %%b\nc\n%% d `e`")).toEqual([
      ["comment", "%%b\nc\n%%"],
      ["code", "`e`"],
    ]);
    expect(passages("100%% sure\n\nand 50%% more")).toEqual([]);
    expect(passages("a <!-- b --> c")).toEqual([["comment", "<!-- b -->"]]);
    expect(passages("<!--\n\n# b\n--> c")).toEqual([["comment", "<!--\n\n# b\n-->"]]);
    expect(passages("<!-- b\n\nc")).toEqual([]);
  });

  it("recognises maths, and not prices or names with a dollar", () => {
    expect(passages("a $x^2$ b $$y$$ c")).toEqual([
      ["maths", "$x^2$"],
      ["maths", "$$y$$"],
    ]);
    expect(passages("$$\na\n\nb\n$$\nc")).toEqual([["maths", "$$\na\n\nb\n$$"]]);
    expect(passages("from $5 to $6, or $5-$10")).toEqual([]);
    expect(passages("\\$a$ and $5 then $x$")).toEqual([["maths", "$x$"]]);
    expect(passages("[[US$]] and [[A$]]")).toEqual([]);
    expect(passages("[[a$$]] and [[b$$]], $$ and [[c$$]]")).toEqual([]);
    expect(passages("[[a%%]] and [[b%%]], %% and [[c%%]]")).toEqual([]);
    expect(passages("[a](x$y.md) and [b](z$w.md)")).toEqual([]);
    expect(passages("$a\n$")).toEqual([]);
  });
});

describe("headings", () => {
  const headings = (text: string) => scanMarkdown(text).headings.map(({ level, text }) => [level, text]);

  it("has level, text and span", () => {
    expect(scanMarkdown("a\n## B c ##\r\nd").headings).toEqual([{ level: 2, text: "B c", start: 2, end: 11 }]);
    expect(headings("# a\n#tag\n####### b\n#\n## c#\n   ### d")).toEqual([
      [1, "a"],
      [1, ""],
      [2, "c#"],
      [3, "d"],
    ]);
  });

  it("has underlined ones", () => {
    expect(headings("a\n===\nb\nc\n-\n\n---\n\n- d\n---\n> e\n---")).toEqual([
      [1, "a"],
      [2, "b c"],
    ]);
  });

  it("has none in code, comments, lists and quotes", () => {
    expect(headings("```\n# a\n```\n%%\n# b\n%%\n- # c\n> # d\n\n# e")).toEqual([[1, "e"]]);
  });
});

describe("block ids", () => {
  it("are at the end of a block", () => {
    const text = "a\nb ^one\n\n- c ^two\n- d\n\n| e |\n| - |\n\n^three\n\nf ^no more\n`g ^no`";
    const found = scanMarkdown(text).blockIds;
    expect(found.map(({ id }) => id)).toEqual(["one", "two", "three"]);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["^one", "^two", "^three"]);
    expect(found.map(({ blockStart }) => blockStart)).toEqual([0, 10, text.indexOf("| e")]);
  });

  it("are not found in the middle of a paragraph", () => {
    expect(scanMarkdown("a ^one\nb").blockIds).toEqual([]);
    expect(scanMarkdown("a^one").blockIds).toEqual([]);
  });
});

describe("any text at all", () => {
  const marks = ["`", "```", "~~~", "$", "$$", "%%", "<!--", "-->", "[[", "]]", "](", "\\", "---", "# ", "- ", "> "];
  const mark = fc.constantFrom(
    ...marks,
    "1. ",
    "|",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    " ",
    "    ",
    "a",
    "^id",
    "===",
    "\uFEFF",
  );
  const anyText = fc.array(mark, { maxLength: 40 }).map((parts) => parts.join(""));

  it("gives passages in order and apart from each other", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const passage of scanMarkdown(text).notProse) {
          expect(passage.start).toBeGreaterThanOrEqual(end);
          expect(passage.end).toBeGreaterThan(passage.start);
          end = passage.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3_000 },
    );
  });

  const shapes = [
    "`",
    "` `` ``` ",
    "$5 ",
    "$",
    "%%",
    "<!--",
    "[[",
    "[[a",
    "- ",
    "> ",
    "* ",
    "\\",
    "\n`",
    "%%\n\n",
    "\\$",
    "a ^b\n",
  ];
  it.each(shapes)("takes linear time for a megabyte of %j", (shape) => {
    expectLinearTimeForText(shape, scanMarkdown);
  });

  it("takes linear time for backtick runs of all lengths", () => {
    const runsIn = (size: number) => {
      let text = "";
      for (let length = 1; text.length < size; length++) text += `${"`".repeat(length)} `;
      return text;
    };
    expectLinearTime(runsIn, scanMarkdown, 1_000_000);
  });
});
