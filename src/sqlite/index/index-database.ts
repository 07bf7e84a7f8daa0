// The database file of an index: its settings, transactions, and recovery from
// damage. Used by the indexes of notes and memory and by the conversations'
// store, each with its own layout.
//
// If the file cannot be written at all, this process uses a temporary database
// instead.
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { failureOf } from "../errors.ts";
import { migrate, type Schema } from "../migrations.ts";
import { openDatabase, openTemporaryDatabase, useWriteAheadLog, type Database } from "../open.ts";
import { retryWhileBusy } from "../retry.ts";
import { rollBack } from "../transaction.ts";
import { identityAt } from "../../files/files.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";

const MAX_STATEMENTS = 200;
/** For another process that writes, and between two attempts; in milliseconds. */
const MAX_WAIT = 10_000;
const RETRY_EVERY = 4;
/** In milliseconds. Each transaction adds a segment to the full text, and writes pages of every table again. */
const MAX_TRANSACTION = 300;

export type Row = Record<string, SQLOutputValue>;

interface Opened {
  readonly database: Database;
  readonly statements: Map<string, StatementSync>;
  /** Undefined for a temporary database. */
  readonly identity: string | undefined;
  /** How many were opened before this one. */
  readonly opening: number;
}

/** The tables of the file, and the action to take when it is damaged. */
export interface Layout extends Schema {
  /** PRAGMAs that only affect a new file. */
  readonly settings?: string;
  readonly prepare?: (database: Database) => void;
  /** Removes a damaged file, or moves it elsewhere. */
  readonly clear: (file: string) => void;
}

/** The file was replaced during a write, because it was damaged or deleted. */
export class IndexReplaced extends Error {}

export class IndexDatabase {
  readonly #file: string;
  readonly #log: Log;
  readonly #layout: Layout;
  #opened: Opened | undefined;
  /** Settles when the last requested transaction ends. */
  #writing: Promise<void> = Promise.resolve();
  #isTemporary = false;
  #openings = 0;
  /** How many rows were changed by `runAside`. */
  #aside = 0;

  constructor(file: string, log: Log, layout: Layout) {
    this.#file = file;
    this.#log = log;
    this.#layout = layout;
  }

