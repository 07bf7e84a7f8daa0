// Creates the tables of a database, or upgrades those that an earlier release
// made. Used by the indexes, the conversations' store and the journal.
import { Problem } from "../kernel/kernel.ts";
import type { Database } from "./open.ts";
import { inTransaction } from "./transaction.ts";

export interface Schema {
  /** The name of the database in messages. */
  readonly name: string;
  /** SQL, or a function if SQL is not enough: the first makes the tables, each further one upgrades from the version before it. */
  readonly versions: readonly (string | ((database: Database) => void))[];
}

/** Brings the tables to the newest version. Throws if a newer release made them. */
export function migrate(database: Database, schema: Schema): void {
  if (isMigrated(database, schema)) return;
  // Another process may be migrating: the version is read again within the transaction.
  inTransaction(database, () => {
    for (const step of schema.versions.slice(versionOf(database))) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA user_version = ${schema.versions.length}`);
  });
}

/** Returns whether the tables are of the newest version. Throws if a newer release made them. */
export function isMigrated(database: Database, { name, versions }: Schema): boolean {
  const version = versionOf(database);
  if (version > versions.length)
    throw new Problem(
      "denied",
      `A newer release of this program has written ${name}.`,
      "Update Commonplace, or choose another folder with --home.",
    );
  return version === versions.length;
}

function versionOf(database: Database): number {
  return Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
}
