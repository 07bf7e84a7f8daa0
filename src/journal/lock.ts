// The lock of a vault: one writer at a time, among all processes. It is an open
// transaction on a database of its own, so that the system frees it when its
// holder is killed. Used by the journal alone.
import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../text/problem.ts";
import { databaseProblem, isBusy, openDatabase, type Database } from "./sqlite.ts";

export interface Lock {
  /** Runs the work while no other process, and no other work of this one, holds the lock. */
  readonly hold: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Waits for the work under way. */
  readonly close: () => Promise<void>;
}

/** Each try costs some microseconds, and a writer has its turn for a few milliseconds. */
const TRY_EVERY = 3;

/**
 * @param path without an ending: the lock is `<path>.lock.db`. Whoever waits
 * for it holds `<path>.next.db`, so that a busy process cannot take the lock
 * twice while another one waits.
 * @param limit how long to wait, in milliseconds
 */
export function openLock(path: string, limit: number): Lock {
  let opened: { lock: Database; next: Database } | undefined;
  let last: Promise<void> = Promise.resolve();

  const acquire = async (giveUp: () => void) => {
    opened ??= { lock: openFree(`${path}.lock.db`), next: openFree(`${path}.next.db`) };
    const { lock, next } = opened;
    await begin(next, giveUp);
    try {
      await begin(lock, giveUp);
    } finally {
      next.exec("ROLLBACK");
    }
    return () => lock.exec("ROLLBACK");
  };

  return {
    hold: async (work, signal) => {
      const deadline = Date.now() + limit;
      const giveUp = () => {
        signal?.throwIfAborted();
        if (Date.now() >= deadline) throw busy(limit);
      };
      const before = last;
      const mine = Promise.withResolvers<void>();
      last = before.then(() => mine.promise);
      try {
        await settled(before, limit, signal);
        giveUp();
        const release = await acquire(giveUp);
        try {
          return await work();
        } finally {
          release();
        }
      } finally {
        mine.resolve();
      }
    },
    close: async () => {
      await last;
      opened?.lock.close();
      opened?.next.close();
      opened = undefined;
    },
  };
}

function openFree(path: string): Database {
  const database = openDatabase(path);
  // Nothing is ever written: without this, each lock would make and remove a journal file for an empty page.
  database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
  return database;
}

/** Asks again and again, rather than let SQLite wait: that would stop everything else in this process. */
async function begin(database: Database, giveUp: () => void): Promise<void> {
  for (;;) {
    try {
      database.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isBusy(error)) throw databaseProblem(error);
    }
    giveUp();
    await pause(TRY_EVERY * (0.5 + Math.random()));
    giveUp();
  }
}

/** Waits for the work to end, but not longer than the limit, nor than the caller does. */
async function settled(work: Promise<void>, limit: number, signal: AbortSignal | undefined): Promise<void> {
  const end = Promise.withResolvers<void>();
  const timer = setTimeout(end.resolve, limit);
  const stop = () => end.resolve();
  signal?.addEventListener("abort", stop);
  void work.then(stop);
  try {
    await end.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function busy(limit: number): Problem {
  return new Problem(
    "timeout",
    `Another program has been writing for more than ${limit / 1000} seconds: nothing was changed.`,
    "Try again.",
  );
}
