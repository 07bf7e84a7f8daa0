// Parts of results that both project tools share.
import type { LeftOut } from "../../project/project.ts";
import { flag, resultObject, unlisted } from "../definition/schema.ts";

/** Maximum number of paths per kind; the count is always given. */
const MAX_NAMES = 20;

type NotListed = Readonly<Record<string, { readonly count: number; readonly paths: readonly string[] }>>;

export const LEFT_OUT = { not_listed: unlisted(resultObject<NotListed>()), incomplete: unlisted(flag()) };

/** Entries of the project that are not files to open, by kind. Empty kinds are left out. */
export function leftOutOf(leftOut: Readonly<Record<keyof LeftOut, readonly string[]>>): {
  readonly not_listed?: NotListed;
} {
  const kinds = Object.entries(leftOut)
    .filter(([, paths]) => paths.length > 0)
    .map(([kind, paths]) => [kind, { count: paths.length, paths: paths.slice(0, MAX_NAMES) }] as const);
  return kinds.length === 0 ? {} : { not_listed: Object.fromEntries(kinds) };
}

/** Seconds on a monotonic clock. Not `performance`, which Node takes four milliseconds to load on first use. */
export const secondsNow = (): number => process.uptime();

export function secondsSince(started: number): number {
  return Math.round((secondsNow() - started) * 1000) / 1000;
}
