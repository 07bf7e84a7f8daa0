import { describe, expect, it } from "vitest";
import { findBlock } from "./blocks.ts";
import { Problem } from "../kernel/problem.ts";

function block(text: string, id: string): string {
  const { start, end } = findBlock(text, id);
  return text.slice(start, end);
}

describe("a block with an id", () => {
  it.each([
    ["a paragraph", "a\n\nb\nc ^x\n\nd\n", "b\nc ^x\n"],
    ["a paragraph below a heading", "# h\nb ^x\nc\n", "b ^x\n"],
    ["a heading", "a\n# h ^x\nb\n", "# h ^x\n"],
    ["a list item", "- a\n- b ^x\n- c\n", "- b ^x\n"],
    ["a list item with what is nested in it", "- a\n- b ^x\n  - c\n\n    d\n- e\n", "- b ^x\n  - c\n\n    d\n"],
    ["a list item of two lines", "1. a\n2. b\n   c ^x\n3. d\n", "2. b\n   c ^x\n"],
    ["a quote whose id stands below it", "a\n\n> b\n> c\n\n^x\n\nd\n", "> b\n> c\n\n^x\n"],
    ["a table whose id stands right below it", "a\n\n| b |\n| - |\n^x\n\nd\n", "| b |\n| - |\n^x\n"],
    ["a whole list whose id stands below it", "a\n\n- b\n- c\n\n^x\n", "- b\n- c\n\n^x\n"],
    ["a whole list whose id stands right below it", "a\n\n- b\n- c\n^x\n", "- b\n- c\n^x\n"],
    ["code whose id stands below it", "a\n```\nb\n\nc\n```\n\n^x\n", "```\nb\n\nc\n```\n\n^x\n"],
    ["the last line of a file without a newline", "a\r\n\r\nb ^x", "b ^x"],
  ])("is %s", (_, text, expected) => {
    expect(block(text, "^x")).toBe(expected);
  });

  it("is found with or without the caret, and in any case", () => {
    expect(block("a ^aB-1\n", "aB-1")).toBe("a ^aB-1\n");
    expect(block("a ^aB-1\n", "^ab-1")).toBe("a ^aB-1\n");
    expect(block("a ^aB-1\n", "#^aB-1")).toBe("a ^aB-1\n");
    expect(block("a ^ab\n\nb ^AB\n", "AB")).toBe("b ^AB\n");
  });

  it("is not in code, in frontmatter or in the middle of a line", () => {
    const text = "---\na: b ^x\n---\n```\na ^x\n```\na ^x b\na^x\n\nc ^y\n";
    expect(() => findBlock(text, "x")).toThrow("The note has no block ^x. It has ^y.");
  });

  it("is refused if its id occurs twice, or is empty", () => {
    expect(() => findBlock("a ^x\n\nb ^x\n", "x")).toThrow(/several lines \(1, 3\)/);
    expect(() => findBlock("a ^x\n", "^")).toThrow(Problem);
  });
});
