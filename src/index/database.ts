// The database file of an index: its tables, its settings, and how it comes
// back after damage. Everything else in this room works on what is opened here.
//
// An index is a cache. A damaged file is thrown away; where the file cannot be
// written at all, a temporary database takes its place for this process.
import { rmSync, statSync } from "node:fs";
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { isBusy, openDatabase, openTemporaryDatabase, refusalOf, type Database } from "../files/sqlite.ts";
import type { Log } from "../log.ts";
import { Problem } from "../text/problem.ts";
import { foldForSearch } from "../text/search-text.ts";

/** Part of the file's name: another release with other tables has a file of its own. */
export const SCHEMA = 1;

/**
 * What counts more in the ranking stands further left. Bulk loads make one
 * segment a transaction; merging is done in steps of our own (`merge`), since
 * FTS5's automatic one would do it within the transactions of a load.
 */
const TABLES = `
  CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE lease (work TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime REAL NOT NULL, inode REAL NOT NULL, hash TEXT, unread TEXT
  );
  CREATE INDEX unread ON document (path, unread) WHERE unread IS NOT NULL;
  CREATE TABLE facts (document INTEGER PRIMARY KEY, facts TEXT NOT NULL);
  CREATE TABLE name (folded TEXT, document INTEGER, PRIMARY KEY (folded, document)) WITHOUT ROWID;
  CREATE TABLE tag (folded TEXT, document INTEGER, written TEXT NOT NULL, PRIMARY KEY (folded, document)) WITHOUT ROWID;
  CREATE TABLE property (key TEXT, value TEXT, document INTEGER, PRIMARY KEY (key, value, document)) WITHOUT ROWID;
  CREATE TABLE link (name TEXT, document INTEGER, PRIMARY KEY (name, document)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE text USING fts5(
    name, title, headings, tags, properties, body,
    content='', contentless_delete=1, detail=full, tokenize="unicode61 remove_diacritics 0"
  );
  INSERT INTO text(text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216), ('rank', 'bm25(10, 8, 4, 5, 2, 1)');
  CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
  CREATE VIRTUAL TABLE name_part USING fts5(
    names, content='', contentless_delete=1, detail=none, tokenize="trigram"
  );
  CREATE VIRTUAL TABLE name_trigram USING fts5vocab(name_part, row);`;

const MOST_STATEMENTS = 200;
const LONGEST_WAIT = 10_000;
/** In milliseconds. Each transaction makes a segment of the full text, and writes the pages of every table anew. */
const LONGEST_TRANSACTION = 300;

export type Row = Record<string, SQLOutputValue>;

interface Opened {
  readonly database: Database;
  readonly statements: Map<string, StatementSync>;
  /** Undefined for a temporary one. */
  readonly inode: number | undefined;
}

/** The file was damaged or deleted while something was written to it. */
export class IndexReplaced extends Error {}

