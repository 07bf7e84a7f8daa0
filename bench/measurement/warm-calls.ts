// A server of the built program for benchmarks, asked until its answers are complete
// and until it has nothing left to do.
import { setTimeout as pause } from "node:timers/promises";
import { LineClient } from "./line-client.ts";
import { exactProcessorTimeOf } from "./process-memory.ts";

interface Answer {
  readonly success?: boolean;
  readonly indexing?: object;
  readonly stale?: boolean;
}

/** The built server with these flags; each call is repeated until its answer is complete. */
export async function startServer(flags: readonly string[]) {
  const client = new LineClient(["bin/commonplace.js", "--toolsets", "vault", ...flags]);
  await client.initialize();
  const call = async <R extends object>(name: string, sent: object): Promise<R> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name, arguments: sent })) as {
        result: { structuredContent: R & Answer };
      };
      const answer = result.structuredContent;
      if (answer.success === false) throw new Error(JSON.stringify(result));
      if (answer.stale !== true && answer.indexing === undefined) return answer;
    }
  };
  return { client, call, processorTime: () => exactProcessorTimeOf(client.pid) ?? Number.NaN };
}

/** Milliseconds. */
const QUIET = 500;
const MAX_WORK = 3 * 60_000;

/** Waits until the server has nothing left to do: after the first search it reads notes for their meaning. */
export async function untilQuiet(processorTime: () => number): Promise<void> {
  const end = performance.now() + MAX_WORK;
  for (let before = processorTime(); performance.now() < end; before = processorTime()) {
    await pause(QUIET);
    if (processorTime() - before < QUIET / 20) return;
  }
}
