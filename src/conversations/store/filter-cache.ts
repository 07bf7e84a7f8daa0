// Caches which conversations pass a filter. Consecutive questions mostly have the same
// one, so the last answer is cached. Used by text-index.ts.
import type { SQLInputValue } from "node:sqlite";
import { integersIn } from "../../search/search.ts";
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";

/** A condition of SQL on the table `conversation`. */
export interface Filter {
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
}

export class FilterCache {
  readonly #cache: ReadCache<string, Uint8Array, Uint8Array>;

  constructor(database: IndexDatabase) {
    this.#cache = new ReadCache(database, {
      read: (keys: readonly string[]) => keys.map((key) => [key, readPassing(database, JSON.parse(key) as Filter)]),
      make: (passing) => passing,
      most: 1,
    });
  }

  /** By id, 1 for each conversation that passes. */
  passing({ condition, values }: Filter): Uint8Array {
    return this.#cache.get(JSON.stringify({ condition, values }))!;
  }
}

function readPassing(database: IndexDatabase, { condition, values }: Filter): Uint8Array {
  const { ids: list, most } = database.get(
    `SELECT group_concat(id) AS ids, max(id) AS most FROM conversation WHERE ${condition}`,
    ...values,
  )!;
  const ids = integersIn(list);
  const passing = new Uint8Array(Number(most ?? 0) + 1);
  for (let i = 0; i < ids.length; i++) passing[ids[i]!] = 1;
  return passing;
}
