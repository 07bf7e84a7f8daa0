import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime, expectLinearTimeForText } from "../../test/growth.ts";
import { quickHash } from "../kernel/kernel.ts";
import { factsOf } from "./note-facts.ts";

describe("the facts of a note", () => {
  it("are its headings, the first of level 1 its title if it is at the top", () => {
    const { title, headings } = factsOf("# Title #\ntext\n\nUnder\n---\n```\n# code\n```\n# Second");
    expect(title).toBe("Title");
    expect(headings).toEqual(["Title", "Under", "Second"]);
    expect(factsOf("no heading").title).toBeUndefined();
    expect(factsOf("---\nup: x\n---\n\n#tag [[Up]]\n\n# Title\n## Part").title).toBe("Title");
    expect(factsOf("## Books\n\n# Clippings\n\n# Episodes").title).toBeUndefined();
    expect(factsOf("We met at nine.\n\n# Tasks\n\n# Notes").title).toBeUndefined();
    expect(factsOf(`${"What was said. ".repeat(50)}\n\n# Appendix`).title).toBeUndefined();
  });

  it("are the tags of its properties, as list or text, under both names", () => {
    expect(factsOf("---\ntags: [a, '#b/c', 2026]\n---\n").tags).toEqual(["a", "b/c", "2026"]);
    expect(factsOf("---\nTags: a, b c\ntag: d\n---\n").tags).toEqual(["a", "b", "c", "d"]);
    expect(factsOf("---\ntags:\n---\n").tags).toEqual([]);
  });

  it("are the tags in its text, each once, nested ones whole", () => {
    expect(factsOf("---\ntags: One\n---\n#one #two/three/ and #émoji🎉, #x-y_z.\n- #list").tags).toEqual([
      "One",
      "two/three",
      "émoji🎉",
      "x-y_z",
      "list",
    ]);
  });

  it("do not include numbers, parts of words, and anything in code, comments, maths and links", () => {
    const text =
      "#12 a#b `#c` %%#d%% $x #e$ [[Note #f]] [[N|see #g]] [t](<u.md #h>) http://i#j \\#k\n```\n#l\n```\n# m";
    expect(factsOf(text).tags).toEqual([]);
  });

  it("are its aliases, as list or text", () => {
    expect(factsOf("---\naliases: [A, B]\n---\n").aliases).toEqual(["A", "B"]);
    expect(factsOf("---\nalias: One thing, another\n---\n").aliases).toEqual(["One thing", "another"]);
  });

  it("are its properties, or a sentence about why they cannot be read", () => {
    const facts = factsOf("---\nstatus: open\ndue: 2026-11-15\n---\nbody");
    expect(facts.properties).toEqual({ status: "open", due: "2026-11-15" });
    expect(facts).not.toHaveProperty("propertiesBroken");
    const broken = factsOf("---\na: [\n---\n# Title #tag");
    expect(broken.propertiesBroken).toContain("not valid YAML");
    expect(broken).toMatchObject({ title: "Title #tag", tags: ["tag"], properties: {} });
  });

  it("are its tasks with the characters of their boxes, their lines and headings", () => {
    const text =
      "---\na: 1\n---\n- [ ] open\n\t* [x] done\n> 1. [X] quoted\n- [/] half\n```\n- [ ] code\n```\n- [link] no\n[ ] no";
    expect(factsOf(text).tasks).toEqual([
      { text: "open", status: " ", line: 4 },
      { text: "done", status: "x", line: 5 },
      { text: "quoted", status: "X", line: 6 },
      { text: "half", status: "/", line: 7 },
    ]);
    expect(factsOf("a\r\n- [ ] b\r\n").tasks).toEqual([{ text: "b", status: " ", line: 2 }]);
  });

  it("are its links, by the names that moves look them up by", () => {
    const { links } = factsOf("---\nup: '[[Home]]'\n---\n![[Folder/Pic.png]] [t](Note%20one.md#part) `[[code]]`");
    expect(links.map(({ name, target, subpath, form, isEmbed }) => [name, target, subpath, form, isEmbed])).toEqual([
      ["home", "Home", "", "wiki", false],
      ["pic.png", "Folder/Pic.png", "", "wiki", true],
      ["note one", "Note one.md", "#part", "markdown", false],
    ]);
  });

  it("include the offset of the body", () => {
    expect(factsOf("---\na: 1\n---\nbody").bodyStart).toBe(13);
    expect(factsOf("body").bodyStart).toBe(0);
    expect(factsOf("\uFEFFbody").bodyStart).toBe(1);
    expect(factsOf("")).toMatchObject({ title: undefined, headings: [], tags: [], tasks: [], links: [], bodyStart: 0 });
  });

  const parts = ["#", "#a ", "- [ ] a\n", "[[a #b]] ", "> ", "\t", "#a/", "1. "];
  it.each(parts)("are found in linear time: %j", (part) => {
    expectLinearTimeForText(part, factsOf);
  });
});

