// `<data>/conversations-tools.db`: compressed blocks of whole texts by number,
// and nothing else. What each block is, and which part has which text, is in the
// store of conversations. A file of its own, so that what was said stays small,
// and is not lost if this is damaged. Used by tool-texts.ts, for writing only
// within transactions of the store, which keep other processes out.
import { existsSync } from "node:fs";
import { failureOf, IndexDatabase, removeDatabaseFiles, type Layout } from "../../../sqlite/sqlite.ts";
import { type Log, Problem } from "../../../kernel/kernel.ts";

/**
 * - block: texts that were compressed together
 * - state: `last`, the number of the last block that was ever written
 */
const LAYOUT: Layout = {
  name: "the file of tool texts",
  settings: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA temp_store = MEMORY",
  versions: [
    `CREATE TABLE block (id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
     CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;`,
  ],
  clear: removeDatabaseFiles,
};

export interface Block {
  readonly id: number;
  readonly texts: Uint8Array;
}

export class ToolTextFile {
  readonly #file: string;
  readonly #database: IndexDatabase;
  readonly #log: Log;
  #isUnusable = false;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#database = new IndexDatabase(file, log, LAYOUT);
    this.#log = log;
  }

  /** The number of the last block that was ever written; undefined if the file cannot be used. */
  last(): number | undefined {
    return this.#guarded(() => {
      this.#database.notice();
      return Number(this.#database.get("SELECT value FROM state WHERE key = 'last'")?.["value"] ?? 0);
    });
  }

  /** Undefined if there is no such block, or no longer. */
  texts(id: number): Uint8Array | undefined {
    if (!this.#database.isOpen && !existsSync(this.#file)) return undefined;
    return this.#guarded(() => {
      const texts = this.#database.get("SELECT texts FROM block WHERE id = ?", id)?.["texts"];
      return texts instanceof Uint8Array ? texts : undefined;
    });
  }

  /** @returns false if the file cannot be used */
  put(blocks: readonly Block[]): boolean {
    return this.#write(() => {
      for (const { id, texts } of blocks) this.#database.run("INSERT OR REPLACE INTO block VALUES (?, ?)", id, texts);
      const last = Math.max(...blocks.map(({ id }) => id));
      this.#database.run(
        "INSERT INTO state VALUES ('last', ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
        last,
      );
    });
  }

  remove(ids: readonly number[]): boolean {
    return this.#write(() => {
      this.#database.run("DELETE FROM block WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
    });
  }

  /** Makes this the last block, and removes all after it. */
  endAfter(last: number): boolean {
    // The store is a new one. To delete two gigabytes row by row takes seconds.
    if (last === 0)
      this.#guarded(() => {
        this.#database.close();
        removeDatabaseFiles(this.#file);
      });
    return this.#write(() => {
      this.#database.run("DELETE FROM block WHERE id > ?", last);
      this.#database.run("INSERT OR REPLACE INTO state VALUES ('last', ?)", last);
    });
  }

  /** Returns free pages to the file system, so many at most. @returns whether there are more */
  shrink(pages: number): boolean {
    const free = () => Number(this.#database.get("PRAGMA freelist_count")!["freelist_count"]);
    return (
      this.#guarded(() => {
        const before = free();
        if (before > 0) this.#database.all(`PRAGMA incremental_vacuum(${pages})`);
        const after = free();
        // The file itself gets shorter with the next checkpoint.
        if (after === 0) this.#database.all("PRAGMA wal_checkpoint(PASSIVE)");
        return after > 0 && after < before;
      }) ?? false
    );
  }

  close(): void {
    this.#database.close();
  }

  #write(work: () => void): boolean {
    const written = this.#guarded(() => {
      this.#database.run("BEGIN IMMEDIATE");
      try {
        work();
        this.#database.run("COMMIT");
        return true;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
    return written === true;
  }

  #rollBack(): void {
    try {
      this.#database.run("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself.
    }
  }

  /** A damaged file is replaced: what it had is read again. If it cannot be used, beginnings are all that is kept. */
  #guarded<T>(work: () => T): T | undefined {
    if (this.#isUnusable) return undefined;
    try {
      return work();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "damaged" && this.#database.recover(error) && !this.#database.isTemporary)
        return this.#afterRepair(work);
      if (failure === "busy" || (failure === undefined && !(error instanceof Problem))) throw error;
      this.#giveUp(error);
      return undefined;
    }
  }

  #afterRepair<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  #giveUp(error: unknown): void {
    this.#isUnusable = true;
    this.#database.close();
    this.#log(`whole tool texts cannot be kept: ${(error as Error).message}`);
  }
}
