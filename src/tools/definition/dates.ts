// Days, weeks, months and years as people and models name them, in local time:
// what `since`, `until` and `dateRange` take. And times as results write them.
import { localDay, Problem } from "../../kernel/kernel.ts";

export interface Span {
  /** In milliseconds. */
  readonly start: number;
  /** The first millisecond after it. */
  readonly end: number;
}

export type Unit = "day" | "week" | "month" | "year";

const UNITS: Readonly<Record<string, Unit>> = { d: "day", w: "week", m: "month", y: "year" };
export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** In whole. */
export const MONTH_NAMES = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
export const NUMBERS = ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** The start of the span that an argument names; undefined if it was not sent, or is `all`. */
export function startOf(name: string, sent: string | undefined): number | undefined {
  return sent === undefined || sent.trim() === "" || isAllTime(sent) ? undefined : spanNamed(name, sent).start;
}

export function isAllTime(sent: string | undefined): boolean {
  return sent?.trim().toLowerCase() === "all";
}

/** An argument that names a day, week, month or year. */
export interface SentTime {
  readonly name: string;
  readonly sent: string | undefined;
}

/** From the start of the one to the end of the other, so that the last day is included; undefined if neither was sent. */
export function spanBetween(from: SentTime, until: SentTime): Span | undefined {
  const start = startOf(from.name, from.sent);
  const last = until.sent === undefined || until.sent.trim() === "" ? undefined : spanNamed(until.name, until.sent);
  if (start === undefined && last === undefined) return undefined;
  const span = { start: start ?? Number.NEGATIVE_INFINITY, end: last?.end ?? Number.POSITIVE_INFINITY };
  if (span.start >= span.end && span.start !== last?.start)
    throw new Problem(
      "invalid",
      `${from.name} must not be after ${until.name}`,
      `${from.name} ${JSON.stringify(from.sent)} is ${localDay(span.start)}, and ${until.name} ${JSON.stringify(until.sent)} ends on ${localDay(span.end - 1)}: swap them, or leave one out.`,
    );
  return span;
}

/** A time in a result: ISO 8601 in UTC, to the second, at which no model looks more closely. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

function spanNamed(name: string, sent: string): Span {
  const span = spanOf(sent, Date.now());
  if (span !== undefined) return span;
  throw new Problem(
    "invalid",
    `${name} must be a date, such as 2026-01-31`,
    `Also 2026-01, march, yesterday, last week, 7d${name === "since" ? ", all" : ""}; not ${JSON.stringify(sent)}.`,
  );
}

/** "7d" and "3 weeks ago" begin so long before now, on the start of a day; any other is the calendar's. */
export function spanOf(sent: string, now: number): Span | undefined {
  const text = sent
    .trim()
    .toLowerCase()
    .replace(/^(?:since|from|on|in) /, "");
  return (
    calendarDate(text) ?? monthNamed(text, now) ?? namedSpan(text, now) ?? timeAgo(text, now) ?? momentIn(sent.trim())
  );
}

