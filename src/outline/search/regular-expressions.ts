// Regular expressions of callers, which may be wrong or take for ever: tried
// on many texts, and stopped when the time is over. Used by the search of rows.
import { createContext, runInContext } from "node:vm";
import { Problem } from "../../kernel/kernel.ts";

/** Milliseconds for all texts of a search; 100,000 rows take an honest pattern a tenth of it. */
const TIME_LIMIT = 2_000;
const LONGEST_PATTERN = 1_000;

/** Refuses what is no regular expression. */
export function parsePattern(source: string, { caseSensitive }: { readonly caseSensitive: boolean }): RegExp {
  if (source.length > LONGEST_PATTERN)
    throw new Problem("invalid", `The regular expression is longer than ${LONGEST_PATTERN} characters`);
  const flags = caseSensitive ? "" : "i";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Much that people escape without need is refused in Unicode mode alone.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new Problem(
      "invalid",
      (error as Error).message,
      "Correct it, or leave regex out to look for the text itself.",
    );
  }
}

/**
 * Runs work that matches patterns, and takes it down when the time is over. It
 * has to be pure: it may end anywhere. Nothing else in Node stops a pattern
 * that tries every way to fail.
 */
export function withinTime<T>(work: () => T, limit = TIME_LIMIT): T {
  try {
    return runInContext("work()", createContext({ work }), { timeout: limit }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Problem(
      "timeout",
      `The regular expression took longer than ${limit / 1000} seconds.`,
      "Write a simpler one: without repeated groups inside of repeated groups.",
    );
  }
}
