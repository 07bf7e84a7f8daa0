// Days and counts per day, for plots and the strip of Today. Pure.
import { DAY, startOfDay } from "./time.ts";

export interface Series {
  readonly name: string;
  /** One count per day. */
  readonly counts: readonly number[];
}

/** The start of each of the last days, today last. */
export function lastDays(count: number, now: number): number[] {
  // Counted from noon, since some days have 23 or 25 hours.
  const noon = startOfDay(now) + DAY / 2;
  return Array.from({ length: count }, (_, i) => startOfDay(noon - (count - 1 - i) * DAY));
}

/** The start of the next day. */
export function dayAfter(day: number): number {
  return startOfDay(day + DAY / 2 + DAY);
}

/** The counts of each name on each day, the most frequent name first. */
export function countPerDay(
  events: readonly { readonly time: number; readonly name: string; readonly count: number }[],
  days: readonly number[],
): Series[] {
  const indexes = new Map(days.map((day, i) => [day, i]));
  const counts = new Map<string, number[]>();
  for (const { time, name, count } of events) {
    const index = indexes.get(startOfDay(time));
    if (index === undefined) continue;
    const series = counts.get(name) ?? days.map(() => 0);
    series[index]! += count;
    counts.set(name, series);
  }
  return [...counts]
    .map(([name, series]) => ({ name, counts: series }))
    .toSorted((a, b) => sumOf(b.counts) - sumOf(a.counts));
}

/** The first of them, and all others as one. */
export function withOthersAsOne(series: readonly Series[], most: number): readonly Series[] {
  if (series.length <= most) return series;
  const others = series.slice(most - 1);
  const counts = others[0]!.counts.map((_, day) => sumOf(others.map((one) => one.counts[day]!)));
  return [...series.slice(0, most - 1), { name: `${others.length} others`, counts }];
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
