// When a note is of a time: the one rule for "last March" in a query, for `since` and
// `until`, and for memory, in a folder (filters.ts). Pure.
import { localDay, nameIn } from "../../kernel/kernel.ts";

/** Milliseconds, without the last one; endless if it is infinite. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** From the first to the last, as 2026-03-05; an endless span has days before and after all others. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

export function daysOf({ start, end }: TimeSpan): Days {
  return {
    first: Number.isFinite(start) ? localDay(start) : "0000-01-01",
    last: Number.isFinite(end) ? localDay(end - 1) : "9999-12-31",
  };
}

/** The folded names of properties that say when a note was made or changed, or which day it is about. */
export const DATED_PROPERTIES = [
  "date",
  "created",
  "created_at",
  "date created",
  "modified",
  "updated",
  "updated_at",
  "date modified",
];

/**
 * Returns whether it was changed or made in the time, or is named after a day or week of it, or after a month within it. A
 * daily note belongs to its day, whenever it was written; a copied vault has new times.
 * @param created of a copy it is later than the last change, and says nothing; 0 if the disk does not store it
 */
export function isOfTime(
  { path, modified, created }: { readonly path: string; readonly modified: number; readonly created: number },
  span: TimeSpan,
  days: Days,
): boolean {
  const isWithin = (time: number) => time >= span.start && time < span.end;
  if (isWithin(modified) || (created > 0 && created < modified && isWithin(created))) return true;
  const named = daysNamed(nameIn(path));
  if (named === undefined) return false;
  return named.isMonth
    ? named.first >= days.first && named.last <= days.last
    : named.first <= days.last && named.last >= days.first;
}

const DAY = /(?<!\d)(\d{4})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/;
const WEEK = /(?<!\d)(\d{4})-?W(0[1-9]|[1-4]\d|5[0-3])(?!\d)/i;
const MONTH = /(?<!\d)(\d{4})-(0[1-9]|1[0-2])(?![-\d])/;

/** Parses the date in a file name: 2026-03-05, 20260305, 2026_03_05; 2026-W10; 2026-03. */
function daysNamed(name: string): (Days & { readonly isMonth: boolean }) | undefined {
  const [, year, , month, day] = DAY.exec(name) ?? [];
  if (year !== undefined) {
    const only = `${year}-${month}-${day}`;
    return { first: only, last: only, isMonth: false };
  }
  const [, weekYear, week] = WEEK.exec(name) ?? [];
  if (weekYear !== undefined) return { ...daysOfWeek(Number(weekYear), Number(week)), isMonth: false };
  const [begins] = MONTH.exec(name) ?? [];
  return begins === undefined ? undefined : { first: `${begins}-01`, last: `${begins}-31`, isMonth: true };
}

const DAY_LENGTH = 86_400_000;

/** From Monday to Sunday; the first week of a year is the one with 4 January. */
function daysOfWeek(year: number, week: number): Days {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth + (7 * (week - 1) - ((new Date(fourth).getUTCDay() + 6) % 7)) * DAY_LENGTH;
  const dayAfter = (days: number) => new Date(monday + days * DAY_LENGTH).toISOString().slice(0, 10);
  return { first: dayAfter(0), last: dayAfter(6) };
}
