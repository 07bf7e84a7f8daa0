import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { renamePieces, type Piece } from "../../../test/references/tagged-pieces.ts";
import type { LinkedText } from "../links/links.ts";
import { factsOf } from "../note-facts.ts";
import { readTagRename, type TagRename } from "./tag-name.ts";
import { renameTagIn } from "./tags.ts";
import { withEdits } from "./text-edit.ts";

const RENAME: TagRename = { from: "a", to: "x" };

function renamed(text: string, rename = RENAME, kind: LinkedText = "markdown"): string {
  return withEdits(text, renameTagIn(text, kind, rename).edits);
}

const note = (yaml: string) => `---\n${yaml}\n---\nbody\n`;

describe("a renamed tag in the text of a note", () => {
  it.each([
    ["at the beginning, in a line and at the end", "#a b #a, (see) #a", "#x b #x, (see) #x"],
    ["in any case", "#A", "#x"],
    ["with the tags below it", "#a/b #a/b/c #A/B", "#x/b #x/b/c #x/B"],
    ["with a slash at its end", "#a/ and #a/b/", "#x/ and #x/b/"],
    [
      "in headings, lists, quotes, tasks and tables",
      "# T #a\n- #a\n> #a\n- [ ] #a\n| #a | b |",
      "# T #x\n- #x\n> #x\n- [ ] #x\n| #x | b |",
    ],
    ["directly after another tag", "#b#a#c #a#a", "#b#x#c #x#x"],
    ["with CRLF and a byte order mark", "\uFEFF#a\r\n#a\r\n", "\uFEFF#x\r\n#x\r\n"],
    ["before punctuation", "#a. #a! #a: #a; #a) #a's", "#x. #x! #x: #x; #x) #x's"],
  ])("is renamed %s", (_, before, after) => {
    expect(renamed(before)).toBe(after);
  });

  it.each([
    ["of a longer word", "#ab #a-b #a_b #a1 #aé"],
    ["below another tag", "#b/a #b/a/c"],
    ["in the middle of a word", "b#a http://b/#a (#a) /#a"],
    ["that is escaped", "\\#a"],
    ["of a heading without white space in between", "##a ###a"],
    ["in code", "`#a` `` #a ``\n```\n#a\n```\n~~~\n#a\n~~~"],
    ["in comments", "%%#a%% %% #a %%\n<!-- #a -->\n%%\n#a\n%%"],
    ["in maths", "$x #a$\n$$\n#a\n$$"],
    ["in links", "[[N #a]] [[N#a]] [[N|see #a]] ![[N #a]] [t](<u.md #a>) [t](#a) [t](u.md#a)"],
    ["in the attributes of HTML", `<b style="color: #a">t</b> <i title=' #a'/>`],
    ["of other properties", "---\ntopic: '#a'\ntagged: a\nnote: |\n  #a\n---\n"],
  ])("leaves the text %s", (_, text) => {
    expect(renamed(text)).toBe(text);
  });

  it("is renamed beside what only looks like HTML", () => {
    expect(renamed("1 <b #a c> d=e")).toBe("1 <b #x c> d=e");
  });

  it("may get a name below itself, above itself, or in another case", () => {
    expect(renamed("#a #a/b", { from: "a", to: "a/c" })).toBe("#a/c #a/c/b");
    expect(renamed("#a/b #a/b/c #a", { from: "a/b", to: "a" })).toBe("#a #a/c #a");
    expect(renamed("#a #A #aB", { from: "a", to: "A" })).toBe("#A #A #aB");
  });

  it("is the same in both compositions of an accent", () => {
    expect(renamed("#cafe\u0301 #caf\u00e9 #cafe", { from: "caf\u00e9", to: "bar" })).toBe("#bar #bar #cafe");
  });

  it("keeps the case of letters whose other case is longer", () => {
    expect(renamed("#\u0130/b #i\u0307/b", { from: "\u0130", to: "x" })).toBe("#x/b #x/b");
  });

  it("names the headings that it changes", () => {
    const { headings } = renameTagIn("# One #a\n#a\n\nTwo #a/b\n---\n## Three\n", "markdown", RENAME);
    expect(headings).toEqual([
      { from: "One #a", to: "One #x" },
      { from: "Two #a/b", to: "Two #x/b" },
    ]);
  });
});

