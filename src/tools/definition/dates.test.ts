// Spans of time by name, in zones on both sides of UTC, at the turn of a year,
// and where clocks are changed.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "../../kernel/kernel.ts";
import { spanOf, startOf } from "./dates.ts";

const ZONES = ["UTC", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland"];

describe.each(ZONES)("in %s", (zone) => {
  const before = process.env["TZ"];
  beforeEach(() => {
    process.env["TZ"] = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  /** As local dates, the last day included. */
  const daysOf = (sent: string, now: Date) => {
    const span = spanOf(sent, now.getTime());
    if (span === undefined) return undefined;
    const date = (time: number) => new Date(time).toLocaleDateString("sv");
    return `${date(span.start)} to ${date(span.end - 1)}`;
  };
  // A Monday.
  const now = () => new Date(2026, 10, 16, 0, 30);

  it.each([
    ["2026-03-05", "2026-03-05 to 2026-03-05"],
    ["2026/3/5", "2026-03-05 to 2026-03-05"],
    ["2026-03", "2026-03-01 to 2026-03-31"],
    ["2025", "2025-01-01 to 2025-12-31"],
    ["2026-W01", "2025-12-29 to 2026-01-04"],
    ["2026w10", "2026-03-02 to 2026-03-08"],
    ["today", "2026-11-16 to 2026-11-16"],
    ["Yesterday", "2026-11-15 to 2026-11-15"],
    ["this week", "2026-11-16 to 2026-11-22"],
    ["last week", "2026-11-09 to 2026-11-15"],
    ["since last month", "2026-10-01 to 2026-10-31"],
    ["last year", "2025-01-01 to 2025-12-31"],
    ["monday", "2026-11-16 to 2026-11-16"],
    ["last monday", "2026-11-09 to 2026-11-09"],
    ["friday", "2026-11-13 to 2026-11-13"],
    ["7d", "2026-11-09 to 2026-11-09"],
    ["2 w", "2026-11-02 to 2026-11-02"],
    ["last 10 days", "2026-11-06 to 2026-11-06"],
    ["two weeks ago", "2026-11-02 to 2026-11-02"],
    ["a month ago", "2026-10-16 to 2026-10-16"],
    ["3m", "2026-08-16 to 2026-08-16"],
    ["1y", "2025-11-16 to 2025-11-16"],
    ["March 5, 2026", "2026-03-05 to 2026-03-05"],
    ["march 2026", "2026-03-01 to 2026-03-31"],
    ["Feb 2024", "2024-02-01 to 2024-02-29"],
    ["in march", "2026-03-01 to 2026-03-31"],
    ["November", "2026-11-01 to 2026-11-30"],
    ["last november", "2025-11-01 to 2025-11-30"],
    ["last march", "2026-03-01 to 2026-03-31"],
    ["december", "2025-12-01 to 2025-12-31"],
    ["sept", "2026-09-01 to 2026-09-30"],
    ["March 5", "2026-03-05 to 2026-03-05"],
    ["5th of december", "2025-12-05 to 2025-12-05"],
    ["5 mar 2025", "2025-03-05 to 2025-03-05"],
  ])("%s is %s", (sent, days) => {
    expect(daysOf(sent, now())).toBe(days);
  });

  it.each([
    "",
    "soon",
    "2026-13",
    "2026-02-30",
    "2026-W54",
    "last fortnight",
    "7 parsecs",
    "d",
    "marching",
    "30 february",
    "5 march 6",
  ])("%j is no span", (sent) => {
    expect(daysOf(sent, now())).toBeUndefined();
  });

  it("all is no start, and the sentence about a bad since names it", () => {
    expect(startOf("since", " All ")).toBeUndefined();
    const hintOf = (name: string) => {
      try {
        return startOf(name, "soon");
      } catch (error) {
        return (error as Problem).hint;
      }
    };
    expect(hintOf("since")).toContain("7d, all;");
    expect(hintOf("start")).toContain("7d;");
  });

  it("a month before the 31st is the last day of a shorter month", () => {
    expect(daysOf("1m", new Date(2026, 2, 31))).toBe("2026-02-28 to 2026-02-28");
  });

  it("a time with its zone is that moment", () => {
    expect(spanOf("2026-03-05T10:00:00Z", 0)).toEqual({
      start: Date.UTC(2026, 2, 5, 10),
      end: Date.UTC(2026, 2, 5, 10),
    });
  });
});
