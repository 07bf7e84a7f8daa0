// Moves the whole texts that 0.1.0 kept in a file of their own,
// `<data>/conversations-tools.db`, into the store. The file is removed when the
// store has all of them, so that a kill at any moment loses nothing. Until then
// texts are read from it. Used by tool-texts.ts.
import { existsSync } from "node:fs";
import {
  type Database,
  failureOf,
  type IndexDatabase,
  openDatabase,
  removeDatabaseFiles,
  syncLog,
} from "../../../sqlite/sqlite.ts";
import { dropBlocks } from "./block-rows.ts";

const MOVED_AT_ONCE = 50;

/** Beside the store. */
export function earlierFileOf(store: string): string {
  return store.replace(/\.db$/, "-tools.db");
}

export class EarlierTexts {
  readonly #store: IndexDatabase;
  readonly #file: string;

  constructor(store: IndexDatabase, file: string) {
    this.#store = store;
    this.#file = file;
  }

  /** Returns whether the store refers to texts in the file. */
  #isUsed(): boolean {
    return this.#store.get("SELECT 1 FROM state WHERE key = 'earlier tool texts'") !== undefined;
  }

  /** A block that was not moved yet; undefined if the file does not have it, or cannot be read now. */
  texts(id: number): Uint8Array | undefined {
    if (this.#store.isTemporary || !this.#isUsed()) return undefined;
    try {
      return this.#reading((textsOf) => textsOf(id));
    } catch {
      return undefined;
    }
  }

  /** A few blocks per transaction. Those that the file has lost are dropped, and their transcripts read again. */
  async move(signal: AbortSignal): Promise<void> {
    if (this.#store.isTemporary) return;
    const step = (): boolean => {
      const rows = this.#store.all(
        `SELECT tool_block.id AS id, unit FROM tool_block LEFT JOIN block ON block.id = tool_block.id
         WHERE NOT is_dropped AND block.id IS NULL ORDER BY tool_block.id LIMIT ?`,
        MOVED_AT_ONCE,
      );
      this.#reading((textsOf) => {
        for (const { id, unit } of rows) {
          const texts = textsOf(Number(id));
          if (texts !== undefined) this.#store.run("INSERT INTO block VALUES (?, ?)", Number(id), texts);
          else {
            dropBlocks(this.#store, { block: Number(id) });
            this.#store.run("UPDATE unit SET reader = 0 WHERE id = ? AND NOT is_gone", Number(unit));
          }
        }
      });
      if (rows.length === 0) this.#store.run("DELETE FROM state WHERE key = 'earlier tool texts'");
      return rows.length > 0;
    };
    if (this.#isUsed()) while (await this.#store.write(step, signal));
    try {
      // A power cut could take back what was committed and not the removal.
      if (existsSync(this.#file)) syncLog(this.#file.replace(/-tools\.db$/, ".db"));
      removeDatabaseFiles(this.#file);
    } catch {
      // On Windows another process may have it open, or the disk fails: the next start removes it.
    }
  }

  /** A file that is gone or damaged has no texts; one that cannot be read for another reason throws. */
  #reading<T>(read: (textsOf: (id: number) => Uint8Array | undefined) => T): T {
    if (!existsSync(this.#file)) return read(() => undefined);
    let database: Database | undefined;
    try {
      const opened = (database = openDatabase(this.#file));
      return read((id) =>
        unlessDamaged(() => opened.prepare("SELECT texts FROM block WHERE id = ?").get(id)?.["texts"]),
      );
    } finally {
      database?.close();
    }
  }
}

function unlessDamaged(read: () => unknown): Uint8Array | undefined {
  try {
    const texts = read();
    return texts instanceof Uint8Array ? texts : undefined;
  } catch (error) {
    if (failureOf(error) === "damaged") return undefined;
    throw error;
  }
}
