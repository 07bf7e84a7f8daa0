// Which conversations pass a filter. Questions that come one after the other
// mostly have the same one, so the last answer is remembered until something
// is written. Used by text-index.ts.
import { type IndexDatabase, writtenSince } from "../../sqlite/sqlite.ts";
import type { Filter } from "./text-index.ts";
import { integersIn } from "./texts.ts";

/** By its id, 1 for each conversation that passes. */
type Passing = Uint8Array;

export class FilterCache {
  readonly #database: IndexDatabase;
  readonly #isWritten: () => boolean;
  #last: { readonly filter: string; readonly passing: Passing } | undefined;

  constructor(database: IndexDatabase) {
    this.#database = database;
    this.#isWritten = writtenSince(database);
  }

  of({ condition, values }: Filter): Passing {
    const filter = JSON.stringify([condition, values]);
    if (this.#isWritten() || this.#last?.filter !== filter)
      this.#last = { filter, passing: this.#read({ condition, values }) };
    return this.#last.passing;
  }

  #read({ condition, values }: Filter): Passing {
    const { ids: list, most } = this.#database.get(
      `SELECT group_concat(id) AS ids, max(id) AS most FROM conversation WHERE ${condition}`,
      ...values,
    )!;
    const ids = integersIn(list);
    const passing = new Uint8Array(Number(most ?? 0) + 1);
    for (let i = 0; i < ids.length; i++) passing[ids[i]!] = 1;
    return passing;
  }
}
