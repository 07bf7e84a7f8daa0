// Dates as tasks write them, such as 2026-11-17, and the words that callers send
// for them. Pure.
import { dateOf, dayNumber } from "../../vault/vault.ts";

/** Days since 1970-01-01. */
export type Day = number;

/** Undefined for a day that does not exist, such as 2026-02-30. */
export function dayOf(date: string): Day | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  const number = dayNumber(Number(year), Number(month), Number(day));
  return writtenDay(number) === date ? number : undefined;
}

/** Years have four digits. */
export const LAST_DAY: Day = dayNumber(9999, 12, 31);

export function writtenDay(day: Day): string {
  const { year, month, day: ofMonth } = dateOf(day);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(ofMonth, 2)}`;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const UNITS: Readonly<Record<string, number>> = { d: 1, day: 1, days: 1, w: 7, week: 7, weeks: 7 };

/**
 * The day that a caller names: a date, today, tomorrow, yesterday, a weekday to
 * come, or so many days or weeks from today; undefined if the text names no day.
 */
export function dayNamed(sent: string, today: Day): Day | undefined {
  const text = sent.trim().toLowerCase();
  const date = dayOf(text.replace(/t[\d:.]+.*$/, ""));
  if (date !== undefined) return date;
  const near = ["yesterday", "today", "tomorrow"].indexOf(text);
  if (near !== -1) return today + near - 1;
  const weekday = WEEKDAYS.indexOf(text.replace(/^(?:next|this) /, ""));
  // 1970-01-01 was a Thursday.
  if (weekday !== -1) return today + ((((weekday - today - 4) % 7) + 7) % 7 || 7);
  const [, count, unit] = /^(?:in )?\+?(\d{1,4}) ?([a-z]+)$/.exec(text) ?? [];
  const days = unit === undefined ? undefined : UNITS[unit];
  return days === undefined ? undefined : today + Number(count) * days;
}
