// How the journal opens its databases and words their errors. Used by
// entries.ts and lock.ts.
import { type Database, databaseProblem, openDatabase, type Sentences } from "../sqlite/sqlite.ts";

const SENTENCES: Sentences = {
  busy: [
    "timeout",
    "Another program holds the journal: nothing was changed.",
    "Try again. A backup, or a program that shows databases, may have it open.",
  ],
  full: ["denied", "The disk of the journal is full: nothing was changed.", "Free some space, then try again."],
  damaged: [
    "denied",
    "The journal is damaged: nothing was changed.",
    "Move the folder `journal` out of the data folder; a new one is created, and undo starts with it.",
  ],
  inaccessible: [
    "denied",
    "The journal cannot be written: nothing was changed.",
    "Check the permissions of the data folder.",
  ],
};

/** A database error as a problem; any other error unchanged. */
export function journalProblem(error: unknown): unknown {
  return databaseProblem(error, SENTENCES);
}

/** Runs work on a database of the journal. */
export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw journalProblem(error);
  }
}

/** Opens a database, created if it is missing, and prepares it; none is left open if that fails. */
export function openPrepared(path: string, prepare: string): Database {
  return attempt(() => {
    const database = openDatabase(path);
    try {
      database.exec(prepare);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}
