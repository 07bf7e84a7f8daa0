// Retries while another process holds a database. SQLite can wait by itself,
// but blocks the whole process: no other call would be answered. So it waits
// briefly or not at all, and the rest of the wait is here. Used by the journal,
// its lock and the indexes.
import { setTimeout as pause } from "node:timers/promises";
import { blockingPause } from "../kernel/kernel.ts";
import { isBusy } from "./errors.ts";

export interface Retry {
  /** Milliseconds between two attempts, on average: processes that wait together must not ask together. */
  readonly every: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats work that fails because a database is busy, until the deadline. The
 * work may run more than once.
 */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  { every, deadline, signal }: Retry,
  timedOut: (error: unknown) => unknown = (error) => error,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() >= deadline) throw timedOut(error);
    }
    await pause(every * (0.5 + Math.random()));
    signal?.throwIfAborted();
  }
}

/** The same for code that cannot wait asynchronously: blocks the process. */
export function retryWhileBusySync<T>(work: () => T, { every, deadline }: Omit<Retry, "signal">): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    blockingPause(every);
  }
}
