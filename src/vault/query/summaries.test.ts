// The default summaries of a column, as Obsidian documents them.
import { expect, it } from "vitest";
import { DateValue, plain, type Value } from "../bases/bases.ts";
import { DEFAULT_SUMMARIES, summaryNamed } from "./summaries.ts";

const day = (month: number) => new DateValue(new Date(2026, month, 1).getTime(), { isDay: true });
const NUMBERS: readonly Value[] = [4, null, 1, "x", 3, 1];
const DATES: readonly Value[] = [day(2), null, day(0), day(1)];
const FLAGS: readonly Value[] = [true, false, true, null];

const CASES: readonly (readonly [name: string, values: readonly Value[], summary: unknown])[] = [
  ["Average", NUMBERS, 2.25],
  ["Min", NUMBERS, 1],
  ["Max", NUMBERS, 4],
  ["Sum", NUMBERS, 9],
  ["Range", NUMBERS, 3],
  ["Median", NUMBERS, 2],
  ["Median", [5, 1, 2], 2],
  ["Stddev", [2, 4, 4, 4, 5, 5, 7, 9], 2],
  ["Earliest", DATES, "2026-01-01"],
  ["Latest", DATES, "2026-03-01"],
  ["Range", [day(1), day(1)], "0 milliseconds"],
  ["Checked", FLAGS, 2],
  ["Unchecked", FLAGS, 1],
  ["Empty", NUMBERS, 1],
  ["Filled", NUMBERS, 5],
  ["Unique", NUMBERS, 4],
  ["Average", [], null],
  ["Min", [], null],
  ["Median", [], null],
  ["Stddev", [], null],
  ["Range", [], null],
  ["Earliest", [], null],
];

it.each(CASES)("%s of %j", (name, values, expected) => {
  expect(plain(summaryNamed(name, {})!(values, () => null))).toEqual(expected);
});

it("has a case for each", () => {
  expect(new Set(CASES.map(([name]) => name.toLowerCase()))).toEqual(new Set(Object.keys(DEFAULT_SUMMARIES)));
});

it("knows no others", () => {
  expect(summaryNamed("Mode", {})).toBeUndefined();
  expect(summaryNamed("constructor", {})).toBeUndefined();
});
