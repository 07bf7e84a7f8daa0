// Waiting for an index that is being brought up to date, but not for long. Used
// by whoever can answer with what is known already.
import { setTimeout as pause } from "node:timers/promises";

/** Waits for the work, but not beyond the limit. What it throws in that time is thrown. */
export async function settledWithin(work: Promise<unknown>, limit: number, signal?: AbortSignal): Promise<void> {
  const stopped = new AbortController();
  const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const late = pause(limit, undefined, { signal: until });
  try {
    await Promise.race([work, late]);
  } finally {
    stopped.abort();
    late.catch(() => {});
    work.catch(() => {});
  }
}
