// The lock of a vault: one writer at a time, among all processes. It is an open
// transaction on a database of its own, so that the system frees it when its
// holder is killed. Used by the journal alone.
import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../kernel/kernel.ts";
import { type Identified, openIdentified } from "../sqlite/sqlite.ts";
import { BusyDatabase, refusal } from "./retry.ts";
import { openDatabase, type Database } from "./database.ts";

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
 * @param limit how long to wait for other processes, in milliseconds. Work of
 * this process waits in line for as long as that takes: it ends by itself.
 * @param moved hears that the files were deleted or moved away, and are made anew
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

  const acquire = async (giveUp: () => void) => {
    for (;;) {
      next ??= await again(() => openFree(`${path()}.next.db`).opened, giveUp);
      lock ??= await again(() => openFree(`${path()}.lock.db`), giveUp);
      const [{ opened, isCurrent }, turn] = [lock, next];
      await again(() => begin(turn), giveUp);
      try {
        await again(() => begin(opened), giveUp);
      } finally {
        turn.exec("ROLLBACK");
      }
      try {
        if (isCurrent()) return () => opened.exec("ROLLBACK");
      } catch (error) {
        // Whether it protects anything is not known: it must not keep others out.
        closeBoth();
        throw error;
      }
      // A lock that is no longer at its path keeps nobody out who comes now.
      closeBoth();
      moved();
      giveUp();
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
        // From here on only other processes are waited for. Those before it in line may have done so already.
        const deadline = Math.max(arrived, lastHeld) + limit;
        const release = await acquire(() => {
          signal?.throwIfAborted();
          if (Date.now() >= deadline) throw busy(limit);
        });
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
  return openIdentified(path, () => {
    const database = openDatabase(path);
    try {
      // Nothing is ever written: without this, each lock would make and remove a journal file for an empty page.
      database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
      return database;
    } catch (error) {
      database.close();
      throw refusal(error);
    }
  });
}

function begin(database: Database): void {
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    throw refusal(error);
  }
}

/** Asks again and again, rather than let SQLite wait: that would stop everything else in this process. */
async function again<T>(work: () => T, giveUp: () => void): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof BusyDatabase)) throw error;
    }
    giveUp();
    await pause(TRY_EVERY * (0.5 + Math.random()));
    giveUp();
  }
}

/** Waits for the work to end, but not longer than the caller does. */
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
