// Days as callers send them: 2026-01-31. Used by the tools that search.
import { Problem } from "../../kernel/kernel.ts";

export const DAY = 24 * 60 * 60 * 1000;

export function dayOf(name: string, date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Problem("invalid", `${name} must be a date, such as 2026-01-31`);
  return time;
}
