// Parts of a result that both tools of the project have.
import type { LeftOut } from "../../project/project.ts";
import { flag, resultObject, unlisted } from "../schema.ts";

/** Of a long list the beginning says enough; how many there are is said beside it. */
const MOST_NAMES = 20;

type NotListed = Readonly<Record<string, { readonly count: number; readonly paths: readonly string[] }>>;

export const LEFT_OUT = { not_listed: unlisted(resultObject<NotListed>()), incomplete: unlisted(flag()) };

/** What is there and is no file to open; kinds of which there is nothing are left out. */
export function leftOutOf(leftOut: Readonly<Record<keyof LeftOut, readonly string[]>>): {
  readonly not_listed?: NotListed;
} {
  const kinds = Object.entries(leftOut)
    .filter(([, paths]) => paths.length > 0)
    .map(([kind, paths]) => [kind, { count: paths.length, paths: paths.slice(0, MOST_NAMES) }] as const);
  return kinds.length === 0 ? {} : { not_listed: Object.fromEntries(kinds) };
}

/** Seconds on a clock that never jumps. Not `performance`, which Node takes four milliseconds to load on first use. */
export const secondsNow = (): number => process.uptime();

export function secondsSince(started: number): number {
  return Math.round((secondsNow() - started) * 1000) / 1000;
}
