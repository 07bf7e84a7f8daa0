import { expect, it } from "vitest";
import { sourcesResult } from "./fields.ts";

const STATE = {
  name: "codex",
  title: "Codex",
  conversations: 0,
  archived: 0,
  messages: 0,
  transcripts: 0,
  looked: [],
  isReached: true,
  isImported: false,
  skipped: [],
  unreadable: [],
} as const;
const noteOf = (more: object) => sourcesResult([{ ...STATE, ...more }], true)["codex"]!.note;
const looked = (...there: boolean[]) => there.map((isThere) => ({ place: "x", isThere }));

it("a source without conversations says why, if that is known", () => {
  expect(noteOf({ isReached: false })).toBe("being indexed");
  expect(noteOf({ looked: looked(false, false) })).toBe("not installed here");
  expect(noteOf({ looked: looked(false, true) })).toBeUndefined();
  expect(noteOf({ isImported: true })).toBe("no export imported");
  expect(noteOf({ isReached: false, conversations: 3 })).toBeUndefined();
});
