import { describe, expect, it } from "vitest";
import { MARKDOWN_RULES } from "../../../test/references/markdown-rules.ts";
import { factsOf } from "../note-facts.ts";
import { scanMarkdown } from "./scanner.ts";

describe("the scanner of notes follows the rules of Markdown:", () => {
  it.each(MARKDOWN_RULES)("$rule", ({ text, headings, tasks = [] }) => {
    const found = scanMarkdown(text).headings.map((heading) => `${"#".repeat(heading.level)} ${heading.text}`);
    expect(found).toEqual(headings);
    expect(factsOf(text).tasks.map((task) => `[${task.status.toLowerCase()}] ${task.text}`)).toEqual(tasks);
  });
});
