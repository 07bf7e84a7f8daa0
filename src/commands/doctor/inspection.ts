// How doctor's checks look at files and databases: nothing is made, changed or
// repaired by it, not even the side files of a database.
import { accessSync, existsSync, statSync, type Stats } from "node:fs";
import { type Database, openReadOnly } from "../../sqlite/sqlite.ts";

/** What is at a path; undefined where there is nothing, or nothing that can be reached. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks a database of ours. One that nobody has open is read as it lies there:
 * to open it in the usual way would leave an empty write-ahead log behind.
 */
export function lookInto<T>(path: string, question: (database: Database) => T): T {
  const isInUse = existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const database = openReadOnly(path, isInUse ? "read-only" : "immutable", 1000);
  try {
    return question(database);
  } finally {
    database.close();
  }
}
