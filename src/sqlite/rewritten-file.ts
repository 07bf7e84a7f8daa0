// Writes a database again, so that its file has nothing of what was deleted: SQLite
// leaves it in free pages, between rows and in its log. Used where a person wants
// something forgotten.
import { Problem } from "../kernel/kernel.ts";
import { openDatabase } from "./open.ts";
import { retryWhileBusy } from "./retry.ts";

/** For other processes that read or write, in milliseconds. */
const MAX_WAIT = 60_000;
const RETRY_EVERY = 50;

/** By a connection of its own: one that keeps temporary tables in memory would keep the whole copy there. */
export async function rewriteFile(path: string, name: string, signal?: AbortSignal): Promise<void> {
  const database = openDatabase(path);
  const retry = { every: RETRY_EVERY, deadline: Date.now() + MAX_WAIT, signal };
  const timedOut = () =>
    new Problem("timeout", `Other programs keep ${name} busy: its file may still have what was deleted.`, "Try again.");
  try {
    await retryWhileBusy(() => database.exec("VACUUM"), retry, timedOut);
    const isEmpty = () => database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()!["busy"] === 0;
    while (!isEmpty()) {
      if (Date.now() >= retry.deadline) throw timedOut();
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY));
      signal?.throwIfAborted();
    }
  } finally {
    database.close();
  }
}
