// Days of the map.
import { describe, expect, it } from "vitest";
import { dateOf } from "../../../format/format.ts";
import { countSince, dayCounts, daysUntil, nextDay, shadeOf } from "./day-counts.ts";

describe("the days of the map", () => {
  it("are 53 weeks from a Monday to today, each once, whatever the clock does", () => {
    for (const now of ["2026-11-17T00:00", "2026-03-29T23:59", "2026-10-26T12:00", "2024-03-01T01:00"]) {
      const days = daysUntil(Date.parse(now), 53);
      expect(days.at(-1)).toBe(now.slice(0, 10));
      expect(new Set(days).size).toBe(days.length);
      expect(new Date(`${days[0]}T12:00`).getDay()).toBe(1);
      expect(days.length).toBeGreaterThan(52 * 7);
      expect(days.length).toBeLessThanOrEqual(53 * 7);
      for (const [i, day] of days.slice(0, -1).entries()) expect(nextDay(day)).toBe(days[i + 1]);
    }
  });

  it("count the hours of the person's own days", () => {
    const at = (time: string) => ({ key: new Date(time).toISOString().slice(0, 13), count: 2 });
    const counts = dayCounts([at("2026-02-03T00:00"), at("2026-02-03T23:00"), at("2026-02-04T00:00")]);
    expect([...counts]).toEqual([
      ["2026-02-03", 4],
      ["2026-02-04", 2],
    ]);
    expect(dateOf(Date.parse("2026-02-03T23:59"))).toBe("2026-02-03");
    const since = ["2026-02-05", "2026-02-04", "2026-02-03", "2025-02-04"];
    const hours = [at("2026-02-03T00:00"), at("2026-02-04T23:00")];
    expect(since.map((day) => countSince(hours, day))).toEqual([0, 2, 4, 4]);
  });

  it("are darker the more there are, and never empty with one", () => {
    expect([0, 1, 25, 26, 75, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 1, 2, 3, 4]);
  });
});
