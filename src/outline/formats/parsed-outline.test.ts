// The effect of an edit on the text of a file, character by character: it follows
// the style of the file, and nothing else changes.
import { describe, expect, it } from "vitest";
import {
  MARKDOWN,
  MARKDOWN_SECTIONS,
  OPML,
  OPML_ONE_LINE,
  V3,
  V3_PRETTY,
  V5,
} from "../../../test/fixtures/outline-files.ts";
import { Problem } from "../../kernel/problem.ts";
import { applyRowEdits } from "../file/row-edits.ts";
import type { Edit } from "../model.ts";
import { outlineOf } from "../outline-of-rows.ts";
import { parseOutline } from "./format-detection.ts";

/** The text after edits; rows without an id of their own are r0, r1, … in order, new ones fff…0, fff…1, … */
function edited(text: string, ...edits: Edit[]): string {
  const parsed = parseOutline(Buffer.from(text));
  const ids = parsed.ids ?? Array.from({ length: parsed.count }, (_, row) => `r${row}`);
  let next = 0;
  return applyRowEdits({ parsed, ids }, edits, () => `ffffffffff${next++}`).parsed.bytes.toString();
}

const add = (parentId: string | null, index: number, topic: string, more: object = {}): Edit => ({
  kind: "add",
  position: { parentId, index },
  rows: [{ topic, ...more }],
});
const update = (id: string, change: object): Edit => ({ kind: "update", id, ...change });
const move = (id: string, parentId: string | null, index: number): Edit => ({
  kind: "move",
  id,
  position: { parentId, index },
});

/** Returns the replaced part and its replacement; the rest must be equal. */
function difference(before: string, after: string): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

describe("texts of OmniOutliner", () => {
  it.each([
    ["a blank line before", "<p/><p><run><lit>x</lit></run></p>", "\nx"],
    ["a blank line after", "<p><run><lit>x</lit></run></p><p/>", "x\n"],
    ["a text outside a run", "<p><lit>x</lit><run><lit>y</lit></run></p>", "xy"],
    ["an empty text", "<p><run><lit/></run><run><lit>y</lit></run></p>", "y"],
    ["two runs", "<p><run><lit>x</lit></run><run><lit>y</lit></run></p>", "xy"],
    ["a CDATA section", "<p><run><lit>x<![CDATA[&]]></lit></run></p>", "x&"],
    ["a comment", "<p><run><!-- lit --><lit>x</lit></run></p>", "x"],
    ["a reference", "<p><run><lit>x&#10;y</lit></run></p>", "x\ny"],
    ["no paragraph", "", ""],
  ])("are read completely: %s", (_, written, said) => {
    const cell = `<text>${written}</text>`;
    const v5 = parseOutline(
      Buffer.from(
        `<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5"><columns outline-column="t" note-column="n"><column id="n"/><column id="t"/></columns><items><item id="a" rank="">${cell}${cell}</item></items></outline>`,
      ),
    );
    const v3 = parseOutline(
      Buffer.from(
        `<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3"><columns><column id="t" is-outline-column="yes"/></columns><root><item id="a"><values>${cell}</values><note>${cell}</note></item></root></outline>`,
      ),
    );
    for (const parsed of [v5, v3]) expect([parsed.topic(0), parsed.note(0) ?? ""]).toEqual([said, said]);
  });
});

