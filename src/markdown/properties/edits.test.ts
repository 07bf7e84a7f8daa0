import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProperties } from "./frontmatter.ts";
import { Problem } from "../../kernel/problem.ts";
import { updateProperties } from "./edits.ts";

/** The YAML after the change, without dashes and body. */
function update(yaml: string, set: Record<string, unknown>, unset: string[] = []): string {
  const { text } = updateProperties(`---\n${yaml}---\nbody\n`, set, unset);
  expect(text.startsWith("---\n")).toBe(true);
  expect(text.endsWith("---\nbody\n")).toBe(true);
  return text.slice(4, -"---\nbody\n".length);
}

const FULL = [
  "# about this note",
  "title:   'It''s here'   # the title",
  "",
  "# when",
  "date: 2024-01-31",
  "tags: # topics",
  "    - one # first",
  '    - "two"',
  "    # the end of the topics",
  "aliases: [a,  'b']",
  "empty:",
  "text: |-  # long",
  "  line 1",
  "  line 2",
  "",
  "last: 0x1F",
  "# the end",
  "",
].join("\n");

describe("setting a property", () => {
  it("replaces the value alone: spaces and the comment beside it stay", () => {
    expect(update(FULL, { title: "Other" })).toBe(FULL.replace("'It''s here'", "'Other'"));
    expect(update(FULL, { date: "2025-02-01" })).toBe(FULL.replace("2024-01-31", "2025-02-01"));
    expect(update(FULL, { last: 5 })).toBe(FULL.replace("0x1F", "5"));
  });

  it("fills an empty one", () => {
    expect(update(FULL, { empty: "now" })).toBe(FULL.replace("empty:", "empty: now"));
    expect(update("a: # why\nb: 1\n", { a: 2 })).toBe("a: 2 # why\nb: 1\n");
    expect(update("a: # why\nb: 1\n", { a: ["x"] })).toBe("a: # why\n  - x\nb: 1\n");
  });

  it("adds to a list in the list's own indentation, with the comments that it has", () => {
    expect(update(FULL, { tags: ["one", "two", "three"] })).toBe(
      FULL.replace('    - "two"\n', '    - "two"\n    - three\n'),
    );
    expect(update(FULL, { tags: ["two"] })).toBe(FULL.replace("    - one # first\n", ""));
  });

  it("keeps a list in brackets in brackets", () => {
    expect(update("a: [x, 'y'] # c\n", { a: ["x", "y", "z"] })).toBe("a: [x, 'y', z] # c\n");
    expect(update("a: [ x ]\n", { a: ["x", "y"] })).toBe("a: [ x, y ]\n");
  });

  it("keeps a list at the margin at the margin", () => {
    expect(update("a:\n- x\nb: 1\n", { a: ["x", "y"] })).toBe("a:\n- x\n- y\nb: 1\n");
    expect(update("a:\n- x\n", { b: ["y"] })).toBe("a:\n- x\nb:\n- y\n");
  });

  it("changes one entry of a map and leaves its neighbours", () => {
    expect(update("m:\n    a: 'x' # c\n    b: 2 # d\nn: 1\n", { m: { a: "x", b: 3 } })).toBe(
      "m:\n    a: 'x' # c\n    b: 3 # d\nn: 1\n",
    );
  });

  it("turns a line into a list, and a list or a block of text into a line", () => {
    expect(update("a: x # c\nb: 1\n", { a: ["x", "y"] })).toBe("a: # c\n  - x\n  - y\nb: 1\n");
    expect(update(FULL, { tags: "one" })).toBe(
      FULL.replace('tags: # topics\n    - one # first\n    - "two"\n', "tags: one # topics\n"),
    );
    expect(update(FULL, { text: "short" })).toBe(
      FULL.replace("text: |-  # long\n  line 1\n  line 2\n", "text: short # long\n"),
    );
  });

  it("writes text of several lines as a block", () => {
    expect(update("a: 1 # c\n", { a: "x\ny" })).toBe("a: |- # c\n  x\n  y\n");
  });

  it("adds new ones at the end, in the order given", () => {
    expect(update(FULL, { z: 1, y: "2" })).toBe(`${FULL}z: 1\ny: "2"\n`);
  });

  it.each([
    ["[[Some note]]", '"[[Some note]]"'],
    ["[[a|b]]", '"[[a|b]]"'],
    ["![[x.png]]", '"![[x.png]]"'],
    ["#tag", '"#tag"'],
    ["a: b", '"a: b"'],
    ["5", '"5"'],
    ["true", '"true"'],
    ["0b11", '"0b11"'],
    ["no", '"no"'],
    ["", '""'],
    ["2024-01-31", "2024-01-31"],
    ["two words", "two words"],
  ])("writes the text %j as %s", (value, written) => {
    expect(update("a: 1\n", { b: value })).toBe(`a: 1\nb: ${written}\n`);
    expect(update("b: 1\n", { b: value })).toBe(`b: ${written}\n`);
  });

  it("quotes links in lists too", () => {
    expect(update("a: 1\n", { up: ["[[x]]", "y"] })).toBe('a: 1\nup:\n  - "[[x]]"\n  - y\n');
  });

  it("keeps CRLF", () => {
    const text = "---\r\n# c\r\na: 1 # d\r\nt:\r\n  - x # e\r\n---\r\nbody\r\n";
    expect(updateProperties(text, { a: "p\nq", t: ["x", "y"], b: ["z"] }, []).text).toBe(
      "---\r\n# c\r\na: |- # d\r\n  p\r\n  q\r\nt:\r\n  - x # e\r\n  - y\r\nb:\r\n  - z\r\n---\r\nbody\r\n",
    );
  });

  it("changes nothing if the property has the value already, however it is written", () => {
    const text = `---\n${FULL}---\nbody\n`;
    const set = { title: "It's here", tags: ["one", "two"], last: 31, empty: null, text: "line 1\nline 2" };
    expect(updateProperties(text, set, [])).toEqual({ text, set: [], unset: [] });
  });

  it("says what it changed", () => {
    const { set, unset } = updateProperties("---\na: 1\nb: 2\nc: 3\n---\n", { a: 1, b: 3, d: 4 }, ["c", "e"]);
    expect({ set, unset }).toEqual({ set: ["b", "d"], unset: ["c"] });
  });

  it("keeps properties in braces in braces", () => {
    expect(update('{"a": 1, "b": "x"}\n', { b: "y", c: 2 })).toBe('{"a": 1, "b": "y", c: 2}\n');
  });

  it("finds a name however it is written", () => {
    expect(update("'a b': 1\n2024: x\n? long\n: y\n", { 2024: "z" })).toBe("'a b': 1\n2024: z\nlong: y\n");
    expect(update("'a b': 1 # c\n", { "a b": 2 })).toBe("'a b': 2 # c\n");
    expect(update("2024: x\n", { 2024: "z" })).toBe("2024: z\n");
  });

  it("keeps the margin of indented properties", () => {
    expect(update("  a: 1\n  b:\n    - x\n", { b: ["x", "y"], c: ["z"] })).toBe(
      "  a: 1\n  b:\n    - x\n    - y\n  c:\n    - z\n",
    );
  });
});

