// Read-only access to files and databases for doctor's checks: creates, changes and
// repairs nothing, not even the side files of a database.
import { accessSync, existsSync, statSync, type Stats } from "node:fs";
import { type Database, openReadOnly } from "../../sqlite/sqlite.ts";

/** @returns undefined if there is nothing at the path, or it cannot be reached */
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
 * Queries one of our databases. If no process has it open it is opened as
 * immutable, since any other way would leave an empty write-ahead log behind.
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