export class IndexDatabase {
  readonly #file: string;
  readonly #log: Log;
  #opened: Opened | undefined;
  /** The end of the last transaction that was asked for. */
  #writing: Promise<void> = Promise.resolve();
  #isTemporary = false;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Runs the work in one transaction. */
  async write<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    let result: T;
    await this.writeInTurns(() => {
      result = work();
      return false;
    }, signal);
    return result!;
  }

  /**
   * One transaction for work that would hold up this process: the step is
   * called again and again, with room for everything else in between, as long
   * as it says that there is more and the transaction has not taken too long
   * for others that want to write. A search meanwhile sees what was written.
   * @returns whether the step has more to do
   */
  async writeInTurns(step: () => boolean, signal?: AbortSignal): Promise<boolean> {
    const before = this.#writing;
    const mine = Promise.withResolvers<void>();
    this.#writing = before.then(() => mine.promise);
    await before;
    try {
      const opened = await this.#begin(signal);
      const end = performance.now() + LONGEST_TRANSACTION;
      try {
        const isOver = () => performance.now() >= end || signal?.aborted === true;
        let more = step();
        while (more && !isOver()) {
          await nextTurn();
          if (this.#opened !== opened) throw new IndexReplaced();
          more = step();
        }
        opened.database.exec("COMMIT");
        return more;
      } catch (error) {
        rollBack(opened.database);
        throw error;
      }
    } finally {
      mine.resolve();
    }
  }

  /** Asks again and again rather than let SQLite wait, which would stop everything else in this process. */
  async #begin(signal: AbortSignal | undefined): Promise<Opened> {
    const deadline = Date.now() + LONGEST_WAIT;
    for (;;) {
      signal?.throwIfAborted();
      const opened = this.#open();
      const { database } = opened;
      database.exec("PRAGMA busy_timeout = 0");
      try {
        database.exec("BEGIN IMMEDIATE");
        return opened;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() > deadline) throw new Problem("timeout", "Another program keeps the index busy.", "Try again.");
      } finally {
        database.exec("PRAGMA busy_timeout = 1000");
      }
      await pause(2 + Math.random() * 4);
    }
  }

  /** One step towards fewer segments of the full text. @returns whether more is to be done */
  merge(pages: number): boolean {
    const changes = () => Number(this.get("SELECT total_changes() AS changes")!["changes"]);
    const before = changes();
    this.run(`INSERT INTO text(text, rank) VALUES ('merge', ${pages})`);
    return changes() - before >= 2;
  }

  /**
   * Replaces what cannot be used. @returns false where that is of no use, and
   * the error is the caller's to tell
   */
  recover(error: unknown): boolean {
    const refusal = refusalOf(error);
    if (refusal === undefined || this.#isTemporary) return false;
    const inode = this.#opened?.inode;
    this.#close();
    if (refusal !== "damaged") {
      this.#useTemporary(refusal);
      return true;
    }
    // Another process may have replaced it meanwhile.
    if (inode !== undefined && inode !== inodeOf(this.#file)) return true;
    this.#log("the index is damaged and is built anew");
    try {
      for (const ending of ["", "-wal", "-shm"]) rmSync(this.#file + ending, { force: true });
    } catch {
      this.#useTemporary("closed to us");
    }
    return true;
  }

  close(): void {
    this.#close();
  }

  #close(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      opened?.database.close();
    } catch {
      // A damaged database may refuse that as well.
    }
  }

  #useTemporary(refusal: "full" | "closed to us"): void {
    const reason = refusal === "full" ? "its disk is full" : "its folder cannot be written";
    this.#log(`the index cannot be kept, since ${reason}: this process uses a temporary one`);
    this.#isTemporary = true;
  }

  #statement(sql: string): StatementSync {
    const { database, statements } = this.#open();
    let statement = statements.get(sql);
    if (statement === undefined) {
      // Conditions come in endless combinations.
      if (statements.size >= MOST_STATEMENTS) statements.clear();
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  #open(): Opened {
    if (this.#opened !== undefined) return this.#opened;
    const database = this.#isTemporary ? openTemporaryDatabase() : openDatabase(this.#file);
    try {
      database.exec("PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000");
      if (!this.#isTemporary)
        database.exec(
          "PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 16000000; PRAGMA wal_autocheckpoint = 8000",
        );
      makeTables(database);
      database.function("fold", { deterministic: true }, (text) => foldForSearch(String(text)));
    } catch (error) {
      database.close();
      throw error;
    }
    this.#opened = { database, statements: new Map(), inode: this.#isTemporary ? undefined : inodeOf(this.#file) };
    return this.#opened;
  }

  /** Whoever deletes the cache gets a new one: a file that is no longer in its place is let go. */
  notice(): void {
    if (this.#opened?.inode !== undefined && this.#opened.inode !== inodeOf(this.#file)) this.#close();
  }
}

function makeTables(database: Database): void {
  const version = () => Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
  if (version() === SCHEMA) return;
  // Another process may be making them: whoever comes second finds them.
  database.exec("BEGIN IMMEDIATE");
  try {
    if (version() !== SCHEMA) database.exec(`${TABLES} PRAGMA user_version = ${SCHEMA};`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Some errors have ended the transaction already, and a database that was replaced is closed. */
function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is nothing to take back.
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
