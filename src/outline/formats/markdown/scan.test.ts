// Rows of Markdown are what the vault's scanner takes for headings, and list items.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MARKDOWN_RULES } from "../../../../test/references/markdown-rules.ts";
import { scanMarkdown } from "../../../markdown/scanner/scanner.ts";
import { CHECKED, NONE } from "../parsed-outline.ts";
import { scanRows, type MarkdownRow } from "./scan.ts";

function headingsIn(text: string): string[] {
  return scanRows(text)
    .filter(({ heading }) => heading > 0)
    .map((row) => `${"#".repeat(row.heading)} ${topicIn(text, row)}`);
}

function topicIn(text: string, { topic, topicEnd }: MarkdownRow): string {
  return text.slice(topic, topicEnd);
}

describe("the rows of an outline follow the rules of Markdown:", () => {
  it.each(MARKDOWN_RULES)("$rule", ({ text, headings, tasks = [] }) => {
    expect(headingsIn(text)).toEqual(headings);
    const items = scanRows(text).filter(({ state }) => state !== NONE);
    expect(items.map((row) => `[${row.state === CHECKED ? "x" : " "}] ${topicIn(text, row)}`)).toEqual(tasks);
  });

  it("have the headings that the vault finds in any text, except for those of several lines", () => {
    const marks = ["# ", "## b", "#", "- ", "1. ", "> ", "```", "~~~", "%%", "$$", "<!--", "-->", "===", "---", "| a"];
    const part = fc.constantFrom(...marks, "\n", "\n\n", "\r\n", " ", "  ", "    ", "\t", "a", "\\", "\uFEFF");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const expected = scanMarkdown(text)
          .headings.filter(({ start, end }) => text.slice(start, end).split("\n").length <= 2)
          .map((heading) => `${"#".repeat(heading.level)} ${heading.text}`);
        expect(headingsIn(text).map((each) => each.replace(/\s+/g, " "))).toEqual(
          expected.map((each) => each.replace(/\s+/g, " ")),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