  get isTemporary(): boolean {
    return this.#isTemporary;
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
    const statement = this.#statement(sql);
    // Some rows have a 64-bit hash as their id, which newer releases of Node refuse to return as a number.
    statement.setReadBigInts(true);
    const { changes, lastInsertRowid } = statement.run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** The same for many rows, which cost half as much as by `run`. */
  runEach(sql: string, rows: Iterable<readonly SQLInputValue[]>): void {
    const statement = this.#statement(sql);
    statement.setReadBigInts(true);
    for (const values of rows) statement.run(...values);
  }

  /** For changes that do not affect answers: leases and the state of sweeps. */
  runAside(sql: string, ...values: SQLInputValue[]): void {
    this.#aside += this.run(sql, ...values).changes;
  }

  /** Differs after every change, by any process: answers may be cached while it stays the same. */
  version(): string {
    const { changes: own } = this.get("SELECT total_changes() AS changes")!;
    const { opening } = this.#open();
    const { data_version: others } = this.get("PRAGMA data_version")!;
    return `${opening} ${others} ${Number(own) - this.#aside}`;
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
   * One transaction for long work: the step is called repeatedly, with other
   * work of the process in between, until it returns false or the transaction has
   * taken too long for other processes that want to write. Searches of this
   * process see what was written so far. A step that returns "unfinished" is
   * called again in the same transaction, however long that takes.
   * @param finish writes what is left before the transaction ends
   * @returns whether the step has more to do
   */
  async writeInTurns(step: () => boolean | "unfinished", signal?: AbortSignal, finish?: () => void): Promise<boolean> {
    const before = this.#writing;
    const mine = Promise.withResolvers<void>();
    this.#writing = before.then(() => mine.promise);
    await before;
    try {
      const opened = await this.#begin(signal);
      const end = performance.now() + MAX_TRANSACTION;
      try {
        const isOver = () => performance.now() >= end || signal?.aborted === true;
        let more = step();
        while (more === "unfinished" || (more && !isOver())) {
          await nextTurn();
          if (this.#opened !== opened) throw new IndexReplaced();
          more = step();
        }
        finish?.();
        opened.database.exec("COMMIT");
        return more === true;
      } catch (error) {
        rollBack(opened.database);
        // Answers that were cached during the transaction are no longer valid.
        this.#aside--;
        throw error;
      }
    } finally {
      mine.resolve();
    }
  }

  /** Retries here rather than in SQLite, which would block the process. */
  #begin(signal: AbortSignal | undefined): Promise<Opened> {
    signal?.throwIfAborted();
    const begin = (): Opened => {
      const opened = this.#open();
      const { database } = opened;
      database.exec("PRAGMA busy_timeout = 0");
      try {
        database.exec("BEGIN IMMEDIATE");
        return opened;
      } finally {
        database.exec("PRAGMA busy_timeout = 1000");
      }
    };
    return retryWhileBusy(
      begin,
      { every: RETRY_EVERY, deadline: Date.now() + MAX_WAIT, signal },
      () => new Problem("timeout", `Another program keeps ${this.#layout.name} busy.`, "Try again."),
    );
  }

  /**
   * Merges some segments of the full text, or with a negative number all into one, so many pages at a time: it then has
   * nothing of rows that were deleted.
   * @returns whether there is more to merge
   */
  merge(pages: number, table = "text"): boolean {
    const changes = () => Number(this.get("SELECT total_changes() AS changes")!["changes"]);
    const before = changes();
    this.run(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ${pages})`);
    return changes() - before >= 2;
  }

  /**
   * Replaces a database that cannot be used. @returns false if that does not help,
   * and the caller should throw the error
   */
  recover(error: unknown): boolean {
    const failure = failureOf(error);
    if (failure === undefined || failure === "busy" || this.#isTemporary) return false;
    const identity = this.#opened?.identity;
    this.#close();
    if (failure !== "damaged") {
      this.#useTemporary(failure);
      return true;
    }
    // Another process may have replaced it already.
    if (identity !== undefined && identity !== identityAt(this.#file)) return true;
    this.#log(`${this.#layout.name} is damaged and is rebuilt`);
    try {
      this.#layout.clear(this.#file);
    } catch {
      this.#useTemporary("inaccessible");
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
      // Closing a damaged database may fail as well.
    }
  }

  #useTemporary(failure: "full" | "inaccessible"): void {
    const reason = failure === "full" ? "its disk is full" : "its folder cannot be written";
    this.#log(`${this.#layout.name} cannot be stored, because ${reason}: this process uses a temporary one`);
    this.#isTemporary = true;
  }

  #statement(sql: string): StatementSync {
    const { database, statements } = this.#open();
    let statement = statements.get(sql);
    if (statement === undefined) {
      // Conditions come in many combinations.
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  #open(): Opened {
    if (this.#opened !== undefined) return this.#opened;
    const database = this.#isTemporary ? openTemporaryDatabase() : openDatabase(this.#file);
    try {
      database.exec("PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL");
      if (this.#layout.settings !== undefined) database.exec(this.#layout.settings);
      // After the size of pages: SQLite counts the pages of its cache when this is set, and would keep four times as much.
      database.exec("PRAGMA cache_size = -8000");
      if (!this.#isTemporary) {
        useWriteAheadLog(database);
        database.exec("PRAGMA journal_size_limit = 16000000; PRAGMA wal_autocheckpoint = 8000");
      }
      migrate(database, this.#layout);
      this.#layout.prepare?.(database);
    } catch (error) {
      database.close();
      throw error;
    }
    const identity = this.#isTemporary ? undefined : identityAt(this.#file);
    this.#opened = { database, statements: new Map(), identity, opening: this.#openings++ };
    return this.#opened;
  }

  /** Closes a file that was deleted or replaced, so that the next use opens a new one. */
  notice(): void {
    if (this.#opened?.identity !== undefined && this.#opened.identity !== identityAt(this.#file)) this.#close();
  }
}
