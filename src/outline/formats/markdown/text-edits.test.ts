// An edit of a list replaces what differs, and nothing beside it.
import { expect, it } from "vitest";
import { differing } from "./text-edits.ts";

it.each([
  ["- one two three", "- one 2 three", "two", "2"],
  ["- one", "- one more", "", " more"],
  ["- one more", "- one", " more", ""],
  ["- aa", "- aaa", "", "a"],
  ["- aaa", "- aa", "a", ""],
  ["- one", "1. other", "- one", "1. other"],
  ["- same", "- same", "", ""],
])("replaces of %j, to make it %j, only %j by %j", (old, wanted, replaced, by) => {
  const text = `before\n${old}\nafter`;
  const { start, end, text: inserted } = differing(text, 7, 7 + old.length, wanted);
  expect([text.slice(start, end), inserted]).toEqual([replaced, by]);
  expect(text.slice(0, start) + inserted + text.slice(end)).toBe(`before\n${wanted}\nafter`);
});
