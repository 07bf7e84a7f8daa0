import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../test/growth.ts";
import { factsOf } from "./note-facts.ts";

describe("the facts of a note", () => {
  it("are its headings, the first of level 1 its title", () => {
    const { title, headings } = factsOf("## Before\n# Title #\ntext\n\nUnder\n---\n```\n# code\n```\n# Second");
    expect(title).toBe("Title");
    expect(headings).toEqual(["Before", "Title", "Under", "Second"]);
    expect(factsOf("no heading").title).toBeUndefined();
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

  it("are its tasks, done or not, with their lines", () => {
    const text =
      "---\na: 1\n---\n- [ ] open\n\t* [x] done\n> 1. [X] quoted\n- [/] half\n```\n- [ ] code\n```\n- [link] no\n[ ] no";
    expect(factsOf(text).tasks).toEqual([
      { text: "open", done: false, line: 4 },
      { text: "done", done: true, line: 5 },
      { text: "quoted", done: true, line: 6 },
      { text: "half", done: false, line: 7 },
    ]);
    expect(factsOf("a\r\n- [ ] b\r\n").tasks).toEqual([{ text: "b", done: false, line: 2 }]);
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
