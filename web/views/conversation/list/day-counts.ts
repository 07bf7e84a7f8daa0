// Conversations per day of the person's time zone, from counts per hour in UTC.
// Pure; used by the map of days and the totals.
import { dateOf, DAY, startOfDay } from "../../../format/format.ts";

export interface HourCount {
  /** 2026-01-31T15, in UTC. */
  readonly key: string;
  readonly count: number;
}

/** By day, such as 2026-01-31. */
export function dayCounts(hours: readonly HourCount[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key, count } of hours) {
    const day = dateOf(Date.parse(`${key}:00:00Z`));
    counts.set(day, (counts.get(day) ?? 0) + count);
  }
  return counts;
}

/** How many there are on a day or later. */
export function countSince(hours: readonly HourCount[], since: string): number {
  return [...dayCounts(hours)].reduce((sum, [day, count]) => (day >= since ? sum + count : sum), 0);
}

/** The days of some weeks, from a Monday to a last day. */
export function daysUntil(last: number, weeks: number): readonly string[] {
  const today = startOfDay(last);
  const weekday = (new Date(today).getDay() + 6) % 7;
  const count = (weeks - 1) * 7 + weekday + 1;
  // Noon: days with a change of the clock are 23 or 25 hours long.
  return Array.from({ length: count }, (_, i) => dateOf(today + DAY / 2 - (count - 1 - i) * DAY));
}

/** A span of days is written 2026-01-26..2026-02-01, one day as itself. */
export function firstDay(span: string): string {
  return span.split("..", 1)[0]!;
}

export function lastDay(span: string): string {
  return span.split("..").at(-1)!;
}

/** The day after. */
export function nextDay(day: string): string {
  return dateOf(Date.parse(`${day}T12:00`) + DAY);
}

/** From 0, nothing, to 4, the most. A day with few conversations still differs from one without any. */
export function shadeOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.ceil((4 * count) / most));
}
