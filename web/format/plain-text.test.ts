// Markdown as plain text, in lists.
import { describe, expect, it } from "vitest";
import { conversationTitle, withoutMarkup } from "./plain-text.ts";

describe("the title of a conversation", () => {
  it.each([
    ["Why does `parse()` drop **every** second row?", "Why does parse() drop every second row?"],
    ["Mend ``__init__.py`` and `**kwargs`", "Mend __init__.py and **kwargs"],
    ["# Plan for [[Garden/Beds|the beds]]", "Plan for the beds"],
    ["```", "Untitled"],
    ["", "Untitled"],
  ])("%j is listed as %j", (title, shown) => expect(conversationTitle(title)).toBe(shown));
});

it("a snippet has no markup of lists, tasks, callouts and links that are cut off", () => {
  expect(withoutMarkup("…> [!tip] Water\n- [ ] Sow [beans](b.md)\n* and ![[Crop rot")).toBe(
    "… Water Sow beans and Crop rot",
  );
});
