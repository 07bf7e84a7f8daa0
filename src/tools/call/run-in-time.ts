// Runs a tool within its time limit, and reports that it is still working. Used by
// call.ts.
import type { ChangedBy, Written } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Call, Tool } from "../definition/define-tool.ts";
import type { Result } from "./budget.ts";
import { ASKERS, offersOf, type Caller } from "./caller.ts";
import { sessionIn } from "./trace.ts";

const TIME_LIMIT = 60_000;
const HEARTBEAT = 2_000;

/** Runs the tool until it returns, the caller gives up, or the time limit is reached. */
export async function runInTime(
  tool: Tool,
  input: Result,
  caller: Caller,
  {
    page,
    attach,
    ...reports
  }: Pick<Call, "page" | "attach"> & {
    readonly isPreview: boolean;
    readonly onWritten: (written: Written) => void;
    readonly onWarning: (sentence: string) => void;
  },
): Promise<Result> {
  const limit = tool.timeLimit ?? TIME_LIMIT;
  const ending = new AbortController();
  const end = (problem: Problem) => ending.abort(problem);
  const timer = setTimeout(() => {
    end(
      new Problem(
        "timeout",
        `${tool.name} took longer than ${limit / 1000} seconds.`,
        "Narrow the arguments, or try again later.",
      ),
    );
  }, limit);
  const giveUp = () => end(new Problem("timeout", "The call was cancelled."));
  const heart = heartbeat(tool, caller.onProgress);
  try {
    if (caller.signal?.aborted) giveUp();
    caller.signal?.addEventListener("abort", giveUp);
    ending.signal.throwIfAborted();
    const call: Call = {
      services: caller.services,
      signal: ending.signal,
      isForModel: ASKERS[caller.asker].isLimited,
      author: { tool: tool.name, by: changedBy(caller, input), signal: ending.signal, ...reports },
      offers: offersOf(caller),
      protocolVersion: caller.protocolVersion,
      roots: caller.roots,
      progress: heart.progress,
      attach,
      page,
    };
    return await Promise.race([tool.run(input, call), rejectionOf(ending.signal)]);
  } finally {
    clearTimeout(timer);
    heart.stop();
    caller.signal?.removeEventListener("abort", giveUp);
  }
}

/** Characters of a name or an id that are kept. */
const MAX_NAME_LENGTH = 100;

/** For the journal: what a call is known by. Goals are in memory, by the session. */
function changedBy({ asker, client }: Caller, { context }: Result): ChangedBy {
  const session = asker === "person" ? undefined : sessionIn(context);
  return {
    asker,
    ...(client !== undefined && { client: client.slice(0, MAX_NAME_LENGTH) }),
    ...(session !== undefined && { session: session.slice(0, MAX_NAME_LENGTH) }),
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Problem), { once: true });
  });
}

/**
 * Reports progress of a slow call every two seconds to callers that asked for
 * progress, until the tool reports its own: hosts give up on silent calls.
 */
function heartbeat(tool: Tool, onProgress: Caller["onProgress"]) {
  if (onProgress === undefined) return { progress: () => {}, stop: () => {} };
  const started = Date.now();
  const beat = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    onProgress(seconds, undefined, `${tool.title}: still working after ${seconds} s`);
  }, HEARTBEAT);
  const stop = () => clearInterval(beat);
  const progress: Call["progress"] = (done, total, message) => {
    stop();
    onProgress(done, total, message);
  };
  return { progress, stop };
}