describe("a renamed tag in properties", () => {
  it.each([
    ["a list", "tags:\n  - a # why\n  -   'a/b'\n  - \"A\"\n  - b", "tags:\n  - x # why\n  -   'x/b'\n  - b"],
    ["a list at the margin", "tags:\n- b\n- a", "tags:\n- b\n- x"],
    ["a list in brackets", "tags: [b,   a , 'a/c']  # why", "tags: [b,   x , 'x/c']  # why"],
    ["brackets on several lines", "tags: [\n  a,\n  b\n]", "tags: [\n  x,\n  b\n]"],
    ["a text", "tags: a", "tags: x"],
    ["a text with commas", "tags: b, a, a/c", "tags: b, x, x/c"],
    ["a text with spaces", "tags: b a   c", "tags: b x   c"],
    ["a quoted text", `tags: "b, #a"`, `tags: "b, #x"`],
    ["a text on several lines", "tags: >-\n  b\n  a\nc: 1", "tags: >-\n  b\n  x\nc: 1"],
    ["a block of lines", "tags: |\n  b\n  a\n", "tags: |\n  b\n  x\n"],
    ["marks", `tags: ["#a", '##a/b']`, `tags: ["#x", '##x/b']`],
    ["an escape", 'tags: ["\\u0061"]', 'tags: ["x"]'],
    ["either name in any case", "Tag: a\nTAGS: [a]", "Tag: x\nTAGS: [x]"],
    ["quoted names", `"tags": [a]\n'tag': a`, `"tags": [x]\n'tag': x`],
    ["braces", `{tags: [a], b: 1}`, `{tags: [x], b: 1}`],
    ["a value that others repeat", "tags: &t a\ntag: *t", "tags: &t x\ntag: *t"],
    ["CRLF", "tags:\r\n  - a\r\n  - b\r", "tags:\r\n  - x\r\n  - b\r"],
  ])("keeps the form of %s", (_, before, after) => {
    expect(renamed(note(before))).toBe(note(after));
  });

  it.each([
    ["in a list", "tags:\n  - b\n  - a # gone\n  - X # stays\nc: 1", "tags:\n  - b\n  - X # stays\nc: 1"],
    ["in a list, if it comes first", "tags:\n  - x\n  - a", "tags:\n  - x"],
    ["in brackets", "tags: [a, b, x]", "tags: [b, x]"],
    ["in brackets, at the end", "tags: [x, b, a, A]", "tags: [x, b]"],
    ["in brackets, all but one", "tags: [a, x, A]", "tags: [x]"],
    ["in a text", "tags: a, b, x", "tags: b, x"],
    ["in a text, at the end", "tags: x b a", "tags: x b"],
    ["below the new name", "tags: [a/b, x/b, a]", "tags: [x/b, x]"],
    ["whether marked or not", `tags: ["#x", a]`, `tags: ["#x"]`],
  ])("makes no second tag %s", (_, before, after) => {
    expect(renamed(note(before))).toBe(note(after));
  });

  it("leaves tags that were there twice before, if they are not renamed", () => {
    expect(renamed(note("tags: [b, b, a]"))).toBe(note("tags: [b, b, x]"));
  });

  it.each([
    ["null", '"null"'],
    ["true", '"true"'],
    ["no", '"no"'],
    ["1e3", '"1e3"'],
    ["2026-01-01", '"2026-01-01"'],
    ["-", '"-"'],
    ["x/1", "x/1"],
  ])("quotes the name %s if it must", (to, written) => {
    for (const [before, after] of [
      ["tags: a", `tags: ${written}`],
      ["tags:\n  - a", `tags:\n  - ${written}`],
      ["tags: [a, b]", `tags: [${written}, b]`],
      ["tags: 'a'", `tags: '${to}'`],
    ] as const)
      expect(renamed(note(before), { from: "a", to })).toBe(note(after));
  });

  it("renames numbers and words with spaces, which only a list can hold", () => {
    expect(renamed(note("tags: [2026, b]"), { from: "2026", to: "y2026" })).toBe(note("tags: [y2026, b]"));
    expect(renamed(note("tags:\n  - my tag"), { from: "my tag", to: "my-tag" })).toBe(note("tags:\n  - my-tag"));
  });

  it.each([
    ["an alias to another property", "topics: &t [a]\ntags: *t"],
    ["a list that another property repeats", "tags: &t [a]\ntopics: *t"],
    ["broken YAML", "tags: [a\nb: 1"],
  ])("leaves %s, and says so", (_, yaml) => {
    const { edits, fault } = renameTagIn(`${note(yaml)}#a\n`, "markdown", RENAME);
    expect(withEdits(`${note(yaml)}#a\n`, edits)).toBe(`${note(yaml)}#x\n`);
    expect(fault).toMatch(/YAML/);
  });
});

