import { describe, expect, it } from "vitest";
import { offeredText } from "./offered-tools.ts";

const KNOWN = ["search", "search_outline", "get_row", "get_outline_structure", "history", "open_document", "undo"];
const offering =
  (...names: string[]) =>
  (name: string) =>
    KNOWN.includes(name) ? names.includes(name) : undefined;

describe("a hint", () => {
  it.each([
    ['To find a row: search_outline {"query":"x"}', 'To find a row: search {"query":"x","kinds":["outline"]}'],
    ["get_row {rowId: id}", "get_outline_structure {}"],
    ["history lists the ids; undo without an id takes the last.", "undo without an id takes the last."],
    ["Check the setting. Or open one with open_document.", "Check the setting."],
    ["open_document lists them.", undefined],
    [
      'Send since: "all" with search_query, and look at the history of the note.',
      'Send since: "all" with search_query, and look at the history of the note.',
    ],
  ])("names only tools that the caller has: %s", (hint, shown) => {
    expect(offeredText(hint, offering("search", "get_outline_structure", "undo"))).toBe(shown);
    expect(offeredText(hint, offering(...KNOWN))).toBe(hint);
  });
  it.each([
    ['No note has that path. To look for its words: search {"query":"x"}', "No note has that path."],
    ['Undo the later one first: undo {"id":"x"}', undefined],
    ["Did you mean 'Search {x}.md'?", "Did you mean 'Search {x}.md'?"],
    ["Search for it, or undo it.", "Search for it, or undo it."],
  ])("names no call to a caller without tools: %s", (hint, shown) => {
    expect(offeredText(hint, offering())).toBe(shown);
  });
});
