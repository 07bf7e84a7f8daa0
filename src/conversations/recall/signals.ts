// What scores are made of. Used by recall.ts: there are many more candidates
// than results, so this is remembered until something is written.
import { type IndexDatabase, writtenSince } from "../../sqlite/sqlite.ts";
import type { ConversationType } from "./type-names.ts";

export interface ConversationSignals {
  readonly id: number;
  readonly updated: number;
  readonly folder: string;
  readonly type: ConversationType;
}

export class RememberedSignals {
  readonly #database: IndexDatabase;
  readonly #remembered = new Map<number, ConversationSignals>();
  readonly #isWritten: () => boolean;

  constructor(database: IndexDatabase) {
    this.#database = database;
    this.#isWritten = writtenSince(database);
  }

  /** In the order of the ids. */
  of(ids: Iterable<number>): ConversationSignals[] {
    if (this.#isWritten()) this.#remembered.clear();
    const ascending = [...ids].sort((a, b) => a - b);
    const unknown = ascending.filter((id) => !this.#remembered.has(id));
    if (unknown.length > 0) this.#read(unknown);
    return ascending.map((id) => this.#remembered.get(id)!);
  }

  #read(ids: readonly number[]): void {
    const rows = this.#database.all(
      "SELECT id, updated, folder, type FROM conversation WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    for (const { id, updated, folder, type } of rows)
      this.#remembered.set(Number(id), {
        id: Number(id),
        updated: Number(updated),
        folder: String(folder),
        type: (type ?? "general") as ConversationType,
      });
  }
}
