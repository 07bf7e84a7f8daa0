// The values of `ItemTable` in an editor's `state.vscdb`, each read only if it
// was written since. Used by Cursor and Windsurf.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import type { Batch, SourceEvent } from "../source.ts";
import { MAX_VALUE_SIZE, storedJson } from "./stored-json.ts";

/** The events of a value, and the conversations in it. */
export interface ReadItem {
  readonly events: readonly SourceEvent[];
  readonly ids: readonly string[];
}

/** By key, a mark of the value and its conversations, for the next reading. */
export type ItemMarks = Readonly<Record<string, readonly string[]>>;

export class EditorItems {
  readonly #database: ForeignDatabase;
  readonly #before: ItemMarks;
  readonly marks: Record<string, readonly string[]> = {};

  constructor(database: ForeignDatabase, before: ItemMarks) {
    this.#database = database;
    this.#before = before;
  }

  /** All conversations in the values so far. */
  get present(): string[] {
    return Object.values(this.marks).flatMap(([, ...ids]) => ids);
  }

  /** Reads the value of a key if it changed. */
  async read(key: string, read: (value: unknown) => ReadItem): Promise<Batch> {
    return this.readWith(key, async (size) => {
      const value = size > MAX_VALUE_SIZE ? undefined : await this.#valueOf(key);
      return value === undefined ? undefined : read(value);
    });
  }

  /** The same, with a function that queries the database itself; it returns undefined if it could not read. */
  async readWith(key: string, read: (size: number) => Promise<ReadItem | undefined>): Promise<Batch> {
    const [row] = await this.#database.rows(
      "SELECT rowid AS row, octet_length(value) AS size FROM ItemTable WHERE key = ?",
      key,
    );
    if (row === undefined || row["size"] === null) return [];
    // A value that is written again gets a new row.
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
