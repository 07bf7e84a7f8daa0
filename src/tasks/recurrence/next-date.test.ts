import { describe, expect, it } from "vitest";
import { dayNamed, dayOf, writtenDay } from "./dates.ts";
import { nextDate } from "./next-date.ts";
import { parseRule } from "./rule.ts";

function next(rule: string, from: string): string | undefined {
  const day = nextDate(parseRule(rule)!, dayOf(from)!);
  return day === undefined ? undefined : writtenDay(day);
}

describe("the next date of a recurring task", () => {
  // Documented by the Tasks plugin, in "Recurring Tasks" and its tests.
  const cases: readonly (readonly [rule: string, from: string, ...next: string[]])[] = [
    ["every Sunday", "2021-04-25", "2021-05-02", "2021-05-09"],
    ["every week", "2021-02-06", "2021-02-13"],
    ["every 2 weeks", "2021-10-30", "2021-11-13"],
    ["every day", "2023-10-15", "2023-10-16"],
    ["every 3 days", "2023-10-30", "2023-11-02"],
    ["every weekday", "2026-11-19", "2026-11-20", "2026-11-23"],
    ["every week on Sunday", "2026-11-17", "2026-11-22"],
    ["every week on Tuesday, Friday", "2026-11-17", "2026-11-20", "2026-11-24"],
    ["every 3 weeks on Friday", "2026-11-20", "2026-12-11"],
    ["every 3 weeks on Friday", "2026-11-17", "2026-11-20"],
    ["every month on the last", "2022-01-31", "2022-02-28", "2022-03-31", "2022-04-30", "2022-05-31", "2022-06-30"],
    ["every month", "2021-10-31", "2021-11-30", "2021-12-30", "2022-01-30", "2022-02-28", "2022-03-28"],
    ["every month on the 31st", "2022-01-31", "2022-03-31", "2022-05-31", "2022-07-31", "2022-08-31"],
    ["every 3 months", "2022-01-31", "2022-04-30", "2022-07-30"],
    ["every 2 months", "2023-12-31", "2024-02-29"],
    ["every 11 months", "2020-03-31", "2021-02-28"],
    ["every 13 months", "2020-01-31", "2021-02-28"],
    ["every 2 years", "2024-02-29", "2026-02-28"],
    ["every year", "2024-02-29", "2025-02-28", "2026-02-28"],
    ["every year", "2026-11-17", "2027-11-17"],
    ["every month on the 1st", "2026-11-17", "2026-12-01", "2027-01-01"],
    ["every month on the last Friday", "2026-11-17", "2026-11-27", "2026-12-25"],
    ["every month on the 2nd last Friday", "2026-11-17", "2026-11-20", "2026-12-18"],
    ["every 6 months on the 2nd Wednesday", "2026-11-11", "2027-05-12"],
    ["every January on the 15th", "2026-11-17", "2027-01-15", "2028-01-15"],
    ["every February on the last", "2026-11-17", "2027-02-28", "2028-02-29"],
    [
      "every April and December on the 1st and 24th",
      "2026-11-17",
      "2026-12-01",
      "2026-12-24",
      "2027-04-01",
      "2027-04-24",
    ],
    ["every month on Monday", "2026-11-17", "2026-11-23"],
    ["every 2 weeks on weekdays", "2026-11-20", "2026-11-30"],
    ["every mon, wed and fri", "2026-11-17", "2026-11-18", "2026-11-20", "2026-11-23"],
    ["EVERY 10 DAYS WHEN DONE", "2026-11-17", "2026-11-27"],
    ["every month on the 15th and last", "2026-11-17", "2026-11-30", "2026-12-15"],
    ["every March on the first Sunday", "2026-11-17", "2027-03-07"],
    ["every year in March", "2026-11-17", "2027-03-17"],
    ["every February on the 5th Thursday", "2025-04-21", "2052-02-29"],
  ];
  it.each(cases)("%s, from %s", (rule, from, ...expected) => {
    let date = from;
    for (const each of expected) expect((date = next(rule, date)!)).toBe(each);
  });

  it("does not exist for a day that no month has", () => {
    expect(next("every 12 months on the 31st", "2026-02-10")).toBeUndefined();
    expect(next("every February on the 30th", "2026-02-10")).toBeUndefined();
  });
});

describe("a rule", () => {
  // Invalid for the plugin, ignored in part by it, or of another meaning than its words.
  const refused = [
    "",
    "every",
    "daily",
    "every two weeks",
    "every 0 days",
    "every day on Monday",
    "every week on the 1st",
    "every week on the 1st Monday",
    "every year on the 15th",
    "every year in March on the 15th",
    "every Monday,",
    "every month on the 1st and",
    "every hour",
    "every 5 minutes",
    "every day at 5",
    "every week for 3 times",
    "every week until January 1 2027",
    "every year in week 5",
    "every week please",
    "every month on the 32nd",
    "every month on the 6th Monday",
    "every month on",
    "when done",
    "every Blursday",
  ];
  it.each(refused)("is refused: %j", (rule) => {
    expect(parseRule(rule)).toBeUndefined();
  });

  it("says whether it counts from the day of being done", () => {
    expect(parseRule("every week when done")).toMatchObject({ isFromDone: true });
    expect(parseRule("every week")).toMatchObject({ isFromDone: false });
  });
});

describe("a day that a caller names", () => {
  // A Tuesday.
  const today = dayOf("2026-11-17")!;
  it.each([
    ["2026-12-01", "2026-12-01"],
    ["2026-12-01T10:00:00Z", "2026-12-01"],
    ["Today", "2026-11-17"],
    ["yesterday", "2026-11-16"],
    ["tomorrow", "2026-11-18"],
    ["tuesday", "2026-11-24"],
    ["next friday", "2026-11-20"],
    ["7d", "2026-11-24"],
    ["in 2 weeks", "2026-12-01"],
    ["2026-02-30", undefined],
    ["soon", undefined],
    ["", undefined],
  ])("%s", (sent, expected) => {
    const day = dayNamed(sent, today);
    expect(day === undefined ? undefined : writtenDay(day)).toBe(expected);
  });
});
