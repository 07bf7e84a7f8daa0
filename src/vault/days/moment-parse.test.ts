import { describe, expect, it } from "vitest";
import { dateOf, dayNumber, ENGLISH_WEEK } from "./calendar.ts";
import { formatted } from "./moment-format.ts";
import { dayReader } from "./moment-parse.ts";

function read(text: string, format: string): string | undefined {
  const day = dayReader(format)(text);
  if (day === undefined) return undefined;
  const { year, month, day: ofMonth } = dateOf(day);
  return `${year}-${month}-${ofMonth}`;
}

describe("a day that is written in a format of Moment", () => {
  // Answers of moment 2.30 to moment(text, format, true).
  it.each([
    ["2026-11-17", "YYYY-MM-DD", "2026-11-17"],
    ["17.11.2026", "DD.MM.YYYY", "2026-11-17"],
    ["7.3.26", "D.M.YY", "2026-3-7"],
    ["70-01-02", "YY-MM-DD", "1970-1-2"],
    ["Tuesday, November 17th 2026", "dddd, MMMM Do YYYY", "2026-11-17"],
    ["nov 17, 2026", "MMM D, YYYY", "2026-11-17"],
    ["2026 321", "YYYY DDD", "2026-11-17"],
    ["Day 17 of 11-2026", "[Day] D [of] MM-YYYY", "2026-11-17"],
    ["2026-11", "YYYY-MM", "2026-11-1"],
    ["2026-11-17 0930", "YYYY-MM-DD HHmm", "2026-11-17"],
    ["2026-W47 2026-11-17", "GGGG-[W]WW YYYY-MM-DD", "2026-11-17"],
    ["2026-W47", "gggg-[W]ww", "2026-11-15"],
    ["2026-W47", "GGGG-[W]WW", "2026-11-16"],
    ["2026-W47-2", "GGGG-[W]WW-E", "2026-11-17"],
    ["2026-Q4", "YYYY-[Q]Q", "2026-10-1"],
    ["November 17, 2026", "LL", "2026-11-17"],
    ["(a+b) 2026-11-17", "[(a+b) ]YYYY-MM-DD", "2026-11-17"],
  ])("%j in %j is %s", (text, format, date) => {
    expect(read(text, format)).toBe(date);
  });

  it.each([
    ["2026-11-17 more", "YYYY-MM-DD"],
    ["a 2026-11-17", "YYYY-MM-DD"],
    ["2026-2-3", "YYYY-MM-DD"],
    ["2026-02-30", "YYYY-MM-DD"],
    ["2026-13-01", "YYYY-MM-DD"],
    ["Monday, 2026-11-17", "dddd, YYYY-MM-DD"],
    ["2026-W54", "gggg-[W]ww"],
    // Moment would take the current year.
    ["17th", "Do"],
    ["2026-11-17", ""],
    ["2026 366", "YYYY DDD"],
    ["17-Now-2026", "DD-MMM-YYYY"],
  ])("%j in %j is not a date", (text, format) => {
    expect(read(text, format)).toBeUndefined();
  });

  it("is read back from what the format writes", () => {
    for (const format of [
      "YYYY-MM-DD",
      "ddd D MMMM YYYY",
      "DDDD/YYYY",
      "[x]Do.M.YYYY Q",
      "dd, l",
      "E YYYYMMDD w gggg",
    ]) {
      const reader = dayReader(format);
      for (let day = dayNumber(1996, 1, 1); day < dayNumber(2030, 1, 1); day += 13)
        expect(reader(formatted({ day, milliseconds: 0, offset: 0 }, format, ENGLISH_WEEK))).toBe(day);
    }
  });
});
