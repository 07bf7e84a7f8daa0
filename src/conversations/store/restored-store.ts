// Reads and writes a store of conversations for the restoring of a backup; the store may be
// of any version, since a backup may be older than this program. Used by the
// command restore.
import { existsSync } from "node:fs";
import { inTransaction, openDatabase } from "../../sqlite/sqlite.ts";
import { IS_IN_A_FILE, restoredPath } from "./transcript-paths.ts";

/** How many conversations exist only in a store: their programs have deleted them, or they were imported. */
export function countOnlyInStore(file: string): number {
  const database = openDatabase(file);
  try {
    const units = database.prepare("SELECT id, path FROM unit").all();
    const there = units.filter(({ path }) => existsSync(String(path))).map(({ id }) => Number(id));
    const sql = `SELECT count(DISTINCT conversation) AS count FROM page WHERE conversation NOT IN (
      SELECT conversation FROM holding WHERE unit IN (SELECT value FROM json_each(?))
    )`;
    return Number(database.prepare(sql).get(JSON.stringify(there))!["count"]);
  } finally {
    database.close();
  }
}

/** Transcripts that are not there were not deleted by their programs: they are those of another machine, or of another day. */
export function keepRestored(file: string): void {
  const database = openDatabase(file);
  try {
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'unit'").get() === undefined) return;
    const rename = database.prepare("UPDATE unit SET path = ? WHERE id = ?");
    inTransaction(database, () => {
      for (const { id, path } of database
        .prepare(`SELECT id, path FROM unit WHERE NOT is_gone AND ${IS_IN_A_FILE}`)
        .all())
        if (!existsSync(String(path))) rename.run(restoredPath(String(path)), Number(id));
      // Of this machine nothing has been read: the first query looks, however new the backup is.
      database.exec("UPDATE state SET value = 1 WHERE key = 'swept'");
    });
  } finally {
    database.close();
  }
}