describe("OmniOutliner 5", () => {
  it("inserts a new row in the order of ids, with all cells, formatted like the others", () => {
    expect(edited(V5, add("ccccccccccc", 1, "new & <b>", { note: "a\n\nb", state: "checked" }))).toContain(`
    </item>
    <item id="ffffffffff0" parent-id="ccccccccccc" rank="00003f">
      <text>
        <p>
          <run>
            <lit>a</lit>
          </run>
        </p>
        <p/>
        <p>
          <run>
            <lit>b</lit>
          </run>
        </p>
      </text>
      <entry/>
      <text>
        <p>
          <run>
            <lit>new &amp; &lt;b&gt;</lit>
          </run>
        </p>
      </text>
      <checkbox>checked</checkbox>
    </item>
  </items>`);
  });

  it("moves a row by changing two attributes", () => {
    expect(difference(V5, edited(V5, move("eeeeeeeeeee", null, 2)))).toEqual([
      `parent-id="ccccccccccc" rank="`,
      `rank="0002`,
    ]);
    expect(difference(V5, edited(V5, move("ddddddddddd", "bbbbbbbbbbb", 0)))).toEqual([
      'ccccccccccc" rank="00013f',
      'bbbbbbbbbbb" rank="',
    ]);
  });

  it("changes only the run in which the topic changes", () => {
    expect(difference(V5, edited(V5, update("eeeeeeeeeee", { topic: "bo\nLd" })))).toEqual(["l", "L"]);
    expect(difference(V5, edited(V5, update("bbbbbbbbbbb", { topic: "Sea the site and more" })))).toEqual(["e", "a"]);
    expect(difference(V5, edited(V5, update("bbbbbbbbbbb", { topic: "See the site and more!" })))).toEqual(["", "!"]);
  });

  it("keeps a link whose text changes in part, and drops one that is overwritten", () => {
    expect(edited(V5, update("bbbbbbbbbbb", { topic: "See the websites and more" }))).toContain(
      `name="the websites" type="link"/>`,
    );
    const overwritten = edited(V5, update("bbbbbbbbbbb", { topic: "See nothing and more" }));
    expect(overwritten).not.toContain("example.com");
    expect(overwritten).toContain(`<value key="underline">single</value>`);
  });

  it("never removes an attachment together with text", () => {
    expect(edited(V5, update("bbbbbbbbbbb", { topic: "Completely different" }))).toContain(`<cell refid="att1"/>`);
    expect(edited(V5, update("bbbbbbbbbbb", { topic: "" }))).toContain(`<cell refid="att1"/>`);
  });

  it("empties a cell and fills an empty one", () => {
    expect(edited(V5, update("bbbbbbbbbbb", { note: "" }))).toContain(
      `children-are-sections="yes">\n      <entry/>\n      <entry/>`,
    );
    expect(edited(V5, update("ddddddddddd", { topic: "x" }))).toContain(
      "<entry/>\n      <text>\n        <p>\n          <run>\n            <lit>x</lit>",
    );
  });

  it("sets the state of a parent on its leaves only", () => {
    const after = edited(V5, update("ccccccccccc", { state: "checked" }));
    expect(after.split("<checkbox>checked").length - 1).toBe(3);
    expect(difference(V5, edited(V5, update("bbbbbbbbbbb", { state: "none" })))).toEqual([
      "checkbox>unchecked</checkbox",
      "entry/",
    ]);
  });

  it("deletes a row together with its white space", () => {
    expect(edited(V5, { kind: "delete", id: "ddddddddddd" })).toBe(
      V5.replace(/\n {4}<item id="d{11}"[^]*?<\/item>/, ""),
    );
  });

  it("inserts the first row after the level styles", () => {
    const empty = V5.replace(/ *<item [^]*<\/item>\n/, "");
    expect(edited(empty, add(null, 0, "x"))).toContain(`</style><item id="ffffffffff0" rank="">`);
  });

  it("finds a parent whose id is spelled with a character reference", () => {
    const spelled = V5.replace(`item id="ccccccccccc"`, `item id="&#99;cccccccccc"`);
    expect(parseOutline(Buffer.from(spelled)).parents).toEqual(parseOutline(Buffer.from(V5)).parents);
  });

  it("inserts a row between rows of equal rank", () => {
    const equal = V5.replace(`rank="00013f"`, `rank="0001"`);
    const after = parseOutline(Buffer.from(edited(equal, add("ccccccccccc", 2, "between"))));
    expect(after.ids!.map((_, row) => after.topic(row)).slice(2, 4)).toEqual(["plain \nsecond & <last>", "between"]);
  });

  it.each([
    ["two rows with the same id", V5.replace("ddddddddddd", "eeeeeeeeeee"), "two rows have the id"],
    [
      "a row whose parent does not exist",
      V5.replace(`parent-id="ccccccccccc" rank=""`, `parent-id="zzz" rank=""`),
      "does not exist",
    ],
    [
      "a row that is its own ancestor",
      V5.replace(`item id="ccccccccccc" rank`, `item id="ccccccccccc" parent-id="eeeeeeeeeee" rank`),
      "own ancestor",
    ],
    ["an invalid rank", V5.replace(`rank="00ff"`, `rank="zz"`), "invalid rank"],
    ["no column for topics", V5.replace("outline-column", "other-column"), "no column for topics"],
    ["two sets of columns", V5.replace("<items>", "<columns/><items>"), "more than one set of columns"],
  ])("is refused with %s", (_, text, reason) => {
    expect(() => parseOutline(Buffer.from(text))).toThrow(reason);
  });
});

