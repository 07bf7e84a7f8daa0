// Whose each row of the full text is, and how long: what ranking needs of every
// hit. Asking the database hit by hit takes ten times as long as finding the
// hits, so this is kept in arrays, nine bytes per row, and read again when the
// full text has changed. Used by word-matches.ts.
import { type IndexDatabase, ReadCache, type Row } from "../../sqlite/sqlite.ts";
import { type Statistics, statisticsOf, versionOfText } from "../../search/search.ts";

export interface TextRows {
  /** By row of the full text, the id of the conversation; 0 where there is no text. */
  readonly conversations: Int32Array;
  /** By row, in words. */
  readonly lengths: Int32Array;
  /** By row, how much each of its words counts. */
  readonly weights: Uint8Array;
  readonly mostConversation: number;
  readonly statistics: Statistics;
}

/** Of the columns of the full text, as in tables.ts. */
export const TITLE_WEIGHT = 6;
const PROSE_WEIGHT = 1;

/** To be asked for after the full text was: what is being written gets there with the first query. */
export type TextRowsCache = ReadCache<"all", string, TextRows>;

export function textRowsCache(database: IndexDatabase): TextRowsCache {
  return new ReadCache<"all", string, TextRows>(database, {
    read: () => [["all", versionOfText(database)]],
    make: () => readTextRows(database),
    isSame: (before, now) => before === now,
    most: 1,
  });
}

function readTextRows(database: IndexDatabase): TextRows {
  // FTS5's own table: how many words each column of a row has.
  const sizes = database.get("SELECT group_concat(id) AS ids, group_concat(hex(sz)) AS sizes FROM text_docsize")!;
  const pages = database.get(
    "SELECT group_concat(id) AS ids, group_concat(conversation) AS conversations FROM page WHERE NOT is_rest",
  )!;
  const titles = database.get(
    "SELECT group_concat(title_row) AS ids, group_concat(id) AS conversations FROM conversation WHERE title_row IS NOT NULL",
  )!;
  const ids = integersIn(sizes["ids"]);
  const rows = (ids.at(-1) ?? 0) + 1;
  const conversations = new Int32Array(rows);
  const weights = new Uint8Array(rows);
  let mostConversation = 0;
  const addOwners = (list: Row, weight: number) => {
    const owners = integersIn(list["conversations"]);
    for (const [i, id] of integersIn(list["ids"]).entries()) {
      if (id >= rows) continue;
      conversations[id] = owners[i]!;
      weights[id] = weight;
      mostConversation = Math.max(mostConversation, owners[i]!);
    }
  };
  addOwners(pages, PROSE_WEIGHT);
  addOwners(titles, TITLE_WEIGHT);
  const lengths = new Int32Array(rows);
  for (const [i, length] of lengthsIn(sizes["sizes"]).entries()) lengths[ids[i]!] = length;
  return { conversations, lengths, weights, mostConversation, statistics: statisticsOf(database) };
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
