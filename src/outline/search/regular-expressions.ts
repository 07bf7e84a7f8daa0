// Runs regular expressions written by callers, which may be invalid or never
// finish: matching stops at a time limit. Used by row-search.ts.
import { createContext, runInContext } from "node:vm";
import { Problem, Turns } from "../../kernel/kernel.ts";

/** Milliseconds of the processor for a whole search; an ordinary pattern takes a tenth of it for 100,000 rows. */
const TIME_LIMIT_MS = 2_000;
/** Milliseconds of the processor for a slice, after which it is aborted in the middle of a row. Nobody else is answered before. */
const ROW_LIMIT_MS = 150;
/** The system counts processor time in steps. */
const NEARLY = 0.9;
const MAX_PATTERN_LENGTH = 1_000;

/** Throws if the pattern is not a valid regular expression. */
export function parsePattern(source: string, { caseSensitive }: { readonly caseSensitive: boolean }): RegExp {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new Problem("invalid", `The regular expression is longer than ${MAX_PATTERN_LENGTH} characters`);
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
 * Does work that matches a pattern for each number, in slices, and aborts it at the
 * limits. It can end anywhere, and is then repeated if the machine was busy with others. `vm` is the only way in Node to
 * stop catastrophic backtracking without a worker, which would need a copy of all rows.
 */
export async function eachWithinTime(
  first: number,
  end: number,
  work: (number: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const turns = new Turns(signal);
  let next = first;
  /** Works until it is the turn of others. @returns whether there is more to do */
  const slice = (): boolean => {
    while (next < end) {
      work(next);
      next++;
      if (turns.isOver()) break;
    }
    return next < end;
  };
  const context = createContext({ slice });
  let spent = 0;
  for (let more = true; more;) {
    const before = processorTime();
    try {
      more = runInContext("slice()", context, { timeout: ROW_LIMIT_MS }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      if (processorTime() - before >= ROW_LIMIT_MS * NEARLY) throw tooSlow();
    }
    spent += processorTime() - before;
    if (spent > TIME_LIMIT_MS) throw tooSlow();
    await turns.next();
  }
}

/** Returns the milliseconds that the processor worked for this process. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function tooSlow(): Problem {
  return new Problem(
    "timeout",
    "The regular expression takes too long to match.",
    "Write a simpler one, without nested repetition such as (a+)+.",
  );
}
