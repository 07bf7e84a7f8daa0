import { describe, expect, it } from "vitest";
import { rowsOfContent } from "./inserted-content.ts";
import type { NewRow } from "./model.ts";

/** Every topic with its note, from the first row to the last. */
function textsOf(rows: readonly NewRow[]): string[] {
  return rows.flatMap(({ topic, note, children = [] }) => [
    note === undefined ? topic : `${topic} (${note})`,
    ...textsOf(children),
  ]);
}

describe("inserted Markdown", () => {
  it.each([
    ["- a\n  - b\n- c", ["a", "b", "c"]],
    ["1. one\n2. two", ["one", "two"]],
    ["- [ ] to do\n- [x] done", ["to do", "done"]],
    ["# Heading\n\nIts text.\n\n- a", ["Heading (Its text.)", "a"]],
    ["- a\n  its note, with 2. in it\n- b", ["a (its note, with 2. in it)", "b"]],
    ["- naïve 日本語 *so* [[Link|x]]\n\n---\n", ["naïve 日本語 *so* [[Link|x]]"]],
  ])("becomes rows with all its text: %j", (text, expected) => {
    expect(textsOf(rowsOfContent(text, "markdown"))).toEqual(expected);
  });

  it.each([
    ["- a\n- c\n\nA whole paragraph after the list.", "A whole paragraph after the list."],
    ["Before.\n\n- a", "Before."],
    ["- a\n\n```js\nlet x = 1;\n```\n\n- b", "```js"],
    ["- a\n\n| t | u |\n| - | - |\n| 1 | 2 |\n", "| t | u |"],
    ["> - quoted\n", "> - quoted"],
    ["Nothing but text", "Nothing but text"],
  ])("is refused if some of its text would be lost: %j", (text, lost) => {
    expect(() => rowsOfContent(text, "markdown")).toThrow(
      `Some of the text belongs to no row: "${lost}". Nothing was inserted.`,
    );
  });
});

describe("content that is nested too deeply", () => {
  const levels = (count: number) => Array.from({ length: count }, (_, level) => level);
  const deep = {
    markdown: (count: number) =>
      levels(count)
        .map((level) => `${"  ".repeat(level)}- level ${level}`)
        .join("\n"),
    text: (count: number) =>
      levels(count)
        .map((level) => `${" ".repeat(level)}level ${level}`)
        .join("\n"),
    opml: (count: number) =>
      `<opml version="2.0"><body>${'<outline text="a">'.repeat(count)}${"</outline>".repeat(count)}</body></opml>`,
  } as const;

  it.each(["markdown", "text", "opml"] as const)("is refused as %s, and accepted if it is less deep", (format) => {
    expect(() => rowsOfContent(deep[format](3_000), format)).toThrow("more than 500 levels. Nothing was inserted");
    expect(rowsOfContent(deep[format](500), format)).toHaveLength(1);
  });
});
