import { describe, expect, it } from "vitest";
import { daysOf, isOfTime } from "./note-times.ts";

const LONG_AGO = new Date(1999, 0, 1).getTime();
const at = (day: string) => new Date(`${day}T12:00`).getTime();

function isOf(note: { path?: string; modified?: number; created?: number }, first: string, last: string): boolean {
  const [start, end] = [new Date(`${first}T00:00`), new Date(`${last}T00:00`)];
  end.setDate(end.getDate() + 1);
  const span = { start: start.getTime(), end: end.getTime() };
  return isOfTime({ path: "a.md", modified: LONG_AGO, created: 0, ...note }, span, daysOf(span));
}

describe("a note is of a time", () => {
  it.each([
    ["2024-03-05.md", "2024-03-05", "2024-03-05", true],
    ["log/20240305 Standup.md", "2024-03-01", "2024-03-31", true],
    ["2024_03_05.md", "2024-03-06", "2024-03-31", false],
    ["2024-13-05.md", "2024-01-01", "2024-12-31", false],
    ["Invoice 120240305.md", "2024-03-01", "2024-03-31", false],
    ["2024-W10.md", "2024-03-10", "2024-03-31", true],
    ["2024-W10.md", "2024-03-05", "2024-03-05", true],
    ["2024w10.md", "2024-03-11", "2024-03-31", false],
    ["2021-W01.md", "2021-01-04", "2021-01-04", true],
    ["2021-W01.md", "2021-01-03", "2021-01-03", false],
    ["2024-03.md", "2024-03-01", "2024-03-31", true],
    ["2024-03 Review.md", "2024-01-01", "2024-12-31", true],
    ["2024-03.md", "2024-03-05", "2024-03-05", false],
    ["2024.md", "2024-01-01", "2024-12-31", false],
    ["2024-03-05/Plan.md", "2024-03-05", "2024-03-05", false],
  ])("by its name: %s from %s to %s: %s", (path, first, last, expected) => {
    expect(isOf({ path }, first, last)).toBe(expected);
  });

  it("if it was changed or made in it, unless it was made after its last change, as a copy is", () => {
    const [march, may] = [at("2024-03-05"), at("2024-05-05")];
    expect(isOf({ modified: march }, "2024-03-01", "2024-03-31")).toBe(true);
    expect(isOf({ modified: may, created: march }, "2024-03-01", "2024-03-31")).toBe(true);
    expect(isOf({ modified: march, created: may }, "2024-05-01", "2024-05-31")).toBe(false);
    expect(isOf({ modified: may, created: march }, "2024-04-01", "2024-04-30")).toBe(false);
  });

  it("that has no beginning or no end, too; a disk that does not store when a note was made says nothing", () => {
    const until = { start: Number.NEGATIVE_INFINITY, end: at("2024-03-05") };
    const since = { start: at("2024-03-05"), end: Number.POSITIVE_INFINITY };
    const note = { path: "2030-01-01.md", modified: at("2025-01-01"), created: 0 };
    expect(isOfTime(note, until, daysOf(until))).toBe(false);
    expect(isOfTime({ ...note, modified: LONG_AGO }, since, daysOf(since))).toBe(true);
    expect(isOfTime({ ...note, path: "2001-01-01.md" }, until, daysOf(until))).toBe(true);
  });
});
