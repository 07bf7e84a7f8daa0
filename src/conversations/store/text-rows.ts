// The owner and length of each row of the full text: ranking needs both of every
// hit. Asking the database hit by hit takes ten times as long as finding the
// hits, so this is kept in arrays, nine bytes per row, and read again when the
// full text has changed. Used by word-matches.ts.
import { type IndexDatabase, ReadCache, type Row } from "../../sqlite/sqlite.ts";
import { integersIn, readTextLengths, type Statistics, versionOfText } from "../../search/search.ts";

export interface TextRows {
  /** By row of the full text, the id of the conversation; 0 where there is no text. */
  readonly conversations: Int32Array;
  /** By row, in words. */
  readonly lengths: Int32Array;
  /** By row, how much each of its words counts. */
  readonly weights: Uint8Array;
  readonly mostConversation: number;
  /** How many rows there are. */
  readonly count: number;
  /** As FTS5 has them. */
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
  const { lengths, count, ...statistics } = readTextLengths(database);
  const pages = database.get(
    "SELECT group_concat(id) AS ids, group_concat(conversation) AS conversations FROM page WHERE NOT is_rest",
  )!;
  const titles = database.get(
    "SELECT group_concat(title_row) AS ids, group_concat(id) AS conversations FROM conversation WHERE title_row IS NOT NULL",
  )!;
  const rows = lengths.length;
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
  return { conversations, lengths, weights, mostConversation, count, statistics };
}