describe("a renamed tag in other files", () => {
  it("is renamed in the cards of a canvas, and nothing else is touched", () => {
    const canvas = (tag: string) =>
      `{"nodes":[{"id":"#a","type":"text","text":"Say \\"#a\\"\\n#${tag} \\u0023a \`#a\`\\n#${tag}/b","x":1},{"type":"file","file":"#a.md"}],\n\t"edges":[{"label":"#a"}]}`;
    // An escaped mark is a mark.
    expect(renamed(canvas("a"), RENAME, "canvas")).toBe(canvas("x").replace("\\u0023a", "\\u0023x"));
  });

  it.each([
    [`filters: file.hasTag("a")`, `filters: file.hasTag("x")`],
    [`filters: 'file.hasTag("a", "b", "#a/c")'`, `filters: 'file.hasTag("x", "b", "#x/c")'`],
    [`filters:\n  and:\n    - '!file.hasTag(''a'')'`, `filters:\n  and:\n    - '!file.hasTag(''x'')'`],
    [
      `f: file.tags.contains("#a") || tags.containsAny("b", "a")`,
      `f: file.tags.contains("#x") || tags.containsAny("b", "x")`,
    ],
    [`f: note["tags"].containsAll("a")`, `f: note["tags"].containsAll("x")`],
    [`f: file.hasTag("ab") && name == "a" && formula.tags.contains("a") && hasTagged("a")`, undefined],
  ])("is renamed in the formula %s", (before, after = before) => {
    expect(renamed(before, RENAME, "base")).toBe(after);
  });
});

describe("a new name", () => {
  it.each(["two words", "", "#", "1984", "a.b", "/a", "a/", "a//b", "a,b", "a#b", "x".repeat(201), "\u0001"])(
    "cannot be %j",
    (name) => {
      expect(() => readTagRename("a", name)).toThrow(/cannot be a tag/);
    },
  );

  it.each([
    ["#b", "b"],
    [" b ", "b"],
    ["y1984", "y1984"],
    ["été/日本", "été/日本"],
    ["🌲", "🌲"],
  ])("may be %j", (sent, to) => {
    expect(readTagRename("#a/", sent)).toEqual({ from: "a", to });
  });

  it("is proposed where the one that was sent cannot be a tag", () => {
    const hintFor = (name: string) => {
      try {
        return readTagRename("a", name);
      } catch (error) {
        return (error as { hint: string }).hint;
      }
    };
    expect(hintFor("My new: tag!")).toMatch(/For example: My-new-tag$/);
    expect(hintFor("1984")).not.toMatch(/example/);
  });

  it("must differ from the old one", () => {
    expect(() => readTagRename("#a", "a")).toThrow("called #a already");
  });
});

describe("any note", () => {
  const tag = fc.constantFrom("a", "A", "a/b", "ab", "b", "b/a", "x", "x/b", "a-b", "é");
  const piece: fc.Arbitrary<Piece> = fc.oneof(
    fc.record({ kind: fc.constantFrom("tag", "heading", "item", "chained"), tag }),
    fc.record({
      kind: fc.constantFrom("word", "code", "fence", "link", "comment", "attribute", "escaped", "address"),
      tag,
    }),
    fc.record({
      kind: fc.constantFrom("list", "brackets", "text"),
      tags: fc.array(tag, { minLength: 1, maxLength: 4 }),
    }),
  ) as fc.Arbitrary<Piece>;

  it("is as a plain second implementation makes it", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom(RENAME, { from: "a/b", to: "x" }, { from: "a", to: "a/b" }, { from: "A", to: "b" }),
        fc.boolean(),
        (pieces, rename, crlf) => {
          const { before, after } = renamePieces(pieces, rename);
          const lines = (text: string) => (crlf ? text.replaceAll("\n", "\r\n") : text);
          expect(renamed(lines(before), rename)).toBe(lines(after));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("has the tags that its tags become, and nothing more to rename", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("#", "a", "b", "/", " ", "\n", "`", "[", "]", "-", ":", ","),
          maxLength: 60,
        }),
        (text) => {
          const after = renamed(text);
          const expected = factsOf(text).tags.map((name) => name.replace(/^a(?=\/|$)/, "x"));
          expect(new Set(factsOf(after).tags)).toEqual(new Set(expected));
          expect(renamed(after)).toBe(after);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it.each(["#a ", "#a#a", "<b c='", "<a b ", "#a/", "# #a\n", '"#a" ', "///", "[[#a", "<b c='#a' "])(
  "takes linear time for a text of %j",
  (piece) => {
    expectLinearTimeForText(piece, (text) => renamed(text));
  },
);

it("takes linear time for a long list", () => {
  expectLinearTimeForText("a, b, ", (text) => renamed(note(`tags: [${text}]`)), 200_000);
});