describe("an empty frontmatter", () => {
  it("is filled, in the line endings of the note", () => {
    expect(updateProperties("---\r\n---\r\nbody", { a: ["x"] }, []).text).toBe("---\r\na:\r\n  - x\r\n---\r\nbody");
    expect(updateProperties("---\n# c\n---\n", { a: 1 }, []).text).toBe("---\n# c\na: 1\n---\n");
  });
});

describe("a note without frontmatter", () => {
  it("gets one at the top, in its own line endings", () => {
    expect(updateProperties("# Title\n", { a: 1 }, []).text).toBe("---\na: 1\n---\n# Title\n");
    expect(updateProperties("# Title\r\n", { a: ["x"] }, []).text).toBe("---\r\na:\r\n  - x\r\n---\r\n# Title\r\n");
    expect(updateProperties("", { a: 1 }, []).text).toBe("---\na: 1\n---\n");
  });

  it("stays without if there is nothing to set", () => {
    expect(updateProperties("# Title\n", {}, ["a"])).toEqual({ text: "# Title\n", set: [], unset: [] });
  });

  it("is as before when what was set is unset again", () => {
    const text = "# Title\n";
    expect(updateProperties(updateProperties(text, { a: 1 }, []).text, {}, ["a"]).text).toBe(text);
  });
});

describe("unsetting a property", () => {
  it("removes its lines and the comments beside and within it, and leaves the ones above", () => {
    expect(update(FULL, {}, ["date"])).toBe(FULL.replace("date: 2024-01-31\n", ""));
    expect(update(FULL, {}, ["title"])).toBe(FULL.replace("title:   'It''s here'   # the title\n", ""));
    expect(update(FULL, {}, ["tags"])).toBe(FULL.replace(/tags: [^]*(?=aliases)/, ""));
    expect(update(FULL, {}, ["text"])).toBe(FULL.replace("text: |-  # long\n  line 1\n  line 2\n", ""));
    expect(update(FULL, {}, ["empty", "last"])).toBe(FULL.replace("empty:\n", "").replace("last: 0x1F\n", ""));
  });

  it("of one that is not there changes nothing", () => {
    const text = "---\na: 1\n---\n";
    expect(updateProperties(text, {}, ["b"])).toEqual({ text, set: [], unset: [] });
  });

  it("removes the block with the last one, but not one that still has a comment", () => {
    expect(updateProperties("---\na: 1\n---\nbody\n", {}, ["a"]).text).toBe("body\n");
    expect(updateProperties("---\n# c\na: 1\n---\nbody\n", {}, ["a"]).text).toBe("---\n# c\n---\nbody\n");
    expect(updateProperties("---\n{a: 1}\n---\nbody\n", {}, ["a"]).text).toBe("body\n");
  });
});

