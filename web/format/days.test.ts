// Days and counts per day.
import { describe, expect, it } from "vitest";
import { countPerDay, dayAfter, lastDays, withOthersAsOne } from "./days.ts";
import { startOfDay } from "./time.ts";

const NOW = new Date(2026, 9, 27, 15, 30).getTime();

describe("the days of a plot", () => {
  it("start at midnight and are in order, even if one has 25 hours", () => {
    const days = lastDays(5, NOW);
    expect(days.map((day) => new Date(day).getDate())).toEqual([23, 24, 25, 26, 27]);
    expect(days.every((day) => day === startOfDay(day))).toBe(true);
  });

  it("follow each other without gaps", () => {
    const days = lastDays(5, NOW);
    expect(days.map(dayAfter).slice(0, -1)).toEqual(days.slice(1));
    expect(new Date(dayAfter(days.at(-1)!)).getDate()).toBe(28);
  });

  it("have a count per name, without events of other days", () => {
    const days = lastDays(3, NOW);
    const events = [
      { time: NOW, name: "Cursor", count: 1 },
      { time: days[0]!, name: "Claude", count: 1 },
      { time: days[0]! + 1, name: "Claude", count: 4 },
      { time: days[0]! - 1, name: "Claude", count: 1 },
      { time: NOW + 24 * 60 * 60 * 1000, name: "Claude", count: 1 },
    ];
    expect(countPerDay(events, days)).toEqual([
      { name: "Claude", counts: [5, 0, 0] },
      { name: "Cursor", counts: [0, 0, 1] },
    ]);
  });

  it("have as many names as a plot has colours, and all others together", () => {
    const series = [3, 2, 1, 1].map((count, i) => ({ name: `Program ${i}`, counts: [count, 0] }));
    expect(withOthersAsOne(series, 4)).toEqual(series);
    expect(withOthersAsOne(series, 3)).toEqual([...series.slice(0, 2), { name: "2 others", counts: [2, 0] }]);
  });
});
