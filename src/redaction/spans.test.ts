import fc from "fast-check";
import { expect, it } from "vitest";
import { lastGroups, lineAt, matchAt, replaceSpans } from "./spans.ts";

it("keeps every character outside of the spans, however they overlap", () => {
  const span = fc.record({ start: fc.nat(30), length: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), (found) => {
      const text = "abcdefghijklmnopqrstuvwxyz\n0123456789\n";
      const spans = found.map(({ start, length }) => ({ start, end: start + length, name: "key" }));
      const isSecret = [...text].map((_, at) => spans.some(({ start, end }) => start <= at && at < end));
      const begins = (at: number) => !isSecret[at - 1] || !spans.some(({ start, end }) => start < at && at < end);
      const expected = [...text].map((letter, at) => (!isSecret[at] ? letter : begins(at) ? "[redacted: key]" : ""));
      expect(replaceSpans(text, spans)).toBe(expected.join(""));
    }),
  );
});

it("names spans that overlap as the first of them in the list, and those that touch each by its own name", () => {
  const [key, password, token] = [
    { start: 4, end: 8, name: "key" },
    { start: 0, end: 5, name: "password" },
    { start: 8, end: 10, name: "token" },
  ] as const;
  expect(replaceSpans("0123456789!", [key, password])).toBe("[redacted: key]89!");
  expect(replaceSpans("0123456789!", [password, key])).toBe("[redacted: password]89!");
  expect(replaceSpans("0123456789!", [key, password, token])).toBe("[redacted: key][redacted: token]!");
  const within = { start: 1, end: 3, name: "token" };
  expect(replaceSpans("0123456789!", [password, within])).toBe("[redacted: password]56789!");
  expect(replaceSpans("0123456789!", [within, password])).toBe("[redacted: token]56789!");
});

it("finds the last group of each match that is a secret", () => {
  const found = lastGroups("a=11 b=22 a=33", /([ab])=(\d+)/g, "key", (value) => value !== "22");
  expect(found).toEqual([
    { start: 2, end: 4, name: "key" },
    { start: 12, end: 14, name: "key" },
  ]);
});

it("finds the line at an offset, and matches at an offset alone", () => {
  expect(lineAt("one\ntwo\nthree", 4)).toEqual({ line: "two", end: 7 });
  expect(lineAt("one\ntwo\nthree", 9)).toEqual({ line: "hree", end: 13 });
  expect(matchAt(/t(w|h)/y, "one\ntwo\nthree", 4)).toMatchObject({ end: 6, groups: { 0: "tw", 1: "w" } });
  expect(matchAt(/t(w|h)/y, "one\ntwo\nthree", 3)).toBeUndefined();
});
