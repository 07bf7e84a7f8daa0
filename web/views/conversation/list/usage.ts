// What conversations took, from counts per hour, program and model: by week, by hour
// of the week, in tokens and in money. Pure; used by the pictures above the list.
import { dateOf, DAY, startOfDay } from "../../../format/format.ts";

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export interface Use {
  readonly time: number;
  readonly source: string;
  readonly model: string;
  readonly count: number;
  readonly tokens: Tokens | undefined;
}

interface Group {
  /** 2026-01-31T15 claude-code claude-opus-4-6, the hour in UTC; the model may be empty. */
  readonly key: string;
  readonly count: number;
  readonly tokens?: Tokens;
}

export function usesIn(groups: readonly Group[]): readonly Use[] {
  return groups.map(({ key, count, tokens }) => {
    const [hour = "", source = "", ...model] = key.split(" ");
    return { time: Date.parse(`${hour}:00:00Z`), source, model: model.join(" "), count, tokens };
  });
}

export interface Week {
  /** Its Monday, such as 2026-01-26. */
  readonly from: string;
  readonly to: string;
  /** How much of each name, in the order of the names. */
  readonly amounts: readonly number[];
}

/** Names beyond these are one. */
const MAX_NAMES = 5;
export const OTHERS = "Others";

/** The weeks from the first to the last use, at most so many, and the names of what is stacked, the largest first. */
export function byWeek(
  all: readonly Use[],
  nameOf: (use: Use) => string,
  amountOf: (use: Use) => number,
  most: number,
): { readonly names: readonly string[]; readonly weeks: readonly Week[] } {
  if (all.length === 0) return { names: [], weeks: [] };
  const last = mondayOf(Math.max(...all.map(({ time }) => time)));
  const first = Math.max(mondayOf(Math.min(...all.map(({ time }) => time))), addDays(last, -7 * (most - 1)));
  const uses = all.filter(({ time }) => time >= first);
  const sums = new Map<string, number>();
  for (const use of uses) sums.set(nameOf(use), (sums.get(nameOf(use)) ?? 0) + amountOf(use));
  const ranked = [...sums]
    .filter(([, sum]) => sum > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => name);
  const isCut = ranked.length > MAX_NAMES;
  const names = isCut ? [...ranked.slice(0, MAX_NAMES - 1), OTHERS] : ranked;
  const amounts = new Map<number, number[]>();
  for (let week = first; week <= last; week = addDays(week, 7))
    amounts.set(
      week,
      names.map(() => 0),
    );
  for (const use of uses) {
    const own = amounts.get(mondayOf(use.time));
    if (own === undefined) continue;
    const at = names.indexOf(nameOf(use));
    const place = at === -1 ? names.length - 1 : at;
    if (own[place] !== undefined) own[place] += amountOf(use);
  }
  const weeks = [...amounts].map(([week, of]) => ({ from: dateOf(week), to: dateOf(addDays(week, 6)), amounts: of }));
  return { names, weeks };
}

/** How many conversations ended in each hour of the week, Monday first. */
export function hoursOfWeek(uses: readonly Use[]): readonly (readonly number[])[] {
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { time, count } of uses) {
    const at = new Date(time);
    hours[(at.getDay() + 6) % 7]![at.getHours()]! += count;
  }
  return hours;
}

/** What is sent again with every turn comes from a cache, and is no new one. */
export interface TokenSums {
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
}

export function tokenSums(uses: readonly Use[]): TokenSums | undefined {
  const counted = uses.flatMap(({ tokens }) => tokens ?? []);
  if (counted.length === 0) return undefined;
  const sum = (of: (tokens: Tokens) => number) => counted.reduce((all, tokens) => all + of(tokens), 0);
  return {
    fresh: sum(({ input, cached }) => Math.max(0, input - cached)),
    cached: sum(({ cached }) => cached),
    output: sum(({ output }) => output),
  };
}

/** In the person's currency, for a million tokens each. */
export interface Price {
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
}

/** What the models with a price have cost; undefined if the person entered none. */
export function costOf(uses: readonly Use[], prices: Readonly<Record<string, Price>>): number | undefined {
  const priced = uses.filter(({ model }) => Object.hasOwn(prices, model));
  if (priced.length === 0) return undefined;
  return priced.reduce((all, use) => {
    const { fresh, cached, output } = prices[use.model]!;
    const sums = tokenSums([use]) ?? { fresh: 0, cached: 0, output: 0 };
    return all + (sums.fresh * fresh + sums.cached * cached + sums.output * output) / 1_000_000;
  }, 0);
}

function mondayOf(time: number): number {
  const day = startOfDay(time);
  return addDays(day, -((new Date(day).getDay() + 6) % 7));
}

/** Counted from noon: days with a change of the clock are 23 or 25 hours long. */
function addDays(day: number, days: number): number {
  return startOfDay(day + DAY / 2 + days * DAY);
}
