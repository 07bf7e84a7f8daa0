// Reads a SQLite database of another program, which may be writing it right now.
// Its bytes, times and locks are not changed; nothing but a `-shm` is left beside
// it. Reads see the newest commits, and nothing uncommitted. Used by the sources
// whose programs store conversations in databases.
//
// How it is opened depends on its journal mode, which is in bytes 18 and 19. In
// rollback mode: read-only, since with `immutable` a concurrent commit would look
// like damage. In WAL mode with a `-wal` beside it: read-only too. In WAL mode
// without one: immutable, since opening it read-only would leave an empty `-wal`
// behind; what was read while the file changed is discarded. A locked database is
// retried for a moment; a small one in WAL mode is then copied with its `-wal`,
// any other is reported as locked.
import { copyTo, makeOwnTemporaryFolder, readBeginning, reasonOf, UnreadableFile } from "../files/files.ts";
import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { failureOf, isBusy } from "./errors.ts";
import { openReadOnly, type Database } from "./open.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;

type Way = "read-only" | "immutable" | "copy";

/** How long SQLite waits for a lock, which blocks, and for how long that is repeated, in milliseconds. */
const BLOCKING_WAIT = 20;
const MAX_WAIT = 500;
/** In bytes. A larger database is not copied: reading it again later is cheaper. */
const MAX_COPY_SIZE = 256 << 20;

export class ForeignDatabase {
  readonly #path: string;
  #database: Database | undefined;
  /** By their SQL: a database with hundreds of conversations is asked the same of each. */
  readonly #statements = new Map<string, StatementSync>();
  #way: Way | undefined;
  /** Stats of the files at the time the database was opened. */
  #seen = "";
  #copy: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * All rows of a query. Each query is a transaction, so that it does not hold
   * up a checkpoint of the program for long: ask for as many rows as fit into
   * memory.
   */
  async rows(sql: string, ...values: SQLInputValue[]): Promise<Row[]> {
    const began = performance.now();
    for (let wait = 10; ; wait = Math.min(wait * 2, 80)) {
      try {
        const rows = this.#statement(sql).all(...values);
        if (!this.#hasChanged()) return rows;
        this.#close();
      } catch (error) {
        if (error instanceof UnreadableFile) throw error;
        const isWaiting = performance.now() - began < MAX_WAIT;
        this.#checkRetryable(error, isWaiting);
        if (!isBusy(error)) continue;
      }
      if (performance.now() - began >= MAX_WAIT) this.#giveUpOr(this.#canCopy());
      else await pause(wait);
    }
  }

  /** Returns whether there is a table of that name: it depends on the version of the program. */
  async hasTable(name: string): Promise<boolean> {
    return (await this.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name)).length > 0;
  }

  /** The columns of a table or view; none if it does not exist. They depend on the version of the program too. */
  async columns(table: string): Promise<ReadonlySet<string>> {
    const rows = await this.rows("SELECT name FROM pragma_table_info(?)", table);
    return new Set(rows.map(({ name }) => String(name)));
  }

  close(): void {
    this.#close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
    this.#copy = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #opened(): Database {
    if (this.#database !== undefined) return this.#database;
    this.#seen = stampOf(this.#path);
    this.#way = this.#copy === undefined ? wayTo(this.#path) : "copy";
    const file = this.#copy === undefined ? this.#path : join(this.#copy, basename(this.#path));
    this.#database = openReadOnly(file, this.#way === "immutable" ? "immutable" : "read-only", BLOCKING_WAIT);
    return this.#database;
  }

  #statement(sql: string): StatementSync {
    const database = this.#opened();
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** Returns whether the file changed although it was opened as immutable. */
  #hasChanged(): boolean {
    return this.#way === "immutable" && stampOf(this.#path) !== this.#seen;
  }

  /** Throws if another attempt would fail in the same way. */
  #checkRetryable(error: unknown, isWaiting: boolean): void {
    const hasChanged = this.#hasChanged();
    this.#close();
    if (isBusy(error) || (hasChanged && isWaiting)) return;
    switch (failureOf(error)) {
      case "damaged":
        throw new UnreadableFile("damaged, or no database");
      case "inaccessible":
        // No `-shm` can be created in its folder.
        return this.#giveUpOr(this.#way === "read-only" && this.#canCopy(), "not to be opened");
      default:
        if (isOtherForm(error)) throw new UnreadableFile("in a form that is not known");
        throw error;
    }
  }

  #canCopy(): boolean {
    return this.#copy === undefined && isInWalMode(this.#path) && sizeOf(this.#path) <= MAX_COPY_SIZE;
  }

  #giveUpOr(mayCopy: boolean, reason = "locked by its program"): void {
    if (!mayCopy) throw new UnreadableFile(reason);
    this.#copy = copied(this.#path);
    if (this.#copy === undefined) throw new UnreadableFile(reason);
  }
}

/**
 * Returns whether the database is of another version of its program, or of SQLite: it has
 * not the tables or functions that our statements name, or a number or text beyond
 * what can be read. Our statements are right, so SQLite's general error (1) means
 * this, unless it says that one is not, or that a value in a row is no JSON: for
 * that the reader has words of its own.
 */
function isOtherForm(error: unknown): boolean {
  const { message = "", code, errcode = 0 } = error as { message?: string; code?: string; errcode?: number };
  const isGeneral = (errcode & 0xff) === 1 && !/syntax error$|^malformed JSON/.test(message);
  const isTooLarge = (errcode & 0xff) === 18;
  return code === "ERR_OUT_OF_RANGE" || isGeneral || isTooLarge;
}

function wayTo(path: string): Way {
  // SQLite opens these itself, and would block on a pipe.
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new UnreadableFile("no regular file");
  return isInWalMode(path) && statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined
    ? "immutable"
    : "read-only";
}

/**
 * Reads the file's header. SQLite must not have it open in this process: closing
 * a file drops all locks that the process has on it (POSIX).
 */
function isInWalMode(path: string): boolean {
  try {
    const header = readBeginning(path, 20, { followsLinks: true });
    return header[18] === 2 || header[19] === 2;
  } catch (error) {
    throw new UnreadableFile(reasonOf(error));
  }
}

function sizeOf(path: string): number {
  return (
    (statSync(path, { throwIfNoEntry: false })?.size ?? 0) +
    (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  );
}

/** Changes with every write of the database or its `-wal`. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "-" : `${stats.size}.${stats.mtimeNs}.${stats.ino}`))
    .join(" ");
}

/** A folder with a consistent copy of the database and its `-wal`; undefined if none could be made. */
function copied(path: string): string | undefined {
  const folder = makeOwnTemporaryFolder("copy");
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = stampOf(path);
      const target = join(folder, basename(path));
      copyTo(target, path);
      if (statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined) rmSync(`${target}-wal`, { force: true });
      else copyTo(`${target}-wal`, `${path}-wal`);
      if (stampOf(path) === before) return folder;
    }
  } catch {
    // The disk is full, or the database was deleted: it stays unreadable.
  }
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}
