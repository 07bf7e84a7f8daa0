// The journal's table in SQLite: every entry with the bytes that reverse it. Only the
// holder of the lock writes; any process may read. An entry is `planned` before
// anything happens, flushed to the disk before any file changes, and `done`
// afterwards. Used by the journal.
//
// SQLite's `synchronous = FULL` would wait for the disk in each commit, and
// block the process. Here a commit only reaches the system (which survives a
// killed process), and `flush` syncs the log at the same time as the new content
// of the files: the same guarantee with one wait less, and without blocking.
import { closeSync, existsSync } from "node:fs";
import type { StatementSync } from "node:sqlite";
import { openForSyncing, syncBeside } from "../files/files.ts";
import { isRecord, parseJson } from "../kernel/kernel.ts";
import type { ChangedBy, Entry, NewEntry } from "./entry.ts";
import { type Action, decode, encode, namesInEncoded } from "./plan/action.ts";
import {
  type Database,
  type Identified,
  inTransaction,
  isMigrated,
  migrate,
  openIdentified,
  type Schema,
} from "../sqlite/sqlite.ts";
import { attempt, journalProblem, openPrepared } from "./journal-database.ts";
import { type Retention, trim } from "./retention.ts";

const PLANNED = 0;
const DONE = 1;

const SCHEMA: Schema = {
  name: "the journal",
  versions: [
    `CREATE TABLE entry (
      number INTEGER PRIMARY KEY, state INTEGER NOT NULL, time INTEGER NOT NULL,
      tool TEXT NOT NULL, message TEXT NOT NULL,
      origin INTEGER, latest INTEGER, undone INTEGER NOT NULL,
      actions TEXT NOT NULL, removed BLOB NOT NULL
    )`,
  ],
};

/**
 * SQLite may block for another process that opens or closes, but only briefly, in milliseconds. `fullfsync` matters
 * on macOS alone.
 */
const SETTINGS = "PRAGMA busy_timeout = 100; PRAGMA synchronous = NORMAL; PRAGMA fullfsync = ON";

/** All but the removed bytes, which could be many. */
const LISTED = "number, state, time, tool, message, origin, latest, undone, actions, x'' AS removed";
const ORIGINS = "SELECT * FROM entry WHERE state = ? AND origin IS NULL";

/** Beside the entries, and not a version of theirs: releases that do not know it go on reading and writing these. */
const ASKERS = "CREATE TABLE IF NOT EXISTS asker (number INTEGER PRIMARY KEY, asker TEXT NOT NULL)";

interface Rebase {
  readonly amended: ReadonlyMap<number, readonly Action[]>;
  readonly saved: NewEntry | undefined;
  readonly savedBefore: Pick<Entry, "number" | "time">;
  readonly merging: number | undefined;
}

type Row = Record<string, string | number | null | Uint8Array>;

export class Entries {
  readonly #identified: Identified<Database>;
  readonly #database: Database;
  readonly #statements = new Map<string, StatementSync>();
  readonly #path: string;
  /** True if the table of askers is known to be there. */
  #hasAskers = false;
  /** SQLite's write-ahead log, opened to be flushed. */
  #log: number | undefined;

  private constructor(path: string) {
    this.#path = path;
    this.#identified = openIdentified(path, () => openPrepared(path, SETTINGS));
    this.#database = this.#identified.opened;
  }

