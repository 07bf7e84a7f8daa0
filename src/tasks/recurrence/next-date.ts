// The next date of a recurring task, by the rules that the Tasks plugin documents
// on top of rrule. Pure.
import { dateOf, dayNumber, weekdayOf } from "../../vault/vault.ts";
import type { Day } from "./dates.ts";
import type { Rule } from "./rule.ts";

/** Years that are looked at for each year of an interval: a fifth Sunday of February may be forty years away. */
const MAX_YEARS = 41;
/** Days that are looked at in any case. */
const MAX_DAYS = 366 * 1100;

/** The first day after `from` that the rule has, counted from it; undefined if there is none. */
export function nextDate(rule: Rule, from: Day): Day | undefined {
  const { unit, interval } = rule;
  let after = from;
  let next = firstAfter(rule, after);
  // A rule that names the day skips months without it; any other moves back, day by day, to one that exists.
  const isFixed = rule.monthDays.length > 0 || rule.weekdays.length > 0;
  if (unit === "month" && !isFixed)
    while (next !== undefined && monthsBetween(after, next) > interval) next = firstAfter(rule, --after);
  if (unit === "year" && (rule.months.length === 0 || interval > 1))
    while (next !== undefined && yearsBetween(after, next) > interval) next = firstAfter(rule, --after);
  return next;
}

/** The first day after `start` of the rule that begins there. */
function firstAfter(rule: Rule, start: Day): Day | undefined {
  const limit = start + Math.min(MAX_DAYS, 366 * MAX_YEARS * rule.interval);
  for (let day = start + 1; day <= limit; day++) if (isOf(rule, start, day)) return day;
  return undefined;
}

function isOf({ unit, interval, months, monthDays, weekdays }: Rule, start: Day, day: Day): boolean {
  switch (unit) {
    case "day":
      return (day - start) % interval === 0;
    case "week": {
      if ((mondayOf(day) - mondayOf(start)) % (7 * interval) !== 0) return false;
      const wanted = weekdays.length === 0 ? [weekdayOf(start)] : weekdays.map((weekday) => weekday.day);
      return wanted.includes(weekdayOf(day));
    }
    case "month":
    case "year": {
      const passed = unit === "month" ? monthsBetween(start, day) : yearsBetween(start, day);
      if (passed % interval !== 0) return false;
      const first = dateOf(start);
      const date = dateOf(day);
      const length = dayNumber(date.year, date.month + 1) - dayNumber(date.year, date.month);
      const inMonths = months.length > 0 ? months : unit === "year" ? [first.month] : [date.month];
      if (!inMonths.includes(date.month)) return false;
      if (monthDays.length === 0 && weekdays.length === 0) return date.day === first.day;
      const isDay = monthDays.length === 0 || monthDays.includes(date.day) || monthDays.includes(date.day - length - 1);
      const isWeekday =
        weekdays.length === 0 ||
        weekdays.some(({ day: weekday, nth }) => {
          if (weekday !== weekdayOf(day)) return false;
          const fromStart = Math.ceil(date.day / 7);
          const fromEnd = -Math.ceil((length - date.day + 1) / 7);
          return nth === undefined || nth === fromStart || nth === fromEnd;
        });
      return isDay && isWeekday;
    }
  }
}

/** Weeks begin on Monday. */
function mondayOf(day: Day): Day {
  return day - ((weekdayOf(day) + 6) % 7);
}

function monthsBetween(from: Day, to: Day): number {
  const [a, b] = [dateOf(from), dateOf(to)];
  return (b.year - a.year) * 12 + b.month - a.month;
}

function yearsBetween(from: Day, to: Day): number {
  return dateOf(to).year - dateOf(from).year;
}
