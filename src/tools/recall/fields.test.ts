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

it("lists every source only if details are asked for, and without conversations those that are installed", () => {
  const states = Array.from({ length: 50 }, (_, at) => ({ ...STATE, name: `program${at}`, looked: looked(at === 40) }));
  expect(Object.keys(sourcesResult(states, false))).toEqual(["program0", "program1", "program2", "program40"]);
  expect(Object.keys(sourcesResult(states, true))).toHaveLength(50);
  const withSome = states.map((state, at) => (at === 7 ? { ...state, conversations: 1 } : state));
  expect(Object.keys(sourcesResult(withSome, false))).toEqual(["program7"]);
});
