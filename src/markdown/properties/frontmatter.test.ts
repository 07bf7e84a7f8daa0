import { describe, expect, it } from "vitest";
import { frontmatterRange, readProperties } from "./frontmatter.ts";

describe("the frontmatter of a note", () => {
  it("lies between two lines of dashes at the very top", () => {
    const text = "---\na: 1\n---\nbody\n";
    const range = frontmatterRange(text)!;
    expect(text.slice(range.contentStart, range.contentEnd)).toBe("a: 1\n");
    expect(text.slice(range.end)).toBe("body\n");
  });

  it.each([
    ["an empty one", "---\n---\nbody", "", "body"],
    ["one with CRLF and spaces behind the dashes", "--- \r\na: 1\r\n---\t\r\nbody", "a: 1\r\n", "body"],
    ["one that the file ends with", "---\na: 1\n---", "a: 1\n", ""],
    ["one with dashes within a line", "---\na: x --- y\nb: ----\n---\n", "a: x --- y\nb: ----\n", ""],
  ])("may be %s", (_, text, content, body) => {
    const range = frontmatterRange(text)!;
    expect(text.slice(range.contentStart, range.contentEnd)).toBe(content);
    expect(text.slice(range.end)).toBe(body);
  });

  it.each([
    ["text above it", "\n---\na: 1\n---\n"],
    ["a space in front of it", " ---\na: 1\n---\n"],
    ["no closing line", "---\na: 1\nbody\n"],
    ["four dashes", "----\na: 1\n----\n"],
    ["nothing at all", ""],
    ["dashes alone", "---"],
  ])("is not recognised with %s", (_, text) => {
    expect(frontmatterRange(text)).toBeUndefined();
  });
});

describe("reading properties", () => {
  const read = (yaml: string) => readProperties(`---\n${yaml}\n---\nbody\n`);

  it("gives text, numbers, truth values, lists and maps", () => {
    const yaml = 'title: "A: b"\ncount: 3\ndone: true\ntags: [a, b]\nnested:\n  x: null\nlist:\n- 1.5\n- two';
    expect(read(yaml)).toEqual({
      properties: {
        title: "A: b",
        count: 3,
        done: true,
        tags: ["a", "b"],
        nested: { x: null },
        list: [1.5, "two"],
      },
      broken: undefined,
    });
  });

  it("leaves dates and times the strings that they are", () => {
    expect(read("a: 2024-01-31\nb: 2024-01-31T10:00:00Z\nc: 12:30").properties).toEqual({
      a: "2024-01-31",
      b: "2024-01-31T10:00:00Z",
      c: "12:30",
    });
  });

  it("knows no words but true and false for truth", () => {
    expect(read("a: yes\nb: off").properties).toEqual({ a: "yes", b: "off" });
  });

  it.each(["", "# only a comment", "~"])("is empty for %j", (yaml) => {
    expect(read(yaml)).toEqual({ properties: {}, broken: undefined });
  });

  it.each([
    ["a bracket that never closes", "a: [1", /not valid YAML/],
    ["a name that comes twice", "a: 1\nb: 2\na: 3", /line 4: duplicated mapping key/],
    ["a tab for indentation", "a:\n\tb: 1", /not valid YAML/],
    ["a list instead of names", "- a\n- b", /not a list of properties/],
    ["a plain sentence", "just words", /not a list of properties/],
    ["code for another language", "a: !!js/function 'function () {}'", /not valid YAML/],
    ["a value inside itself", "a: &a [*a]", /inside themselves/],
    ["brackets, a hundred thousand deep", `a: ${"[".repeat(100_000)}`, /not valid YAML/],
  ])("says that it is broken for %s, and gives no properties", (_, yaml, sentence) => {
    const { properties, broken } = read(yaml);
    expect(broken).toMatch(sentence);
    expect(properties).toEqual({});
  });

  it("does not blow up for aliases of aliases of aliases", () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    expect(read(["l0: &l0 [x]", ...levels].join("\n")).broken).toMatch(/too many values/);
  });

  it("takes a property that is named like a part of JavaScript for a name", () => {
    const { properties } = read("__proto__: 1\nconstructor: 2");
    expect(Object.keys(properties)).toEqual(["__proto__", "constructor"]);
  });
});
