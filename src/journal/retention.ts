// Deletes the oldest entries of a journal. Their age is counted in time that was
// lived through: the clock of a machine may jump by years, and what was deleted
// for that could never be undone. So each trim adds what passed since the one before
// it, a day at most, and remembers up to which entry that was. A time that was there
// before counts once, however often the clock jumps back to it. Used by entries.ts.
import type { Database } from "../sqlite/sqlite.ts";

export interface Retention {
  /** How much lived time entries are kept for, in milliseconds. */
  readonly milliseconds: number;
  /** How many bytes of entries are kept, however young they are. */
  readonly bytes: number;
  /** The newest entries and bytes that age alone never deletes. */
  readonly atLeast: { readonly entries: number; readonly bytes: number };
}

const DAY = 24 * 60 * 60 * 1000;

/** A row per lived day. Beside the entries, and not a version of theirs: earlier releases ignore it. */
const LIVED = `CREATE TABLE IF NOT EXISTS lived (
  day INTEGER PRIMARY KEY, number INTEGER NOT NULL, clock INTEGER NOT NULL, milliseconds INTEGER NOT NULL
)`;

/** A few at a time, so that no write waits long. */
const AT_ONCE = 20;
const MAX_AGED = 200;
const MAX_ROUNDS = 50;

export function trim(database: Database, { milliseconds, bytes, atLeast }: Retention, now = Date.now()): void {
  const numberIn = (sql: string, ...values: number[]): number | undefined => {
    const value = database.prepare(sql).get(...values)?.["value"] ?? undefined;
    return value === undefined ? undefined : Number(value);
  };
  const remove = database.prepare(
    "DELETE FROM entry WHERE number IN (SELECT number FROM entry WHERE number <= ? ORDER BY number LIMIT ?)",
  );
  const lived = live(database, now);
  const aged = numberIn(
    "SELECT max(number) AS value FROM lived WHERE day >= 0 AND milliseconds <= ?",
    lived - milliseconds,
  );
  const kept = numberIn("SELECT number AS value FROM entry ORDER BY number DESC LIMIT 1 OFFSET ?", atLeast.entries);
  if (aged !== undefined && kept !== undefined)
    for (let removed = 0; removed < MAX_AGED && usedBytes(database) > atLeast.bytes; removed += AT_ONCE)
      if (Number(remove.run(Math.min(aged, kept), AT_ONCE).changes) === 0) break;
  for (let round = 0; round < MAX_ROUNDS && usedBytes(database) > bytes; round++)
    remove.run(Number.MAX_SAFE_INTEGER, AT_ONCE);
  database.exec(`DELETE FROM lived WHERE number < (SELECT min(number) FROM entry)
    AND day >= 0 AND day < (SELECT max(day) FROM lived)`);
}

/** So far behind the latest time that was seen, that one was wrong, and time counts from the last trim again. */
const WRONG = 2 * DAY;

/** The row that keeps the latest time that was seen. */
const LATEST = -1;

/** Counts the time since the last trim as lived. @returns all lived time, in milliseconds */
function live(database: Database, now: number): number {
  database.exec(LIVED);
  const last = database.prepare("SELECT clock, milliseconds FROM lived WHERE day >= 0 ORDER BY day DESC LIMIT 1").get();
  const seen = database.prepare("SELECT max(clock) AS clock FROM lived").get();
  const [before, latest] = [Number(last?.["clock"] ?? now), Number(seen?.["clock"] ?? now)];
  const passed = Math.min(Math.max(0, now - (latest - now > WRONG ? before : latest)), DAY);
  const lived = Number(last?.["milliseconds"] ?? 0) + passed;
  database
    .prepare("INSERT OR REPLACE INTO lived SELECT ?, coalesce(max(number), 0), ?, ? FROM entry")
    .run(Math.floor(lived / DAY), now, lived);
  database.prepare("INSERT OR REPLACE INTO lived VALUES (?, 0, ?, 0)").run(LATEST, Math.max(now, latest));
  return lived;
}

/** Bytes in used pages; SQLite knows this without a scan. */
function usedBytes(database: Database): number {
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
