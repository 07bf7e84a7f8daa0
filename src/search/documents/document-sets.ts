// The documents that a full-text expression finds, one bit each. Used by the search of
// notes for words that are too frequent to be read place by place: there are some
// hundreds of them, and finding out which of a few documents have one means reading
// through all that do.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import { integersIn } from "./text-statistics.ts";

export interface DocumentSet {
  readonly has: (document: number) => boolean;
  readonly bytes: number;
}

export type DocumentSets = ReadCache<string, DocumentSet, DocumentSet>;

/** In all. At 100,000 notes that is three hundred words. */
const MOST_BYTES = 4e6;

export function documentSets(database: IndexDatabase): DocumentSets {
  const read = (expression: string) =>
    setOf(
      integersIn(database.get("SELECT group_concat(rowid) AS ids FROM text WHERE text MATCH ?", expression)!["ids"]),
    );
  return new ReadCache(database, {
    read: (expressions: readonly string[]) => expressions.map((expression) => [expression, read(expression)]),
    make: (documents) => documents,
    sizeOf: ({ bytes }) => bytes,
    most: MOST_BYTES,
  });
}

function setOf(ids: Int32Array): DocumentSet {
  const last = ids.reduce((most, id) => Math.max(most, id), 0);
  const bits = new Uint8Array((last >>> 3) + 1);
  for (const id of ids) bits[id >>> 3]! |= 1 << (id & 7);
  return { has: (id) => ((bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0, bytes: bits.length };
}
