// The places of words in the full text, as FTS5 stores them: which rows, and where in
// each. Used by the indexes that weigh words; expects the view `occurrence` (see
// OCCURRENCES), which stores nothing.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import type { Spelling } from "../words/spellings.ts";
import type { Places, WeighedWord } from "../weighing.ts";

export const OCCURRENCES = "CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab(main, text, instance)";

/** Places of the same text whose columns differ are never near each other. */
export const COLUMN = 2 ** 22;
const ROW = 2 ** 25;

/** The number of the column that a place is in, in the order given to `placesCache`. */
export function columnAt(place: number): number {
  return place >>> 22;
}

/** How many places a query reads in all, the rarest words first: some milliseconds. */
const MOST_PLACES = 20_000;

export interface SpelledWord {
  readonly term: string;
  readonly offset: number;
  readonly weight: number;
  readonly spellings: readonly Spelling[];
}

/** By spelling. Frequent words are asked for most, and cost most. */
export type PlacesCache = ReadCache<string, Places, Places>;

/** Eight bytes each. */
const MOST_CACHED = 400_000;

/** @param columns the most frequent one first: SQLite compares their names in this order */
export function placesCache(database: IndexDatabase, columns: readonly string[]): PlacesCache {
  const sql = sqlFor(columns);
  const read = (term: string) => placesIn(String(database.get(sql, term, MOST_PLACES)!["places"] ?? ""));
  return new ReadCache(database, {
    read: (terms: readonly string[]) => terms.map((term) => [term, read(term)]),
    make: (places) => places,
    sizeOf: ({ texts }) => texts.length,
    most: MOST_CACHED,
  });
}

/**
 * Chooses the words whose places are read: the rarest first, as many as are quick to read, and one at least. A word
 * that no text has takes no other's turn.
 * @returns all words, the rarest first
 */
export function chosenWords(
  words: readonly SpelledWord[],
): readonly { readonly word: SpelledWord; readonly texts: number; readonly isRead: boolean }[] {
  let left = MOST_PLACES;
  return words
    .map((word) => ({ word, places: word.spellings.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => a.places - b.places)
    .map(({ word, places }) => {
      const isRead = places > 0 && (left === MOST_PLACES || places <= left);
      if (isRead) left -= places;
      return { word, texts: Math.max(0, ...word.spellings.map(({ documents }) => documents)), isRead };
    });
}

/** Reads where the words are, as far as that is quick. */
export function readWords(cache: Pick<PlacesCache, "of">, words: readonly SpelledWord[]): WeighedWord[] {
  return chosenWords(words).map(({ word: { term, offset, weight, spellings }, texts, isRead }) => {
    const found = cache.of(isRead ? spellings.map((spelling) => spelling.term) : []);
    const read = spellings.flatMap(({ term: spelling, share }) => {
      const at = found.get(spelling);
      return at === undefined ? [] : [{ share, places: at }];
    });
    return { term, offset, weight, texts, spellings: read };
  });
}

/** One number for each place: one result row for each would cost more than the search. */
function sqlFor(columns: readonly string[]): string {
  const column =
    columns.length === 1 ? "0" : `CASE col ${columns.map((name, i) => `WHEN '${name}' THEN ${i}`).join(" ")} END`;
  return `SELECT group_concat(place) AS places FROM (
    SELECT doc * ${ROW} + ${column} * ${COLUMN} + min(offset, ${COLUMN - 1}) AS place FROM occurrence WHERE term = ? LIMIT ?
  )`;
}

function placesIn(list: string): Places {
  if (list === "") return { texts: new Int32Array(), places: new Int32Array() };
  let count = 1;
  for (let i = list.indexOf(","); i !== -1; i = list.indexOf(",", i + 1)) count++;
  const texts = new Int32Array(count);
  const places = new Int32Array(count);
  let at = 0;
  let value = 0;
  for (let i = 0; i <= list.length; i++) {
    const unit = list.charCodeAt(i);
    if (unit >= DIGIT) {
      value = value * 10 + unit - DIGIT;
      continue;
    }
    texts[at] = Math.floor(value / ROW);
    places[at++] = value % ROW;
    value = 0;
  }
  return { texts, places };
}

const DIGIT = 0x30;
