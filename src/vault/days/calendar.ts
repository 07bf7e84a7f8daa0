// Days, weeks, months, quarters and years of the calendar, without times: a day
// is the number of days since 1970-01-01. Pure. Used throughout days/.

/** Days since 1970-01-01. */
export type DayNumber = number;

export const DAY = 24 * 60 * 60 * 1000;

export const PERIODS = ["daily", "weekly", "monthly", "quarterly", "yearly"] as const;
export type Period = (typeof PERIODS)[number];

/** How weeks are counted. */
export interface WeekRule {
  /** The first day of a week: 0 is Sunday. */
  readonly firstWeekday: number;
  /** The day of January that is always in the first week of a year. */
  readonly inFirstWeek: number;
}

/** The weeks of ISO 8601. */
export const ISO_WEEK: WeekRule = { firstWeekday: 1, inFirstWeek: 4 };

/** The weeks of English, which Obsidian uses if nothing else is set. */
export const ENGLISH_WEEK: WeekRule = { firstWeekday: 0, inFirstWeek: 1 };

export interface CalendarDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** Months beyond the year and days beyond the month count on. */
export function dayNumber(year: number, month = 1, day = 1): DayNumber {
  // Date.UTC would take the years 0 to 99 for those after 1900.
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY;
}

export function dateOf(day: DayNumber): CalendarDate {
  const date = new Date(day * DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: DayNumber): number {
  return modulo(day + 4, 7);
}

/** How many days after the first of its week. */
export function dayInWeek(day: DayNumber, { firstWeekday }: WeekRule): number {
  return modulo(weekdayOf(day) - firstWeekday, 7);
}

/** The week that a day is in, and the year that this week belongs to. */
export function weekOf(day: DayNumber, rule: WeekRule): { readonly year: number; readonly week: number } {
  const { year: ofDay } = dateOf(day);
  const year = [ofDay + 1, ofDay].find((each) => day >= firstWeek(each, rule)) ?? ofDay - 1;
  return { year, week: Math.floor((day - firstWeek(year, rule)) / 7) + 1 };
}

/** The first day of a week; undefined if the year has no such week. */
export function startOfWeek(year: number, week: number, rule: WeekRule): DayNumber | undefined {
  const start = firstWeek(year, rule) + (week - 1) * 7;
  return week >= 1 && start < firstWeek(year + 1, rule) ? start : undefined;
}

function firstWeek(year: number, rule: WeekRule): DayNumber {
  const inside = dayNumber(year, 1, rule.inFirstWeek);
  return inside - dayInWeek(inside, rule);
}

/** The first day of the period that a day is in, or of one so many periods later. */
export function startOf(period: Period, day: DayNumber, rule: WeekRule, later = 0): DayNumber {
  const { year, month } = dateOf(day);
  switch (period) {
    case "daily":
      return day + later;
    case "weekly":
      return day - dayInWeek(day, rule) + 7 * later;
    case "monthly":
      return dayNumber(year, month + later);
    case "quarterly":
      return dayNumber(year, month - ((month - 1) % 3) + 3 * later);
    case "yearly":
      return dayNumber(year + later);
  }
}

/** The same day some months later, or the last day of a shorter month. */
export function addMonths(day: DayNumber, months: number): DayNumber {
  const { year, month, day: ofMonth } = dateOf(day);
  const start = dayNumber(year, month + months);
  const length = dayNumber(year, month + months + 1) - start;
  return start + Math.min(ofMonth, length) - 1;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