describe("OmniOutliner 3", () => {
  it("writes a new row in the style of the file, and stays version 3", () => {
    const row = `<item id="ffffffffff0" state="checked"><values><null/><text><p><run><lit>x</lit></run></p></text></values><note><text><p><run><lit>n</lit></run></p></text></note></item>`;
    expect(difference(V3, edited(V3, add("ddddddddddd", 0, "x", { note: "n", state: "checked" })))).toEqual([
      "",
      `children>${row}</children><`,
    ]);
    expect(edited(V3_PRETTY, add("bbbbbbbbbbb", 0, "x"))).toContain(
      `\r\n\t\t\t\t\t</values>\r\n\t\t\t\t\t<children>\r\n\t\t\t\t\t\t<item id="ffffffffff0">\r\n\t\t\t\t\t\t\t<values>\r\n\t\t\t\t\t\t\t\t<text>`,
    );
  });

  it("indents a moved row, but not the text in it", () => {
    const after = edited(V3_PRETTY, move("bbbbbbbbbbb", null, 0));
    expect(after).toContain(`\t<root>\r\n\t\t<item id="bbbbbbbbbbb" state="checked">\r\n\t\t\t<values>`);
    expect(after).toContain("<lit>  two  </lit>");
    const [row] = /\t\t\t\t<item id="b{11}"[^]*?<\/item>/.exec(V3_PRETTY)!;
    expect(after).toContain(row.replaceAll(/^\t\t/gm, ""));
    expect(after).not.toContain("<children>");
  });

  it("has a checkbox for every row", () => {
    expect(() => edited(V3, update("ddddddddddd", { state: "none" }))).toThrow(Problem);
    expect(difference(V3, edited(V3, update("ddddddddddd", { state: "checked" })))).toEqual(["", ` state="checked"`]);
    expect(difference(V3, edited(V3, update("bbbbbbbbbbb", { state: "unchecked" })))).toEqual([` state="checked"`, ""]);
  });

  it.each([
    '<item id="e"/>',
    '<item id="e"></item>',
    '<item id="e"><values/></item>',
    '<item id="e"><values/><note/><children/></item>',
  ])("reads a row without content, and changes only the others: %s", (row) => {
    const next = `<item id="f"><values><text><p><run><lit>two</lit></run></p></text></values></item>`;
    const written = `<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3"><columns><column id="t" is-outline-column="yes"/></columns><root>${row}${next}</root></outline>`;
    const read = parseOutline(Buffer.from(written));
    expect([...read.parents].map((parent, each) => [parent, read.topic(each), read.note(each) ?? ""])).toEqual([
      [-1, "", ""],
      [-1, "two", ""],
    ]);
    expect(difference(written, edited(written, update("f", { topic: "2" })))).toEqual(["two", "2"]);
    expect(() => edited(written, update("e", { topic: "one" }))).toThrow("The file was not changed.");
  });

  it("removes a note, and adds one after the values", () => {
    expect(difference(V3, edited(V3, update("aaaaaaaaaaa", { note: "" })))[1]).toBe("");
    expect(edited(V3, update("bbbbbbbbbbb", { note: "n" }))).toContain(
      `done</lit></run></p></text></values><note><text><p><run><lit>n`,
    );
  });
});

