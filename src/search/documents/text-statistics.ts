// Statistics of the full text: how many documents there are, how long they are,
// how many have a word. Used by the searches of notes and of conversations.
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

const MAX_COUNTS = 1000;

/** The number of documents that an FTS5 expression finds. Cached, since the most common words are asked for most. */
export type DocumentCounts = ReadCache<string, number, number>;

export function documentCounts(database: IndexDatabase): DocumentCounts {
  const count = (expression: string) =>
    Number(database.get("SELECT count(*) AS count FROM text WHERE text MATCH ?", expression)!["count"]);
  return new ReadCache(database, {
    read: (expressions: readonly string[]) => expressions.map((expression) => [expression, count(expression)]),
    make: (documents) => documents,
    most: MAX_COUNTS,
  });
}

/** Of each row of the full text, the number of its words. */
export interface TextLengths extends Statistics {
  readonly lengths: Int32Array;
  /** How many rows there are. FTS5's own number (`documents`) still has those that were deleted, as its bm25 does. */
  readonly count: number;
}

/** From FTS5's own table: how many words each column of a row has. */
export function readTextLengths(database: IndexDatabase): TextLengths {
  const sizes = database.get("SELECT group_concat(id) AS ids, group_concat(hex(sz)) AS sizes FROM text_docsize")!;
  const ids = integersIn(sizes["ids"]);
  const lengths = new Int32Array((ids.at(-1) ?? 0) + 1);
  for (const [i, length] of lengthsIn(sizes["sizes"]).entries()) lengths[ids[i]!] = length;
  return { lengths, count: ids.length, ...statisticsOf(database) };
}

/** Read again when the full text has changed: asking row by row takes ten times as long as finding the rows. */
export type TextLengthsCache = ReadCache<"all", string, TextLengths>;

/** To be asked for after the full text was: what is being written gets there with the first query. */
export function textLengthsCache(database: IndexDatabase): TextLengthsCache {
  return new ReadCache<"all", string, TextLengths>(database, {
    read: () => [["all", versionOfText(database)]],
    make: () => readTextLengths(database),
    isSame: (before, now) => before === now,
    most: 1,
  });
}

/** The integers of a group_concat: one result row for each would cost more than the search. */
export function integersIn(list: unknown): Int32Array {
  if (typeof list !== "string") return new Int32Array();
  const integers = new Int32Array(list.length / 2 + 1);
  let count = 0;
  let value = 0;
  for (let i = 0; i < list.length; i++) {
    const unit = list.charCodeAt(i);
    if (unit === COMMA) {
      integers[count++] = value;
      value = 0;
    } else value = value * 10 + unit - DIGIT;
  }
  integers[count++] = value;
  return integers.subarray(0, count);
}

const COMMA = 0x2c;
const DIGIT = 0x30;

/** By row, the sum of its columns: varints in hexadecimal digits. */
function lengthsIn(list: unknown): number[] {
  if (typeof list !== "string") return [];
  const lengths: number[] = [];
  let length = 0;
  let column = 0;
  for (let i = 0; i < list.length; i += 2) {
    if (list.charCodeAt(i) === COMMA) {
      lengths.push(length);
      length = 0;
      i++;
    }
    const byte = 16 * digitAt(list, i) + digitAt(list, i + 1);
    column = column * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    length += column;
    column = 0;
  }
  lengths.push(length);
  return lengths;
}

function digitAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit < 0x41 ? unit - DIGIT : unit - 0x41 + 10;
}
