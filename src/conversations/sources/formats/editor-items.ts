// The values of `ItemTable` in an editor's `state.vscdb`, each read only where
// it was written since. Used by Cursor and Windsurf.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import type { Batch, SourceEvent } from "../source.ts";
import { LARGEST_VALUE, storedJson } from "./stored-json.ts";

/** What a value told, and which conversations are in it. */
export interface ReadItem {
  readonly events: readonly SourceEvent[];
  readonly ids: readonly string[];
}

/** Of each value a mark, and the conversations that are in it: for the next reading. */
export type ItemMarks = Readonly<Record<string, readonly string[]>>;

export class EditorItems {
  readonly #database: ForeignDatabase;
  readonly #before: ItemMarks;
  readonly marks: Record<string, readonly string[]> = {};

  constructor(database: ForeignDatabase, before: ItemMarks) {
    this.#database = database;
    this.#before = before;
  }

  /** Every conversation that is in a value that was looked at. */
  get present(): string[] {
    return Object.values(this.marks).flatMap(([, ...ids]) => ids);
  }

  /** The value under a key, where it changed. */
  async read(key: string, read: (value: unknown) => ReadItem): Promise<Batch> {
    return this.readWith(key, async (size) => {
      const value = size > LARGEST_VALUE ? undefined : await this.#valueOf(key);
      return value === undefined ? undefined : read(value);
    });
  }

  /** The same for whoever asks the database itself. Undefined: it could not be read. */
  async readWith(key: string, read: (size: number) => Promise<ReadItem | undefined>): Promise<Batch> {
    const [row] = await this.#database.rows(
      "SELECT rowid AS row, octet_length(value) AS size FROM ItemTable WHERE key = ?",
      key,
    );
    if (row === undefined || row["size"] === null) return [];
    // A value that is written anew gets a new row.
    const mark = `${row["row"]}.${row["size"]}`;
    const [known, ...ids] = this.#before[key] ?? [];
    if (known === mark) {
      this.marks[key] = [mark, ...ids];
      return [];
    }
    const item = (await read(Number(row["size"]))) ?? notRead(key, ids);
    this.marks[key] = [mark, ...item.ids];
    return item.events;
  }

  async #valueOf(key: string): Promise<unknown> {
    const [row] = await this.#database.rows("SELECT value FROM ItemTable WHERE key = ?", key);
    return storedJson(row?.["value"]);
  }
}

function notRead(key: string, ids: readonly string[]): ReadItem {
  return { events: [{ kind: "unreadable", count: 1, reason: `no JSON under ${key}, or more than 64 MB` }], ids };
}
