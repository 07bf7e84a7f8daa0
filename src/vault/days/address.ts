// Addresses of days and other periods: `daily:today`, `weekly:2026-W46`,
// `monthly:last`. Pure. Used by days.ts.
import {
  dateOf,
  dayNumber,
  PERIODS,
  startOf,
  startOfWeek,
  type DayNumber,
  type Period,
  type WeekRule,
} from "./calendar.ts";

/** Excludes paths that begin with such a word: `daily:notes/a.md` is no day. */
const ADDRESS = new RegExp(`^(${PERIODS.join("|")}):([^/\\\\]*)$`, "i");

export interface Address {
  readonly period: Period;
  /** The part after the colon. */
  readonly when: string;
}

export function addressIn(sent: string): Address | undefined {
  const [, period, when = ""] = ADDRESS.exec(sent.trim()) ?? [];
  return period === undefined ? undefined : { period: period.toLowerCase() as Period, when: when.trim().toLowerCase() };
}

/** Periods from the current one, by name. */
const RELATIVE: Readonly<Record<string, number>> = { "": 0, this: 0, current: 0, last: -1, previous: -1, next: 1 };
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

/** The first day of the period; undefined if no period has that name. */
export function startNamed({ period, when }: Address, today: DayNumber, week: WeekRule): DayNumber | undefined {
  if (Object.hasOwn(RELATIVE, when)) return startOf(period, today, week, RELATIVE[when]!);
  if (Object.hasOwn(DAYS, when)) return startOf(period, today + DAYS[when]!, week);
  const named = dateNamed(when, week);
  if (named === undefined) return undefined;
  // A month has no one day, but every date is in one week, month, quarter and year.
  return named.period === period || named.period === "daily" ? startOf(period, named.day, week) : undefined;
}

/** The first day of what a date means, and what that is. Years have four digits. */
function dateNamed(when: string, week: WeekRule): { readonly period: Period; readonly day: DayNumber } | undefined {
  const [, years, rest = ""] = /^([1-9]\d{3})(?:-(.+))?$/.exec(when) ?? [];
  const year = Number(years);
  if (years === undefined) return undefined;
  if (rest === "") return { period: "yearly", day: dayNumber(year) };
  const [, quarter] = /^q([1-4])$/.exec(rest) ?? [];
  if (quarter !== undefined) return { period: "quarterly", day: dayNumber(year, 3 * Number(quarter) - 2) };
  const [, weeks] = /^w(\d\d?)$/.exec(rest) ?? [];
  if (weeks !== undefined) {
    const day = startOfWeek(year, Number(weeks), week);
    return day === undefined ? undefined : { period: "weekly", day };
  }
  const [, months, days] = /^(\d\d)(?:-(\d\d))?$/.exec(rest) ?? [];
  if (months === undefined) return undefined;
  const day = dayNumber(year, Number(months), Number(days ?? 1));
  const date = dateOf(day);
  // The 30th of February would be a day of March.
  if (date.month !== Number(months) || date.day !== Number(days ?? 1)) return undefined;
  return { period: days === undefined ? "monthly" : "daily", day };
}

const EXAMPLES: Readonly<Record<Period, string>> = {
  daily: "daily:today, daily:yesterday, daily:tomorrow or daily:2026-11-15",
  weekly: "weekly:this, weekly:last, weekly:next, weekly:2026-W46 or weekly:2026-11-15",
  monthly: "monthly:this, monthly:last, monthly:next or monthly:2026-11",
  quarterly: "quarterly:this, quarterly:last, quarterly:next or quarterly:2026-Q4",
  yearly: "yearly:this, yearly:last, yearly:next or yearly:2026",
};

/** For a hint. */
export function examplesOf(period: Period): string {
  return EXAMPLES[period];
}
