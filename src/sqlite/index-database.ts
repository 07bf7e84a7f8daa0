// The database file of an index: its settings, its transactions, and how it
// comes back after damage. The notes' index and the conversations' store work
// on what is opened here, each with its own layout.
//
// Where the file cannot be written at all, a temporary database takes its
// place for this process.
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { failureOf } from "./errors.ts";
import { migrate, type Schema } from "./migrations.ts";
import { openDatabase, openTemporaryDatabase, useWriteAheadLog, type Database } from "./open.ts";
import { retryWhileBusy } from "./retry.ts";
import { rollBack } from "./transaction.ts";
import { identityAt } from "../files/files.ts";
import { type Log, Problem } from "../kernel/kernel.ts";

const MOST_STATEMENTS = 200;
/** For another process that writes, and between two attempts; in milliseconds. */
const LONGEST_WAIT = 10_000;
const RETRY_EVERY = 4;
/** In milliseconds. Each transaction makes a segment of the full text, and writes the pages of every table anew. */
const LONGEST_TRANSACTION = 300;

export type Row = Record<string, SQLOutputValue>;

interface Opened {
  readonly database: Database;
  readonly statements: Map<string, StatementSync>;
  /** Undefined for a temporary one. */
  readonly identity: string | undefined;
  /** How many were opened before it. */
  readonly opening: number;
}

/** What is in the file, and what becomes of it when it is damaged. */
export interface Layout extends Schema {
  /** For a file that is made now: one that is there keeps what it was made with. */
  readonly settings?: string;
  readonly prepare?: (database: Database) => void;
  /** Takes a damaged file out of the way. */
  readonly clear: (file: string) => void;
}

/** The file was damaged or deleted while something was written to it. */
export class IndexReplaced extends Error {}

export class IndexDatabase {
  readonly #file: string;
  readonly #log: Log;
  readonly #layout: Layout;
  #opened: Opened | undefined;
  /** The end of the last transaction that was asked for. */
  #writing: Promise<void> = Promise.resolve();
  #isTemporary = false;
  #openings = 0;
  /** How many rows were changed that no answer depends on. */
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
    // Some rows have a hash of 64 bits as their id, and newer releases of Node refuse to return that as a number.
    statement.setReadBigInts(true);
    const { changes, lastInsertRowid } = statement.run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** For changes that no answer depends on: who looks after the index, and when. */
  runAside(sql: string, ...values: SQLInputValue[]): void {
    this.#aside += this.run(sql, ...values).changes;
  }

  /** Another one after every change, of this process or of others: what was asked before may be remembered as long as it is the same. */
  version(): string {
    const { changes: own } = this.get("SELECT total_changes() AS changes")!;
    return `${this.versionOfOthers()} ${Number(own) - this.#aside}`;
  }

  /** Another one after every change of other processes, and for another file. */
  versionOfOthers(): string {
    const { opening } = this.#open();
    const { data_version: others } = this.get("PRAGMA data_version")!;
    return `${opening} ${others}`;
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
   * @param finish what is left to write before the transaction ends
   * @returns whether the step has more to do
   */
  async writeInTurns(step: () => boolean, signal?: AbortSignal, finish?: () => void): Promise<boolean> {
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
        finish?.();
        opened.database.exec("COMMIT");
        return more;
      } catch (error) {
        rollBack(opened.database);
        // What was asked meanwhile is no longer so.
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
      { every: RETRY_EVERY, deadline: Date.now() + LONGEST_WAIT, signal },
      () => new Problem("timeout", `Another program keeps ${this.#layout.name} busy.`, "Try again."),
    );
  }

  /** One step towards fewer segments of the full text. @returns whether more is to be done */
  merge(pages: number, table = "text"): boolean {
    const changes = () => Number(this.get("SELECT total_changes() AS changes")!["changes"]);
    const before = changes();
    this.run(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ${pages})`);
    return changes() - before >= 2;
  }

  /**
   * Replaces what cannot be used. @returns false where that is of no use, and
   * the error is the caller's to tell
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
    // Another process may have replaced it meanwhile.
    if (identity !== undefined && identity !== identityAt(this.#file)) return true;
    this.#log(`${this.#layout.name} is damaged and is built anew`);
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
      // A damaged database may refuse that as well.
    }
  }

  #useTemporary(failure: "full" | "inaccessible"): void {
    const reason = failure === "full" ? "its disk is full" : "its folder cannot be written";
    this.#log(`${this.#layout.name} cannot be kept, since ${reason}: this process uses a temporary one`);
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
      if (this.#layout.settings !== undefined) database.exec(this.#layout.settings);
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

  /** Whoever deletes the cache gets a new one: a file that is no longer in its place is let go. */
  notice(): void {
    if (this.#opened?.identity !== undefined && this.#opened.identity !== identityAt(this.#file)) this.#close();
  }
}
