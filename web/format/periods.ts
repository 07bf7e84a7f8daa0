// The periods that a search or list can be narrowed to. Used by their filters.
import { dateOf, DAY } from "./time.ts";

const PERIODS: readonly (readonly [days: number, name: string])[] = [
  [0, "Today"],
  [7, "Past week"],
  [30, "Past month"],
  [365, "Past year"],
];

/** The day that each begins with, and its name; with the chosen day, if that is another. */
export function periodsWith(since: string): readonly (readonly [date: string, name: string])[] {
  const periods = PERIODS.map(([days, name]) => [dateOf(Date.now() - days * DAY), name] as const);
  return since === "" || periods.some(([date]) => date === since)
    ? periods
    : [[since, `Since ${since}`] as const, ...periods];
}