describe("what is nested below one of several equal tasks", () => {
  /** The lines below a box that are indented or quoted more, up to a blank line. */
  function nestedBelow(lines: readonly string[], box: number): string {
    const indentOf = (line: string) => /^[ \t>]*/.exec(line)![0].length;
    const nested: string[] = [];
    for (const line of lines.slice(box + 1)) {
      if (line.trim() === "" || indentOf(line) <= indentOf(lines[box]!)) break;
      nested.push(line);
    }
    return nested.join("\n").trimEnd();
  }

  const line = fc
    .tuple(
      fc.constantFrom("", " ", "  ", "   ", "\t", "\t\t", "> ", "> > ", ">"),
      fc.constantFrom("- [ ] a", "- [ ] a", "- [ ] b", "- c  ", "text", ""),
      fc.constantFrom("", "\r"),
    )
    .map((parts) => parts.join(""));

  it("is hashed line by line, as in every release: ids of tasks are made of it", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), (lines) => {
        for (const { nested, line: number } of factsOf(lines.join("\n")).tasks)
          if (nested !== undefined) expect(nested).toBe(quickHash(nestedBelow(lines, number - 1)));
      }),
      { numRuns: 300 },
    );
  });

  it("is told apart wherever it differs, however long it is", () => {
    const long = (word: string) => `- [ ] a\n${"  - line\n".repeat(1_000)}  - ${word}\n${"  - line\n".repeat(1_000)}`;
    const nestedOf = (...words: string[]) => factsOf(words.map(long).join("\n")).tasks.map(({ nested }) => nested);
    const [one, other] = nestedOf("one", "two");
    expect(one).not.toBe(other);
    // Wherever in the note it is.
    expect(nestedOf("two", "one")).toEqual([other, one]);
  });

  it.each(["  ", "\t", "> "])("is hashed in linear time, with %j before each deeper line", (indent) => {
    const deep = (size: number) => {
      const depth = Math.floor(Math.sqrt((2 * size) / indent.length));
      return Array.from({ length: depth }, (_, i) => `${indent.repeat(i)}- [ ] same`).join("\n");
    };
    expectLinearTime(deep, factsOf, 1_000_000);
  });
});

describe("a task is", () => {
  const tasks: readonly (readonly [text: string, ...tasks: string[]])[] = [
    ["- [ ] a\n* [x] b\n+ [-] c\n1. [ ] d\n2) [ ] e", "a", "b", "c", "d", "e"],
    ["- [ ] a\r\n\t- [ ] b\r\n\t\t- [ ] c\r\n", "a", "b", "c"],
    ["> - [ ] a\n> > - [ ] b\n>\t1. [ ] c", "a", "b", "c"],
    ["> [!todo]- Title\n> - [ ] a\n>     - [ ] b", "a", "b"],
    ["- a\n  > - [ ] in a quote in an item", "in a quote in an item"],
    ["- [😀] emoji\n- [à] accent\n- [>] a", "emoji", "accent", "a"],
    ["- [ ]\tafter a tab\n-\t[ ] before", "after a tab", "before"],
    ["- [ ]   spaces   ", "spaces"],
    ["- plain\n    - [ ] deep", "deep"],
    ["- a\n\t\t- [ ] too deep, but seen as one", "too deep, but seen as one"],
    ["text\n- [ ] after a paragraph", "after a paragraph"],
    ["<div>\n\n- [ ] after a blank line\n\n</div>", "after a blank line"],
    ["<b>bold</b> text\n- [ ] a", "a"],
    ["%% one line %%\n- [ ] a", "a"],
    ["- [ ] a %% with a comment %%", "a %% with a comment %%"],
    ["- [ ] a\n  continued\n- [ ] b", "a", "b"],
    ["- - [ ] nested on one line", "nested on one line"],
  ];
  it.each(tasks)("%j", (text, ...expected) => {
    expect(factsOf(text).tasks.map((task) => task.text)).toEqual(expected);
  });

  const none = [
    "---\na: |\n  - [ ] b\n---\n",
    "```\n- [ ] a\n```",
    "~~~md\n- [ ] a\n~~~",
    "- x\n  ```\n  - [ ] a\n  ```",
    "> ```\n> - [ ] a\n> ```",
    "%%\n- [ ] a\n%%",
    "<!--\n- [ ] a\n-->",
    "$$\n- [ ] a\n$$",
    "text\n\n    - [ ] indented code",
    "- a\n\n          - [ ] code in an item",
    "text\n    - [ ] continues the paragraph",
    "<div>\n- [ ] a\n</div>",
    "<pre>\n\n- [ ] a\n</pre>",
    "- [] a\n- [ ]\n- [  ] b\n- [xx] c\n-[ ] d\n- [ ]e\n[ ] f\n- \\[ ] g\n- [❗️] two characters",
    "- [[ ] a\n- []] b",
    "`- [ ] a`",
  ];
  it.each(none)("not: %j", (text) => {
    expect(factsOf(text).tasks).toEqual([]);
  });
});