/** `2026`, `2026-03`, `2026-03-05`, `2026-W10`. */
function calendarDate(text: string): Span | undefined {
  const [, year, month, day] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(text) ?? [];
  if (year !== undefined) {
    const date = new Date(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
    const isReal = date.getMonth() === Number(month ?? 1) - 1 && date.getDate() === Number(day ?? 1);
    if (!isReal) return undefined;
    return spanFrom(date, day !== undefined ? "day" : month !== undefined ? "month" : "year");
  }
  const [, weekYear, week] = /^(\d{4})-?w(\d{1,2})$/.exec(text) ?? [];
  if (weekYear === undefined || Number(week) < 1 || Number(week) > 53) return undefined;
  // The first week of a year is the one with 4 January.
  const first = startOfUnit(new Date(Number(weekYear), 0, 4), "week");
  return spanFrom(shifted(first, "week", Number(week) - 1), "week");
}

/** `march 2026`, and without a year the last one that has begun: `march`, `last march`, `march 5`, `5th of march`. */
function monthNamed(text: string, now: number): Span | undefined {
  const words = text.replaceAll(",", " ").replaceAll(/\bof\b/g, " ");
  const [, last, day1, name, day2, sentYear] =
    /^\s*(last )?\s*(\d{1,2})?(?:st|nd|rd|th)?\s*([a-z]{3,9})\.?\s*(\d{1,2})?(?:st|nd|rd|th)?\s*(\d{4})?\s*$/.exec(
      words,
    ) ?? [];
  const month = name === undefined ? -1 : MONTHS.indexOf(name.slice(0, 3));
  if (month === -1 || !isNameOf(month, name!) || (day1 !== undefined && day2 !== undefined)) return undefined;
  const day = day1 ?? day2;
  const today = new Date(now);
  const begins = (year: number) => new Date(year, month, Number(day ?? 1));
  const isPast = (start: Date) => (last === undefined ? start.getTime() <= now : spanFrom(start, "month").end <= now);
  const year = sentYear ?? (isPast(begins(today.getFullYear())) ? today.getFullYear() : today.getFullYear() - 1);
  const start = begins(Number(year));
  if (start.getMonth() !== month) return undefined;
  return spanFrom(start, day === undefined ? "month" : "day");
}

/** In whole, or its first three letters. */
function isNameOf(month: number, name: string): boolean {
  return name === MONTH_NAMES[month] || name === MONTHS[month] || name === "sept";
}

/** `today`, `yesterday`, `this month`, `last week`, `monday`. */
function namedSpan(text: string, now: number): Span | undefined {
  const today = startOfUnit(new Date(now), "day");
  if (text === "today" || text === "now") return spanFrom(today, "day");
  if (text === "yesterday") return spanFrom(shifted(today, "day", -1), "day");
  const [, which, unit] = /^(this|last|previous|past) (day|week|month|year)$/.exec(text) ?? [];
  if (unit !== undefined) {
    const current = startOfUnit(today, unit as Unit);
    return spanFrom(which === "this" ? current : shifted(current, unit as Unit, -1), unit as Unit);
  }
  const weekday = WEEKDAYS.indexOf(text.replace(/^last /, ""));
  if (weekday === -1) return undefined;
  const back = (today.getDay() - weekday + 7) % 7;
  return spanFrom(shifted(today, "day", -(back === 0 && text.startsWith("last ") ? 7 : back)), "day");
}

/** `7d`, `2w`, `3 months`, `two weeks ago`, `last 10 days`. */
function timeAgo(text: string, now: number): Span | undefined {
  const [, amount, word] =
    /^(?:(?:the )?(?:last|past) )?(\d{1,4}|[a-z]+) ?(d|days?|w|weeks?|m|months?|y|years?)(?: ago)?$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const count = /^\d/.test(amount) ? Number(amount) : Math.max(NUMBERS.indexOf(amount), amount === "a" ? 1 : 0);
  if (count === 0 && amount !== "0") return undefined;
  return spanFrom(shifted(startOfUnit(new Date(now), "day"), UNITS[word![0]!]!, -count), "day");
}

/** A date with a time, or in another form that JavaScript knows. */
function momentIn(text: string): Span | undefined {
  // JavaScript takes 30 February for 2 March, and adds the year 2001 where there is none.
  const time = /[a-z:]/i.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return /\d:\d/.test(text) ? { start: time, end: time } : spanFrom(startOfUnit(new Date(time), "day"), "day");
}

/** The day, week, month or year with this time. */
export function unitAround(time: number, unit: Unit): Span {
  return spanFrom(startOfUnit(new Date(time), unit), unit);
}

function spanFrom(start: Date, unit: Unit): Span {
  return { start: start.getTime(), end: shifted(start, unit, 1).getTime() };
}

/** A week begins on Monday. */
function startOfUnit(date: Date, unit: Unit): Date {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === "year") return new Date(year, 0, 1);
  if (unit === "month") return new Date(year, month, 1);
  return new Date(year, month, unit === "week" ? day - ((date.getDay() + 6) % 7) : day);
}

/** By the calendar: days may have 23 or 25 hours. A day that a month does not have is its last one. */
function shifted(date: Date, unit: Unit, by: number): Date {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === "day" || unit === "week") return new Date(year, month, day + by * (unit === "week" ? 7 : 1));
  const months = month + by * (unit === "year" ? 12 : 1);
  const last = new Date(year, months + 1, 0).getDate();
  return new Date(year, months, Math.min(day, last));
}