describe("what is refused, with the note as it was", () => {
  it.each([
    ["YAML with an error", "a: [1\n", { b: 1 }],
    ["a name that comes twice", "a: 1\na: 2\n", { b: 1 }],
    ["a list", "- a\n", { b: 1 }],
    ["plain words", "words\n", { b: 1 }],
    ["a change of a value that another one repeats", "a: &x 1\nb: *x\n", { a: 2 }],
    [
      "a line that stands between a text and blank lines that would become its own",
      "a: |+\n  x\nb: 1\n\nc: 1\n",
      {},
      ["b"],
    ],
    ["a second document", "a: 1\n...\nb: 2\n", { c: 1 }],
    ["an empty name", "a: 1\n", { " ": 1 }],
    ["a name of two lines", "a: 1\n", { "b\nc": 1 }],
  ])("%s", (_, yaml, set, unset: string[] = []) => {
    expect(() => update(yaml, set, unset)).toThrow(Problem);
  });

  it("a value that is not data", () => {
    expect(() => update("a: 1\n", { b: undefined })).toThrow(Problem);
    expect(() => update("a: 1\n", { b: () => 1 })).toThrow(Problem);
    expect(() => update("a: 1\n", { b: 1n })).toThrow(Problem);
  });

  it("the same name in set and in unset", () => {
    expect(() => update("a: 1\n", { a: 2 }, ["a"])).toThrow(/both/);
  });

  it("but an anchor elsewhere does not prevent it", () => {
    expect(update("a: &x 1\nb: *x\nc: 1\n", { c: 2 })).toBe("a: &x 1\nb: *x\nc: 2\n");
  });
});

describe("any properties at all", () => {
  const word = fc.constantFrom(
    "a",
    "b c",
    "null",
    "1_0",
    "- x",
    "[[n]]",
    "#t",
    "é",
    "k: v",
    "~",
    "'q\"",
    "日本",
    "2024-01-01",
  );
  const string = fc.oneof(
    word,
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const line = fc.oneof(
    word,
    fc.constantFrom("", " ", "\n", "x\n", "\n\n", "a\nb", "a\n\n", " a\n  b", "a\r\nb", "---\nx"),
    string,
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      line,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(word, tie("value"), { maxKeys: 3 }),
    ),
  }));
  const writable = (data: unknown): boolean =>
    // Characters that YAML cannot hold are refused; that has its own test.
    // oxlint-disable-next-line no-control-regex
    !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF\uFEFF]/.test(strings(data)) &&
    strings(data).isWellFormed();
  const strings = (data: unknown): string =>
    typeof data === "string"
      ? data
      : typeof data === "object" && data !== null
        ? Object.entries(data).flat().map(strings).join("")
        : "";
  const record = fc.dictionary(word, value, { maxKeys: 5 }).filter(writable);
  const normal = (data: unknown): unknown => JSON.parse(JSON.stringify(data));

  it("read back as they were set, whatever was there before", () => {
    fc.assert(
      fc.property(
        record,
        record,
        fc.subarray(["a", "b c", "null", "é"]),
        fc.boolean(),
        (first, second, unset, crlf) => {
          const removed = unset.filter((name) => !Object.hasOwn(second, name));
          const body = crlf ? "body\r\nmore\r\n" : "body\nmore\n";
          const before = updateProperties(body, first, []).text;
          expect(readProperties(before).properties).toEqual(normal(first));
          const after = updateProperties(before, second, removed).text;
          const expected = { ...first, ...second };
          for (const name of removed) delete expected[name];
          expect(readProperties(after).properties).toEqual(normal(expected));
          expect(after.endsWith(body)).toBe(true);
          expect(after.replaceAll("\r\n", "").includes(crlf ? "\n" : "\r")).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("leave every line of the others as it is", () => {
    const property = fc.constantFrom(
      "{}: 'q' # c",
      "{}:  plain   # c",
      "{}: # c\n- 'x' # d\n-   y",
      "{}:\n    k:   v # c\n    # d",
      "{}: [a,   'b'] # c",
      "{}: |\n   text\n\n   more\n",
      "{}: >- # c\n  text",
      "# above\n{}:",
      '\n{}: "a\\\n  b"',
    );
    const shape = fc.array(property, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(shape, fc.nat(), value.filter(writable), fc.boolean(), (shapes, pick, data, removes) => {
        const sources = shapes.map((source, i) => `${source.replace("{}", `p${i}`)}\n`);
        const chosen = pick % sources.length;
        const text = `---\n${sources.join("")}---\nbody\n`;
        const { text: after } = removes
          ? updateProperties(text, {}, [`p${chosen}`])
          : updateProperties(text, { [`p${chosen}`]: data }, []);
        const start = after === "body\n" ? 0 : 4;
        const above = sources.slice(0, chosen).join("");
        const below = sources.slice(chosen + 1).join("");
        expect(after.slice(start, start + above.length)).toBe(above);
        expect(after.endsWith(`${below}${start === 0 ? "" : "---\n"}body\n`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
