// What to do while another program holds one of our databases. SQLite can wait
// by itself, but with the whole process: no other call would be answered. So it
// waits for an instant only, and the rest is waited for here. Used by the
// journal and its lock.
import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../kernel/kernel.ts";
import { databaseProblem, isBusy } from "./database.ts";

/** For how long SQLite itself may wait, in milliseconds: enough for another process that opens or closes. */
export const INSTANT = 100;

const TRY_EVERY = 50;

export class BusyDatabase extends Problem {
  constructor() {
    super(
      "timeout",
      "Another program holds the journal: nothing was changed.",
      "Try again. A backup, or a program that shows databases, may have it open.",
    );
  }
}

/** What a database refused, as a problem. */
export function refusal(error: unknown): unknown {
  return isBusy(error) ? new BusyDatabase() : databaseProblem(error);
}

export interface Patience {
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/** Repeats work that a busy database refused; it must come to the same when it is done again. */
export async function patiently<T>(work: () => T | Promise<T>, { deadline, signal }: Patience): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BusyDatabase) || Date.now() >= deadline) throw error;
    }
    await pause(TRY_EVERY * (0.5 + Math.random()));
    signal?.throwIfAborted();
  }
}
