// Statistics of the full text: how many documents there are, how long they are,
// how many have a word. Used by the searches.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import type { Statistics } from "../relevance.ts";

/** From FTS5's own record: the number of documents, then of the words in each column. */
export function statisticsOf(database: IndexDatabase): Statistics {
  const row = database.get("SELECT block FROM text_data WHERE id = 1");
  const [documents = 0, ...lengths] = numbersIn((row?.["block"] as Uint8Array | undefined) ?? new Uint8Array());
  const words = lengths.reduce((sum, length) => sum + length, 0);
  return { documents, averageLength: documents === 0 ? 0 : words / documents };
}

/** Decodes SQLite's variable-length integers: seven bits per byte, the highest first. None here needs nine bytes. */
function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** A token that changes with the full text, and only then: these numbers, and the list of segments. */
export function versionOfText(database: IndexDatabase): string {
  const row = database.get("SELECT group_concat(hex(block)) AS blocks FROM text_data WHERE id IN (1, 10)");
  return String(row!["blocks"]);
}

const MOST_COUNTS = 1000;

/** The number of documents that an FTS5 expression finds. Cached, since the most common words are asked for most. */
export type DocumentCounts = ReadCache<string, number, number>;

export function documentCounts(database: IndexDatabase): DocumentCounts {
  const count = (expression: string) =>
    Number(database.get("SELECT count(*) AS count FROM text WHERE text MATCH ?", expression)!["count"]);
  return new ReadCache(database, {
    read: (expressions: readonly string[]) => expressions.map((expression) => [expression, count(expression)]),
    make: (documents) => documents,
    most: MOST_COUNTS,
  });
}
