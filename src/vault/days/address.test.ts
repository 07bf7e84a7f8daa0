import { describe, expect, it } from "vitest";
import { addressIn, startNamed } from "./address.ts";
import { dateOf, dayNumber, ENGLISH_WEEK, ISO_WEEK, type WeekRule } from "./calendar.ts";

/** Monday, 16 November 2026. */
const TODAY = dayNumber(2026, 11, 16);

function start(sent: string, week: WeekRule = ENGLISH_WEEK, today = TODAY): string | undefined {
  const address = addressIn(sent);
  const day = address && startNamed(address, today, week);
  if (day === undefined) return undefined;
  const { year, month, day: ofMonth } = dateOf(day);
  return [year, month, ofMonth].map((part) => String(part).padStart(2, "0")).join("-");
}

describe("an address", () => {
  it.each([
    ["daily:today", "2026-11-16"],
    ["daily:", "2026-11-16"],
    ["daily:this", "2026-11-16"],
    ["Daily: Today", "2026-11-16"],
    ["daily:yesterday", "2026-11-15"],
    ["daily:last", "2026-11-15"],
    ["daily:tomorrow", "2026-11-17"],
    ["daily:next", "2026-11-17"],
    ["daily:2026-11-15", "2026-11-15"],
    ["daily:2024-02-29", "2024-02-29"],
    ["weekly:", "2026-11-15"],
    ["weekly:this", "2026-11-15"],
    ["weekly:today", "2026-11-15"],
    ["weekly:last", "2026-11-08"],
    ["weekly:previous", "2026-11-08"],
    ["weekly:next", "2026-11-22"],
    ["weekly:2026-W46", "2026-11-08"],
    ["weekly:2026-w1", "2025-12-28"],
    ["weekly:2026-11-21", "2026-11-15"],
    ["monthly:", "2026-11-01"],
    ["monthly:last", "2026-10-01"],
    ["monthly:next", "2026-12-01"],
    ["monthly:2026-11", "2026-11-01"],
    ["monthly:2026-02-28", "2026-02-01"],
    ["quarterly:this", "2026-10-01"],
    ["quarterly:next", "2027-01-01"],
    ["quarterly:2026-Q1", "2026-01-01"],
    ["quarterly:2026-Q4", "2026-10-01"],
    ["yearly:", "2026-01-01"],
    ["yearly:last", "2025-01-01"],
    ["yearly:2026", "2026-01-01"],
    ["yearly:2026-11-15", "2026-01-01"],
  ])("%s is the period that begins on %s", (sent, begins) => {
    expect(start(sent)).toBe(begins);
  });

  it("of a week begins where its numbers do", () => {
    expect(start("weekly:2026-W46", ISO_WEEK)).toBe("2026-11-09");
    expect(start("weekly:this", ISO_WEEK)).toBe("2026-11-16");
    expect(start("weekly:2026-W53", ISO_WEEK)).toBe("2026-12-28");
    expect(start("weekly:2025-W53", ISO_WEEK)).toBeUndefined();
  });

  it("counts over the ends of months and years", () => {
    expect(start("daily:yesterday", ENGLISH_WEEK, dayNumber(2024, 3, 1))).toBe("2024-02-29");
    expect(start("daily:tomorrow", ENGLISH_WEEK, dayNumber(2026, 12, 31))).toBe("2027-01-01");
    expect(start("monthly:last", ENGLISH_WEEK, dayNumber(2026, 1, 31))).toBe("2025-12-01");
    expect(start("monthly:next", ENGLISH_WEEK, dayNumber(2026, 1, 31))).toBe("2026-02-01");
    expect(start("quarterly:last", ENGLISH_WEEK, dayNumber(2026, 2, 1))).toBe("2025-10-01");
  });

  it.each([
    "daily:2026-02-30",
    "daily:2026-13-01",
    "daily:2026-11",
    "daily:2026",
    "daily:15.11.2026",
    "daily:monday",
    "daily:constructor",
    "daily:0999-01-01",
    "weekly:2026-W54",
    "weekly:2026-W0",
    "weekly:2026-Q1",
    "monthly:2026",
    "monthly:2026-13",
    "quarterly:2026-Q5",
    "quarterly:2026-11",
    "yearly:26",
  ])("%s names no period", (sent) => {
    expect(addressIn(sent)).toBeDefined();
    expect(start(sent)).toBeUndefined();
  });

  it.each(["daily", "Daily/today", "daily:x/y.md", "daily:\\x", "hourly:today", "c:today", "my daily:today"])(
    "%s is an ordinary path",
    (sent) => expect(addressIn(sent)).toBeUndefined(),
  );
});
