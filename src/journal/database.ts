// The journal's way to its databases: what they refuse is told as a problem.
// Used by the journal and its lock.
import { type Database, openDatabase as open, refusalOf } from "../sqlite/sqlite.ts";
import { Problem } from "../kernel/kernel.ts";

export { isBusy, type Database } from "../sqlite/sqlite.ts";

/** Opens a database, made if need be. */
export function openDatabase(path: string): Database {
  try {
    return open(path);
  } catch (error) {
    throw databaseProblem(error);
  }
}

/** What the database refused; anything else as it is. */
export function databaseProblem(error: unknown): unknown {
  switch (refusalOf(error)) {
    case "full":
      return new Problem(
        "denied",
        "The disk of the journal is full: nothing was changed.",
        "Free some space, then try again.",
      );
    case "damaged":
      return new Problem(
        "denied",
        "The journal is damaged: nothing was changed.",
        "Move the folder `journal` out of the data folder; undo begins anew.",
      );
    case "closed to us":
      return new Problem(
        "denied",
        "The journal cannot be written: nothing was changed.",
        "Check the permissions of the data folder.",
      );
    case undefined:
      return error;
  }
}
