// Reads a SQLite database that belongs to another program, which may be
// writing it right now. Its bytes, times and locks stay as they are; nothing is
// left beside it but a `-shm`. The newest commits are seen, what is not
// committed is not. Used by the sources whose programs keep databases.
//
// How it is opened depends on its journal, which bytes 18 and 19 tell. In
// rollback mode: read-only, since `immutable` would call a commit in between
// damage. In WAL mode with a `-wal` beside it: read-only too. In WAL mode
// without one: immutable, since a plain read-only opening would leave an empty
// `-wal` behind; what was read while the file changed is thrown away. What is
// locked is tried again for a moment; a small database in WAL mode is then
// copied with its `-wal`, everything else is reported as locked.
import { copyTo, makeOwnTemporaryFolder, readBeginning, reasonOf, UnreadableFile } from "../files/files.ts";
import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { failureOf, isBusy } from "./errors.ts";
import { openReadOnly, type Database } from "./open.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;

type Way = "read-only" | "immutable" | "copy";

/** How long SQLite waits for a lock, blocking, and for how long that is repeated, not blocking. */
const PATIENCE = 20;
const LONGEST_WAIT = 500;
/** A larger database is not copied: reading it again later is cheaper. */
const LARGEST_COPY = 256 << 20;

export class ForeignDatabase {
  readonly #path: string;
  #database: Database | undefined;
  #way: Way | undefined;
  /** What the files looked like when the database was opened. */
  #seen = "";
  #copy: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * All rows of a query. It is a transaction of its own, so that the program is
   * never in the way of its own checkpoint for long: ask for as many rows as
   * can be held.
   */
  async rows(sql: string, ...values: SQLInputValue[]): Promise<Row[]> {
    const began = performance.now();
    for (let wait = 10; ; wait = Math.min(wait * 2, 80)) {
      try {
        const rows = this.#opened()
          .prepare(sql)
          .all(...values);
        if (!this.#hasChanged()) return rows;
        this.#close();
      } catch (error) {
        if (error instanceof UnreadableFile) throw error;
        const isWaiting = performance.now() - began < LONGEST_WAIT;
        this.#refused(error, isWaiting);
        if (!isBusy(error)) continue;
      }
      if (performance.now() - began >= LONGEST_WAIT) this.#giveUpOr(this.#canCopy());
      else await pause(wait);
    }
  }

  /** Whether there is a table of that name: versions of a program differ. */
  async hasTable(name: string): Promise<boolean> {
    return (await this.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name)).length > 0;
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
    this.#database = openReadOnly(file, this.#way === "immutable" ? "immutable" : "read-only", PATIENCE);
    return this.#database;
  }

  #close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  /** What SQLite did not know of: it was told that nothing would change. */
  #hasChanged(): boolean {
    return this.#way === "immutable" && stampOf(this.#path) !== this.#seen;
  }

  /** Throws where another try would change nothing. */
  #refused(error: unknown, isWaiting: boolean): void {
    const hasChanged = this.#hasChanged();
    this.#close();
    if (isBusy(error) || (hasChanged && isWaiting)) return;
    switch (failureOf(error)) {
      case "damaged":
        throw new UnreadableFile("damaged, or no database");
      case "inaccessible":
        // A folder in which no `-shm` can be made.
        return this.#giveUpOr(this.#way === "read-only" && this.#canCopy(), "not to be opened");
      default:
        throw error;
    }
  }

  #canCopy(): boolean {
    return this.#copy === undefined && isInWalMode(this.#path) && sizeOf(this.#path) <= LARGEST_COPY;
  }

  #giveUpOr(mayCopy: boolean, reason = "locked by its program"): void {
    if (!mayCopy) throw new UnreadableFile(reason);
    this.#copy = copied(this.#path);
    if (this.#copy === undefined) throw new UnreadableFile(reason);
  }
}

function wayTo(path: string): Way {
  // SQLite opens these by itself, and would wait for a pipe.
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new UnreadableFile("no regular file");
  return isInWalMode(path) && statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined
    ? "immutable"
    : "read-only";
}

/**
 * Reads the file's header. It must not be open in this process meanwhile: the
 * system drops all locks of a process on a file that it closes.
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

/** Of the database and its `-wal`, to the nanosecond. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "-" : `${stats.size}.${stats.mtimeNs}.${stats.ino}`))
    .join(" ");
}

/** A folder with the database and its `-wal` as they were at one moment; undefined where there was none. */
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
    // No room, or gone meanwhile: it is as locked as before.
  }
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}
