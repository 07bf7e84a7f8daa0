// The places of words in the full text, as FTS5 stores them: which rows, and where in
// each. Used by the indexes that weigh words; expects the view `occurrence` (see
// OCCURRENCES), which stores nothing.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import type { Spelling } from "../words/spellings.ts";
import type { Places, WeighedWord } from "../weighing.ts";

export const OCCURRENCES = "CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab(main, text, instance)";

/** Places of the same text whose columns differ are never near each other. */
export const COLUMN = 2 ** 22;
/** Above the place in any column. */
export const ROW = 2 ** 25;

/** The number of the column that a place is in, in the order given to `placesCache`. */
export function columnAt(place: number): number {
  return place >>> 22;
}

/** How many places a query reads in all, the rarest words first: some milliseconds. */
const MAX_PLACES = 20_000;
/** Of words with more places: how many texts a query lists in all. One note may have a word a million times. */
const MAX_TEXTS = 5_000;

export interface SpelledWord {
  readonly term: string;
  readonly offset: number;
  readonly weight: number;
  readonly spellings: readonly Spelling[];
  /** No text has it: these are spellings of a word that may be meant. */
  readonly isCorrected?: boolean;
}

/** By spelling. Frequent words are asked for most, and cost most. */
export type PlacesCache = ReadCache<string, Places, Places>;

/** Eight bytes each. */
const MAX_CACHED = 400_000;

/** @param columns the most frequent one first: SQLite compares their names in this order */
export function placesCache(database: IndexDatabase, columns: readonly string[]): PlacesCache {
  const sql = sqlFor(columns);
  const read = (term: string) => placesIn(String(database.get(sql, term)!["places"] ?? ""));
  return new ReadCache(database, {
    read: (terms: readonly string[]) => terms.map((term) => [term, read(term)]),
    make: (places) => places,
    sizeOf: ({ texts }) => texts.length,
    most: MAX_CACHED,
  });
}

/**
 * Says how much is read of a word: its places, only its texts, or nothing; then it makes no hits, and is looked up in
 * the best ones.
 */
type Extent = "places" | "texts" | "nothing";

interface ChosenWord {
  readonly word: SpelledWord;
  /** In how many texts it is: an estimate. */
  readonly texts: number;
  readonly extent: Extent;
}

/**
 * Chooses what is read of each word: the places of those that are the rarest, as far as that is quick, and of the others
 * the texts of those that few texts have. However often a text has a word, others with it are found.
 * @returns all words, the rarest first
 */
function chosenWords(words: readonly SpelledWord[]): readonly ChosenWord[] {
  const counted = words
    .map((word) => ({
      word,
      places: sumOf(word.spellings.map(({ count }) => count)),
      texts: sumOf(word.spellings.map(({ documents }) => documents)),
    }))
    .toSorted((a, b) => a.places - b.places);
  const extents = new Map<SpelledWord, Extent>();
  let left = MAX_PLACES;
  for (const { word, places } of counted)
    if (places > 0 && places <= left) {
      extents.set(word, "places");
      left -= places;
    }
  const others = counted.filter(({ word, places }) => places > 0 && !extents.has(word));
  // If all are frequent, those with the most of them are found.
  let room = extents.size > 0 ? MAX_TEXTS : Number.POSITIVE_INFINITY;
  for (const { word, texts } of others.toSorted((a, b) => a.texts - b.texts))
    if (texts <= room) {
      extents.set(word, "texts");
      room -= texts;
    }
  return counted.map(({ word }) => ({
    word,
    texts: Math.max(0, ...word.spellings.map(({ documents }) => documents)),
    extent: extents.get(word) ?? "nothing",
  }));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Spellings of a word that count equally much. */
interface EqualSpellings {
  readonly share: number;
  readonly terms: readonly string[];
}

function equalSpellings({ spellings }: SpelledWord): EqualSpellings[] {
  return [...Map.groupBy(spellings, ({ share }) => share)].map(([share, equal]) => ({
    share,
    terms: equal.map(({ term }) => term),
  }));
}

/** Reads an index by word. */
interface WordReader {
  /** By word, where it is; without words that no text has. */
  readonly places: (terms: readonly string[]) => ReadonlyMap<string, Places>;
  /** The texts with one of these words, in ascending order. */
  readonly texts: (terms: readonly string[]) => Int32Array;
}

/** Reads where the words are, as far as that is quick. */
export function readWords(reader: WordReader, words: readonly SpelledWord[]): WeighedWord[] {
  return chosenWords(words).map(({ word, texts, extent }) => {
    const { term, offset, weight, spellings, isCorrected } = word;
    const known = { term, offset, weight, texts, isGuessed: isCorrected };
    if (extent === "texts") {
      const listed = equalSpellings(word).map(({ share, terms }) => ({ share, places: onceIn(reader.texts(terms)) }));
      return { ...known, spellings: listed, isPlaced: false };
    }
    const found = reader.places(extent === "places" ? spellings.map((spelling) => spelling.term) : []);
    const read = spellings.flatMap(({ term: spelling, share }) => {
      const at = found.get(spelling);
      return at === undefined ? [] : [{ share, places: at }];
    });
    return { ...known, spellings: read, isPlaced: true };
  });
}

/** Of texts with a word whose places were not read. */
function onceIn(texts: Int32Array): Places {
  return { texts, places: new Int32Array(texts.length) };
}

/** One number for each place: one result row for each would cost more than the search. */
function sqlFor(columns: readonly string[]): string {
  const column =
    columns.length === 1 ? "0" : `CASE col ${columns.map((name, i) => `WHEN '${name}' THEN ${i}`).join(" ")} END`;
  return `SELECT group_concat(place) AS places FROM (
    SELECT doc * ${ROW} + ${column} * ${COLUMN} + min(offset, ${COLUMN - 1}) AS place FROM occurrence WHERE term = ?
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