  /** For the holder of the lock: creates the table if it is missing. */
  static open(path: string): Entries {
    const entries = new Entries(path);
    try {
      attempt(() => {
        entries.#database.exec("PRAGMA journal_mode = WAL");
        migrate(entries.#database, SCHEMA);
      });
      return entries;
    } catch (error) {
      entries.close();
      throw error;
    }
  }

  /** For readers: undefined if nothing was ever written. */
  static openExisting(path: string): Entries | undefined {
    if (!existsSync(path)) return undefined;
    const entries = new Entries(path);
    try {
      if (attempt(() => isMigrated(entries.#database, SCHEMA))) return entries;
    } catch (error) {
      entries.close();
      throw error;
    }
    entries.close();
    return undefined;
  }

  /** Returns whether this is still the database at its path. */
  isCurrent(): boolean {
    return this.#identified.isCurrent();
  }

  /** Records an intent, which survives a killed process; a power failure may still lose it. @returns its number */
  plan(entry: NewEntry): number {
    const { text, removed } = encode(entry.actions);
    const now = Date.now();
    // Numbers grow with time, so that a purge never leads to the reuse of one.
    const sql = `INSERT INTO entry VALUES (
      (SELECT max(?, coalesce(max(number), 0) + 1) FROM entry), ?, ?, ?, ?, ?, NULL, 0, ?, ?)`;
    const { changes, lastInsertRowid } = this.#write(
      sql,
      now,
      PLANNED,
      now,
      entry.tool,
      entry.message,
      entry.origin ?? null,
      text,
      removed,
    );
    const number = Number(lastInsertRowid);
    // No file may change without an entry that reverses it.
    if (changes !== 1) throw new Error(`Journal entry ${number} was not kept`);
    this.#keepAsker(number, entry.by);
    return number;
  }

  /** A change is not worth less if it is not known who asked for it: nothing may fail here. */
  #keepAsker(number: number, by: ChangedBy | undefined): void {
    if (by === undefined) return;
    try {
      this.#writeAskers("INSERT OR REPLACE INTO asker VALUES (?, ?)", number, JSON.stringify(by));
    } catch {
      // The entry is kept.
    }
  }

  /** Syncs the intent, and everything that was written before it, while the caller writes the content. */
  async flush(): Promise<void> {
    try {
      // SQLite has no lock on this file that closing it could drop.
      this.#log ??= openForSyncing(`${this.#path}-wal`);
      await syncBeside(this.#log);
    } catch (error) {
      throw journalProblem(error);
    }
  }

  /**
   * Marks the end. It reaches the disk with the next entry: if a power failure
   * loses the mark, recovery finds that every file is as it should be.
   */
  finish({ number, origin }: Pick<Entry, "number" | "origin">): void {
    const mark = () => this.#run("UPDATE entry SET state = ? WHERE number = ?", DONE, number);
    if (origin === undefined) mark();
    else
      attempt(() =>
        inTransaction(this.#database, () => {
          mark();
          this.#run("UPDATE entry SET undone = NOT undone, latest = ? WHERE number = ?", number, origin);
        }),
      );
  }

  /**
   * Writes the history as if a program had saved a file before our changes of it: these get other actions, the entry
   * that merged the two goes, and what was there before gets an entry right before the first of ours. Where there is no
   * number for that, nothing is rewritten.
   */
  rebase({ amended, saved, savedBefore, merging }: Rebase): void {
    attempt(() =>
      inTransaction(this.#database, () => {
        if (saved !== undefined) {
          const number = savedBefore.number - 1;
          if (this.find(number) !== undefined) return;
          const { text, removed } = encode(saved.actions);
          const values = [number, DONE, savedBefore.time, saved.tool, saved.message, text, removed] as const;
          this.#run("INSERT INTO entry VALUES (?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?)", ...values);
        }
        for (const [number, actions] of amended) {
          const { text, removed } = encode(actions);
          this.#run("UPDATE entry SET actions = ?, removed = ? WHERE number = ?", text, removed, number);
        }
        if (merging !== undefined) this.drop(merging);
      }),
    );
  }

  /** Returns whether one of the newest changes left a file with this content. */
  hasLeft(hash: string): boolean {
    const newest = "SELECT actions FROM entry ORDER BY number DESC LIMIT 20";
    return (
      this.#get(`SELECT 1 AS found FROM (${newest}) WHERE instr(actions, ?) > 0`, `"after":"${hash}"`) !== undefined
    );
  }

  /** Deletes an intent of which nothing is left on the disk. */
  drop(number: number): void {
    this.#run("DELETE FROM entry WHERE number = ?", number);
  }

  /** Deletes all intents. @returns how many there were */
  dropPlanned(): number {
    return Number(this.#write("DELETE FROM entry WHERE state = ?", PLANNED).changes);
  }

  /** The entry that was started last: only this one can be without an end. */
  newest(): Pick<Entry, "number" | "isDone"> | undefined {
    const row = this.#get("SELECT number, state FROM entry ORDER BY number DESC LIMIT 1");
    return row && { number: Number(row["number"]), isDone: row["state"] === DONE };
  }

  find(number: number): Entry | undefined {
    const row = this.#get("SELECT * FROM entry WHERE number = ?", number);
    return row && entryOf(row);
  }

  /**
   * The newest operation that is accepted, of those that are undone or of those that are not. By when it was done,
   * undone or redone last: a redo is newer than what was done before it.
   */
  last({ isUndone, accepts }: { isUndone: boolean; accepts: (entry: Entry) => boolean }): Entry | undefined {
    const sql = `${ORIGINS} AND undone = ? ORDER BY coalesce(latest, number) DESC LIMIT 1 OFFSET ?`;
    for (let skipped = 0; ; skipped++) {
      const row = this.#get(sql, DONE, isUndone ? 1 : 0, skipped);
      const entry = row && this.find(Number(row["number"]));
      if (entry === undefined || accepts(entry)) return entry;
    }
  }

  /** Done entries, newest first, without their removed bytes, which could be many. */
  list(before: number, limit: number, path?: string): Entry[] {
    const names = path === undefined ? [] : namesInEncoded(path);
    const named = names.length === 0 ? "" : `AND (${names.map(() => "instr(actions, ?) > 0").join(" OR ")})`;
    const sql = `SELECT ${LISTED} FROM entry WHERE state = ? AND number < ? ${named} ORDER BY number DESC LIMIT ?`;
    return attempt(() => this.#statement(sql).all(DONE, before, ...names, limit) as Row[]).map(entryOf);
  }

  /** The number of done entries. */
  count(): number {
    const sql = "SELECT count(*) AS count FROM entry WHERE state = ?";
    return attempt(() => Number((this.#statement(sql).get(DONE) as Row)["count"]));
  }

  /** Done entries after this one, oldest first, without their removed bytes. */
  after(number: number): Entry[] {
    const sql = `SELECT ${LISTED} FROM entry WHERE state = ? AND number > ? ORDER BY number`;
    return attempt(() => this.#statement(sql).all(DONE, number) as Row[]).map(entryOf);
  }

  /** Returns the asker of an entry; undefined if unknown, as for entries of earlier releases. */
  askerOf(number: number): ChangedBy | undefined {
    const isThere = this.#get("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'asker'");
    const row = isThere && this.#get("SELECT asker FROM asker WHERE number = ?", number);
    const by = row && parseJson(String(row["asker"]));
    return isRecord(by) ? (by as unknown as ChangedBy) : undefined;
  }

  /** Deletes the oldest entries beyond the retention. */
  trim(retention: Retention): void {
    attempt(() => trim(this.#database, retention));
    this.#writeAskers("DELETE FROM asker WHERE number < (SELECT coalesce(min(number), 0) FROM entry)");
  }

  /** Deletes all entries. @returns how many there were */
  purge(): number {
    this.#writeAskers("DELETE FROM asker");
    return this.#run("DELETE FROM entry");
  }

  /** Overwrites deleted entries, which must not stay readable in free pages. */
  compact(): void {
    attempt(() => this.#database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** For the holder of the lock: the table is made when it is first needed, in journals of earlier releases too. */
  #writeAskers(sql: string, ...values: (string | number)[]): void {
    if (!this.#hasAskers) attempt(() => this.#database.exec(ASKERS));
    this.#hasAskers = true;
    this.#run(sql, ...values);
  }

  /** @returns how many rows were changed */
  #run(sql: string, ...values: (string | number | null | Uint8Array)[]): number {
    return this.#write(sql, ...values).changes;
  }

  #write(sql: string, ...values: (string | number | null | Uint8Array)[]) {
    const { changes, lastInsertRowid } = attempt(() => this.#statement(sql).run(...values));
    return { changes: Number(changes), lastInsertRowid };
  }

  /** For reading only: `get` does not report a commit that failed. */
  #get(sql: string, ...values: (string | number)[]): Row | undefined {
    return attempt(() => this.#statement(sql).get(...values) as Row | undefined);
  }
}

/** A damaged entry must not affect the others: it is listed, but cannot be undone. */
function actionsOf(row: Row): Pick<Entry, "actions" | "isReadable"> {
  try {
    return { actions: decode(String(row["actions"]), row["removed"] as Uint8Array), isReadable: true };
  } catch {
    return { actions: [], isReadable: false };
  }
}

/** Deletes what was begun and not ended, from a journal that was copied at that moment. @returns how many there were */
export function dropUnfinished(path: string): number {
  const entries = Entries.open(path);
  try {
    return entries.dropPlanned();
  } finally {
    entries.close();
  }
}

function entryOf(row: Row): Entry {
  return {
    number: Number(row["number"]),
    isDone: row["state"] === DONE,
    tool: String(row["tool"]),
    message: String(row["message"]),
    time: Number(row["time"]),
    origin: row["origin"] === null ? undefined : Number(row["origin"]),
    latest: row["latest"] === null ? undefined : Number(row["latest"]),
    isUndone: row["undone"] === 1,
    ...actionsOf(row),
  };
}