describe("OPML", () => {
  it("writes new rows with the indentation and the state attribute of the file", () => {
    expect(
      edited(OPML, add("r2", 1, 'say "x" & y', { note: "a\nb", state: "checked", children: [{ topic: "z" }] })),
    ).toContain(
      `\n        <outline text=""/>\n        <outline text="say &quot;x&quot; &amp; y" _note="a&#10;b" _status="checked">\n          <outline text="z"/>\n        </outline>\n      </outline>`,
    );
    expect(edited(OPML_ONE_LINE, add("r1", 0, "n", { state: "checked" }))).toContain(
      `<outline text="b"><outline text="n" _complete="true"/></outline>`,
    );
  });

  it("gives an empty element an end tag for its first child, and makes it empty again without children", () => {
    const opened = edited(OPML, add("r3", 0, "x"));
    expect(opened).toContain(`\n        <outline text="">\n          <outline text="x"/>\n        </outline>\n`);
    expect(edited(opened, { kind: "delete", id: "r4" })).toBe(OPML);
  });

  it("keeps the spelling of the unchanged part of a text", () => {
    expect(difference(OPML, edited(OPML, update("r1", { topic: "A <b> & cd" })))).toEqual(["", "d"]);
    expect(difference(OPML, edited(OPML, update("r4", { topic: `two 'quoted"` })))).toEqual([`"`, "&apos;"]);
    expect(difference(OPML, edited(OPML, update("r1", { note: "first\nthird" })))).toEqual(["secon", "thir"]);
  });

  it("adds, changes and removes attributes", () => {
    expect(edited(OPML, update("r5", { topic: "t" }))).toContain(`<outline text="t" _note="no text"/>`);
    expect(edited(OPML, update("r1", { note: "", state: "none" }))).toContain(
      `<outline text="A &lt;b&gt; &amp; &#99;"/>`,
    );
    expect(difference(OPML_ONE_LINE, edited(OPML_ONE_LINE, update("r2", { state: "checked" })))).toEqual([
      "fals",
      "tru",
    ]);
  });

  it("moves a row and leaves the comments around it", () => {
    expect(edited(OPML, move("r2", null, 0))).toContain(
      `<body>\n    <outline text="B" _status="unchecked" xmlUrl='http://example.com/?a="1"'>\n      <outline text=""/>\n    </outline>\n    <outline text="One"`,
    );
    expect(edited(OPML, move("r2", null, 0))).toContain("<!-- between -->\n    </outline>");
  });

  it("refuses characters that XML cannot represent, and keeps a line break", () => {
    expect(() => edited(OPML, update("r0", { topic: "a\u0000b" }))).toThrow("U+0000");
    expect(() => edited(OPML, update("r0", { topic: "a\ud800b" }))).toThrow("U+D800");
    expect(edited(OPML, update("r0", { topic: "a\r\nb" }))).toContain(`text="a&#10;b"`);
  });
});

function topicsIn(text: string): string[] {
  const parsed = parseOutline(Buffer.from(text));
  return Array.from({ length: parsed.count }, (_, row) => parsed.topic(row));
}

