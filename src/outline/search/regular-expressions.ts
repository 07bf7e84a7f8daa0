// Runs regular expressions written by callers, which may be invalid or never
// finish: matching stops at a time limit. Used by row-search.ts.
import { createContext, runInContext } from "node:vm";
import { Problem } from "../../kernel/kernel.ts";

/** Milliseconds for a whole search; an ordinary pattern takes a tenth of it for 100,000 rows. */
const TIME_LIMIT_MS = 2_000;
const LONGEST_PATTERN = 1_000;

/** Throws if the pattern is not a valid regular expression. */
export function parsePattern(source: string, { caseSensitive }: { readonly caseSensitive: boolean }): RegExp {
  if (source.length > LONGEST_PATTERN)
    throw new Problem("invalid", `The regular expression is longer than ${LONGEST_PATTERN} characters`);
  const flags = caseSensitive ? "" : "i";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Unicode mode rejects needless escapes that people commonly write.
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
 * Runs work that matches patterns, and aborts it at the limit. It must be pure,
 * since it can end anywhere. `vm` is the only way in Node to stop catastrophic
 * backtracking without a worker, which would need a copy of all rows.
 */
export function withinTime<T>(work: () => T, limit = TIME_LIMIT_MS): T {
  try {
    return runInContext("work()", createContext({ work }), { timeout: limit }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Problem(
      "timeout",
      `The regular expression took longer than ${limit / 1000} seconds.`,
      "Write a simpler one, without nested repetition such as (a+)+.",
    );
  }
}
