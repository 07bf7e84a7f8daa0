// Copies a database of ours as it is at one moment, while others may write it,
// and checks one that was copied. Used by backup and restore.
import { closeToOthers } from "../files/files.ts";
import { failureOf } from "./errors.ts";
import { openDatabase } from "./open.ts";

/** Milliseconds to wait for a writer. */
const MAX_WAIT = 10_000;

/** The target must not exist. */
export function copyDatabase(path: string, target: string): void {
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${MAX_WAIT}`);
    database.prepare("VACUUM INTO ?").run(target);
  } finally {
    database.close();
  }
  closeToOthers(target);
}

/** Returns whether a file is a database without damage. */
export function isIntact(path: string): boolean {
  try {
    const database = openDatabase(path);
    try {
      return database.prepare("PRAGMA quick_check").get()?.["quick_check"] === "ok";
    } finally {
      database.close();
    }
  } catch (error) {
    if (failureOf(error) === "damaged") return false;
    throw error;
  }
}
