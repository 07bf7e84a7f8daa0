// The lock of a vault: one writer at a time, among all processes. It is an open
// transaction on a separate database, so that the system frees it when its
// holder is killed. Used by the journal alone.
import { Problem } from "../kernel/kernel.ts";
import { type Database, type Identified, openIdentified, type Retry, retryWhileBusy } from "../sqlite/sqlite.ts";
import { attempt, openPrepared } from "./journal-database.ts";

export interface Lock {
  /** Runs the work while no other process, and no other work of this process, holds the lock. */
  readonly hold: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Waits for the work in progress. */
  readonly close: () => Promise<void>;
}

/** Milliseconds: an attempt costs microseconds, and a writer holds the lock for a few milliseconds. */
const RETRY_EVERY = 3;

/**
 * @param path without an ending: the lock is `<path>.lock.db`. The process that
 * waits for it holds `<path>.next.db`, so that a busy process cannot take the
 * lock twice while another one waits.
 * @param limit how long to wait for other processes, in milliseconds. Work of
 * this process waits in line for as long as that takes: it ends by itself.
 * @param moved is called if the files were deleted or moved: they are created again
 */
export function openLock(path: () => string, limit: number, moved: () => void = () => {}): Lock {
  let lock: Identified<Database> | undefined;
  let next: Database | undefined;
  let last: Promise<void> = Promise.resolve();
  /** When this process last had the lock. */
  let lastHeld = 0;

  const closeBoth = () => {
    lock?.opened.close();
    next?.close();
    lock = next = undefined;
  };

  const acquire = async (retry: Retry) => {
    const wait = <T>(work: () => T) => retryWhileBusy(work, retry, () => busy(limit));
    for (;;) {
      next ??= await wait(() => openFree(`${path()}.next.db`).opened);
      lock ??= await wait(() => openFree(`${path()}.lock.db`));
      const [{ opened, isCurrent }, turn] = [lock, next];
      await wait(() => begin(turn));
      try {
        await wait(() => begin(opened));
      } finally {
        turn.exec("ROLLBACK");
      }
      try {
        if (isCurrent()) return () => opened.exec("ROLLBACK");
      } catch (error) {
        // Unknown whether the lock protects anything: it must not keep others out.
        closeBoth();
        throw error;
      }
      // The lock file was replaced: newcomers lock the new one, so ours protects nothing.
      closeBoth();
      moved();
      retry.signal?.throwIfAborted();
      if (Date.now() >= retry.deadline) throw busy(limit);
    }
  };

  return {
    hold: async (work, signal) => {
      const arrived = Date.now();
      const before = last;
      const mine = Promise.withResolvers<void>();
      last = before.then(() => mine.promise);
      try {
        await settled(before, signal);
        signal?.throwIfAborted();
        // From here on only other processes are waited for. Earlier work of this process may have done so already.
        const deadline = Math.max(arrived, lastHeld) + limit;
        const release = await acquire({ every: RETRY_EVERY, deadline, signal });
        try {
          return await work();
        } finally {
          lastHeld = Date.now();
          release();
        }
      } finally {
        mine.resolve();
      }
    },
    close: async () => {
      await last;
      closeBoth();
    },
  };
}

function openFree(path: string): Identified<Database> {
  // Nothing is ever written: without this, each lock would create and remove a journal file for an empty page.
  return openIdentified(path, () => openPrepared(path, "PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY"));
}

function begin(database: Database): void {
  attempt(() => database.exec("BEGIN IMMEDIATE"));
}

/** Waits for the work to end, but no longer than the caller does. */
async function settled(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  const end = Promise.withResolvers<void>();
  const stop = () => end.resolve();
  signal.addEventListener("abort", stop);
  void work.then(stop);
  try {
    if (!signal.aborted) await end.promise;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function busy(limit: number): Problem {
  return new Problem(
    "timeout",
    `Another program has been writing for more than ${limit / 1000} seconds: nothing was changed.`,
    "Try again.",
  );
}