/** All that `String.trim` removes, but for the white space of ASCII. */
const UNICODE_WHITE_SPACE = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  .filter((character) => character.trim() === "" && character > "\u007F")
  .map((character) => ({
    character,
    name: `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  }));

describe("Markdown", () => {
  it("writes new rows with the markers and checkboxes of their siblings", () => {
    expect(
      difference(MARKDOWN, edited(MARKDOWN, add(null, 1, "new", { note: "n\n- m", children: [{ topic: "below" }] }))),
    ).toEqual(["", "[ ] new\n  n\n  \\- m\n  - [ ] below\n- "]);
    expect(difference(MARKDOWN, edited(MARKDOWN, add(null, 5, "three")))).toEqual(["", "3. three\n"]);
    expect(edited(MARKDOWN_SECTIONS, add("r2", 0, "x"))).toContain("\t\tnote of b\r\n\t\t* x\r\n* [X] c");
    expect(edited("- a\n  - b", add("r1", 0, "c"))).toBe("- a\n  - b\n    - c");
    expect(edited("", add(null, 0, "a"))).toBe("- a\n");
  });

  it("writes a heading if only a heading is possible", () => {
    expect(
      difference(
        MARKDOWN_SECTIONS,
        edited(MARKDOWN_SECTIONS, add(null, 1, "New", { note: "text", children: [{ topic: "x" }] })),
      ),
    ).toEqual(["", "New\r\n\r\ntext\r\n\r\n* x\r\n\r\n# "]);
  });

  it("moves a section with all its headings", () => {
    const after = edited(MARKDOWN_SECTIONS, move("r4", null, 2));
    expect(after.endsWith("# Last\r\nno list here\r\n\r\n# Sub\r\n\r\n* d\r\n")).toBe(true);
  });

  it("indents a moved row", () => {
    expect(edited(MARKDOWN, move("r1", "r3", 0))).toContain(
      "- second\n    - nested\n      ```\n      - no row\n\n      ```\n    - deep\n",
    );
    expect(edited("- a\n  note\n\t- b\n- c\n", move("r0", "r2", 0))).toBe("- c\n\t- a\n\t  note\n\t\t- b\n");
  });

  it("changes a topic, a note and a state separately", () => {
    expect(difference(MARKDOWN, edited(MARKDOWN, update("r0", { topic: "1st" })))).toEqual(["fir", "1"]);
    expect(difference(MARKDOWN, edited(MARKDOWN, update("r2", { state: "unchecked" })))).toEqual(["x", " "]);
    expect(edited(MARKDOWN, update("r3", { note: "n" }))).toContain("- second\n  n\n    - deep");
    expect(difference(MARKDOWN, edited(MARKDOWN, update("r0", { note: "with a note\n\nof 2 paragraphs" })))).toEqual([
      "two",
      "2",
    ]);
  });

  it("leaves the text between lists alone when a row is deleted", () => {
    const after = edited(MARKDOWN, { kind: "delete", id: "r3" }, { kind: "delete", id: "r0" });
    expect(after).toContain("Words before.\n\nWords between.\n\n1. one");
  });

  const LIKE_MARKUP = [
    "---",
    "--",
    "- - -",
    "***",
    "* * *",
    "___",
    "----------",
    "#",
    "# x",
    "###### six",
    "```",
    "```js",
    "~~~",
    "> quoted",
    ">",
    "1. one",
    "2) two",
    "[ ] box",
    "[x]",
    "[x] done",
    "-",
    "- item",
    "*",
    "+",
    "+ plus",
    "\\---",
    "\\",
    "\\# x",
    "===",
    "--- and more",
    "**bold**",
    "*emphasis*",
    "_under_",
    "-5 degrees",
    "#tag",
  ];

  it.each(LIKE_MARKUP)("stores %j as a topic, in a new row and in a changed one", (topic) => {
    const before = "- one\n- two\n  - three\n";
    expect(topicsIn(edited(before, add(null, 1, topic)))).toEqual(["one", topic, "two", "three"]);
    expect(topicsIn(edited(before, add("r1", 0, topic)))).toEqual(["one", "two", topic, "three"]);
    expect(topicsIn(edited(before, add("r2", 0, topic)))).toEqual(["one", "two", "three", topic]);
    expect(topicsIn(edited(before, update("r2", { topic })))).toEqual(["one", "two", topic]);
    expect(topicsIn(edited("- [ ] one\n- [x] two\n", update("r0", { topic })))).toEqual([topic, "two"]);
  });

  it.each([...LIKE_MARKUP, "\\- item", "\\1. one", "1\\. one"])(
    "stores %j as a line of a note, or refuses it",
    (line) => {
      const note = `before\n${line}`;
      const isOpenFence = /^(?:```|~~~)/.test(line);
      const isUnderline = /^(?:-{2,}|=+)$/.test(line);
      const expectStored = (before: string, isRefused: boolean) => {
        const change = () => edited(before, update("r0", { note }));
        if (isRefused) return expect(change).toThrow("nothing was changed");
        const { count, topic, note: noteOf } = parseOutline(Buffer.from(change()));
        expect([topic(0), noteOf(0), count]).toEqual(["one", note, parseOutline(Buffer.from(before)).count]);
      };
      for (const item of ["- one\n- two\n", "- one\n  with a note\n- two\n"]) expectStored(item, false);
      for (const section of ["# one\n\n# two\n", "one\n===\n\nText.\n"])
        expectStored(section, isUnderline || (isOpenFence && section.includes("two")));
    },
  );

  describe.each(UNICODE_WHITE_SPACE)("keeps $name, which Markdown does not count as white space,", ({ character }) => {
    const topics = [`${character}a`, `a${character}`, `${character}a ${character}`, character, `a #${character}`];

    it("at the ends of a topic", () =>
      topics.forEach((topic) => {
        const list = "- one\n- [ ] two\n  - three\n";
        expect(topicsIn(edited(list, add(null, 1, topic)))).toEqual(["one", topic, "two", "three"]);
        expect(topicsIn(edited(list, update("r1", { topic })))).toEqual(["one", topic, "three"]);
        const moved = edited(list, update("r2", { topic }), move("r2", null, 0));
        expect(topicsIn(moved)).toEqual([topic, "one", "two"]);

        const sections = "# one\n\ntwo\n===\n";
        expect(topicsIn(edited(sections, add(null, 1, topic)))).toEqual(["one", topic, "two"]);
        expect(topicsIn(edited(sections, update("r0", { topic })))).toEqual([topic, "two"]);
        expect(topicsIn(edited(sections, update("r1", { topic })))).toEqual(["one", topic]);

        const plain = "one\n\ttwo\n";
        expect(topicsIn(edited(plain, add("r0", 1, topic)))).toEqual(["one", "two", topic]);
        expect(topicsIn(edited(plain, update("r1", { topic })))).toEqual(["one", topic]);
      }));

    it("in a note, also alone on a line of it", () => {
      const note = `${character}\n${character}\`\`\`\n- a${character}\n${character}`;
      const list = "- one\n  - two\n";
      const changed = edited(list, update("r1", { note }), move("r1", null, 0));
      expect(parseOutline(Buffer.from(changed)).note(0)).toBe(note);
      expect(parseOutline(Buffer.from(edited("# one\n", update("r0", { note })))).note(0)).toBe(note);
    });
  });

  it("refuses a byte order mark at the beginning of a plain list, which would not be read back as text", () => {
    expect(() => edited("one\n\ttwo\n", update("r0", { topic: "\uFEFFone" }))).toThrow("nothing was changed");
  });

  it("refuses a topic of several lines", () => {
    expect(() => edited(MARKDOWN, update("r0", { topic: "a\nb" }))).toThrow("single line");
    expect(() => edited(MARKDOWN, update("r0", { topic: "a\u0007" }))).toThrow("U+0007");
  });

  it("moves the last row below the one before it in a file without a final line break", () => {
    expect(edited("- a\n- b", move("r1", "r0", 0))).toBe("- a\n  - b");
    expect(edited("- a\r\n  - x\r\n- b", move("r2", "r0", 1))).toBe("- a\r\n  - x\r\n  - b");
  });

  it("indents a row like its siblings in a list that is indented unevenly", () => {
    const two = "  - a\n  - b\n\nWords.\n\n- c\n- d\n";
    expect(difference(two, edited(two, add(null, 4, "e")))).toEqual(["", "- e\n"]);
    expect(difference(two, edited(two, add(null, 2, "e")))).toEqual(["", "  - e\n"]);
    expect(edited(" - a\n- b\n", move("r0", null, 1))).toBe("- b\n- a\n");
    expect(edited("   - a\n1. b\n", move("r0", null, 1))).toBe("1. b\n- a\n");
    expect(edited("- a\n    - b\n\t\t- c\n", move("r1", null, 1))).toBe("- a\n- b\n\t- c\n");
  });

  it("moves the last subsection out of a section and keeps the blank lines around it", () => {
    const before = "# A\n\n## B\n\n### C\n\n# D\n";
    expect(edited(before, move("r2", "r0", 1))).toBe("# A\n\n## B\n\n## C\n\n# D\n");
  });

  it("returns notes without the indentation that their lines have in common", () => {
    const noteOf = (text: string) => parseOutline(Buffer.from(text)).note(0);
    expect(noteOf("- a\n\tnote\n\n\tmore\n")).toBe("note\n\nmore");
    expect(noteOf("1. a\n     note\n       further in\n")).toBe("note\n  further in");
    expect(edited("- a\n\tnote\n", update("r0", { note: "other\n  one" }))).toBe("- a\n\tother\n\t  one\n");
    expect(edited("- a\n\t- b\n", update("r1", { note: "n" }))).toBe("- a\n\t- b\n\t\tn\n");
    expect(edited("- a\n", update("r0", { note: "  n\n\n  m" }))).toBe("- a\n  n\n\n  m\n");
  });

  it("deletes the only row of a section though the text after it becomes the text of the section", () => {
    const before = "# A\n\n- only\n\nWords.\n\n# B\n\n- b\n";
    expect(edited(before, { kind: "delete", id: "r1" })).toBe("# A\n\nWords.\n\n# B\n\n- b\n");
    expect(edited(before, move("r1", "r2", 0))).toBe("# A\n\nWords.\n\n# B\n\n- only\n- b\n");
    expect(edited("- a\n  n\n  - x\n  m\n", { kind: "delete", id: "r1" })).toBe("- a\n  n\n  m\n");
  });

  it("refuses what Markdown cannot represent at a position", () => {
    expect(() => edited(MARKDOWN_SECTIONS, move("r4", "r1", 0))).toThrow("heading cannot be below a list item");
    expect(() => edited(MARKDOWN_SECTIONS, update("r4", { state: "checked" }))).toThrow("cannot have a checkbox");
    expect(() => edited(MARKDOWN_SECTIONS, update("r6", { state: "checked" }))).toThrow("cannot have a checkbox");
    expect(() => edited(MARKDOWN, update("r0", { note: "```\nunclosed" }))).toThrow("nothing was changed");
  });
});

it.each([
  ["Markdown", "- [ ] Ship release\n  - [x] Test\n  - plain\n"],
  [
    "OPML",
    '<opml><body><outline text="Ship release" _status="unchecked"><outline text="Test" _status="checked"/><outline text="plain"/></outline></body></opml>',
  ],
])("in %s the box of a parent is its own: shown, ticked and removed without those below it", (_, text) => {
  const statesIn = (source: string) => {
    const parsed = parseOutline(Buffer.from(source));
    const ids = Array.from({ length: parsed.count }, (__, i) => `r${i}`);
    const outline = outlineOf(parsed, ids, { name: "n", path: null, version: "1" });
    return ids.map((id) => outline.row(id)!.state);
  };
  expect(statesIn(text)).toEqual(["unchecked", "checked", "none"]);
  const ticked = edited(text, update("r0", { state: "checked" }));
  expect(statesIn(ticked)).toEqual(["checked", "checked", "none"]);
  expect(statesIn(edited(ticked, update("r0", { state: "unchecked" })))).toEqual(["unchecked", "checked", "none"]);
  expect(statesIn(edited(ticked, update("r0", { state: "none" })))).toEqual(["none", "checked", "none"]);
});

it("several edits are applied in order, or none of them is", () => {
  expect(edited("- a\n- b\n", { kind: "delete", id: "r0" }, add("r1", 0, "c"), move("r1", null, 0))).toBe(
    "- b\n  - c\n",
  );
  expect(() => edited("- a\n", { kind: "delete", id: "r0" }, update("r0", { topic: "x" }))).toThrow(
    "Row not found: r0",
  );
});

it("a row cannot be moved into itself, and new rows cannot be nested too deeply", () => {
  expect(() => edited(V3, move("aaaaaaaaaaa", "bbbbbbbbbbb", 0))).toThrow("into itself");
  let deep = { topic: "deepest", children: [] as object[] };
  for (let level = 0; level < 600; level++) deep = { topic: "level", children: [deep] };
  expect(() => edited(OPML, { kind: "add", position: { parentId: null, index: 0 }, rows: [deep as never] })).toThrow(
    "levels deep",
  );
});

describe("a plain list", () => {
  const PLAIN = "Shopping\n\tMilk\n\tEggs\n\nWork\n\tCall Ann\n";

  it("has one row per line", () => {
    const parsed = parseOutline(Buffer.from(PLAIN));
    expect([...parsed.parents]).toEqual([-1, 0, 0, -1, 3]);
    expect(parseOutline(Buffer.from("Just prose.\nMore of it.\n\n    code\n")).count).toBe(0);
    expect(parseOutline(Buffer.from("---\ntags:\n  a: b\n---\nProse.\n")).count).toBe(0);
  });

  it("writes new rows in its own style", () => {
    expect(difference(PLAIN, edited(PLAIN, add("r0", 1, "Tea", { children: [{ topic: "Green" }] })))).toEqual([
      "",
      "Tea\n\t\tGreen\n\t",
    ]);
    expect(edited(PLAIN, move("r4", "r1", 0))).toBe("Shopping\n\tMilk\n\t\tCall Ann\n\tEggs\n\nWork\n");
    expect(edited(PLAIN, update("r3", { topic: "- Job" }))).toContain("\\- Job\n");
  });

  it("refuses notes and checkboxes", () => {
    expect(() => edited(PLAIN, update("r1", { note: "n" }))).toThrow("plain list");
    expect(() => edited(PLAIN, update("r1", { state: "checked" }))).toThrow("cannot have a checkbox");
  });
});
