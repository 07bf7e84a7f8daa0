// Transactions by hand: node:sqlite has none. Used by migrations, indexes and
// the journal.
import type { Database } from "./open.ts";

/** Runs the work in one write transaction; an error rolls it back. */
export function inTransaction(database: Database, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Never throws: some errors have ended the transaction already, and a replaced database is closed. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is no transaction.
  }
}
