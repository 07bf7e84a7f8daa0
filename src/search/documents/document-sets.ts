// The documents that a full-text expression finds, one bit each. Used by the searches of
// notes and of conversations for words that are too frequent to be read place by place:
// there are some hundreds of them, and finding out which of a few documents have one
// means reading through all that do.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import { anyOf, ftsExpression, phrase } from "../text-query.ts";
import { integersIn } from "./text-statistics.ts";

export interface DocumentSet {
  readonly has: (document: number) => boolean;
  /** In ascending order. */
  readonly documents: () => Int32Array;
  readonly bytes: number;
}

export type DocumentSets = ReadCache<string, DocumentSet, DocumentSet>;

/** In all. At 100,000 notes that is three hundred words. */
const MAX_BYTES = 4e6;

/** The documents with one of these words. */
export function documentsWith(sets: DocumentSets, terms: readonly string[]): DocumentSet {
  return sets.get(ftsExpression(anyOf(terms.map((term) => phrase([term])))))!;
}

export function documentSets(database: IndexDatabase): DocumentSets {
  const read = (expression: string) =>
    setOf(
      integersIn(database.get("SELECT group_concat(rowid) AS ids FROM text WHERE text MATCH ?", expression)!["ids"]),
    );
  return new ReadCache(database, {
    read: (expressions: readonly string[]) => expressions.map((expression) => [expression, read(expression)]),
    make: (documents) => documents,
    sizeOf: ({ bytes }) => bytes,
    most: MAX_BYTES,
  });
}

function setOf(ids: Int32Array): DocumentSet {
  const { length } = ids;
  const last = ids.reduce((most, id) => Math.max(most, id), 0);
  const bits = new Uint8Array((last >>> 3) + 1);
  for (const id of ids) bits[id >>> 3]! |= 1 << (id & 7);
  const has = (id: number) => ((bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  const documents = () => {
    const found = new Int32Array(length);
    let count = 0;
    for (let id = 0; id <= last; id++) if (has(id)) found[count++] = id;
    return found.subarray(0, count);
  };
  return { has, documents, bytes: bits.length };
}
