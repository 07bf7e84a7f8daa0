// The spellings under which a word of a query may stand in a text: the word itself,
// its other forms, longer words, words with another ending; or, if there are none, the
// words that a mistyped one may be meant for. Used by readings.ts, through the indexes.
//
// English forms come from rules. For every other language the ending alone is taken
// as what changes: of two words of at least five letters that differ in the last two,
// most are forms of one word. On questions in Russian, German, Spanish and Turkish
// that found 3, 1, 0.4 and 2 of a hundred more among the first ten.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import { endOf, mostFrequent } from "./spelling.ts";
import { isPaired } from "./terms.ts";
import { stemsOf } from "./word-forms.ts";

export interface Spelling {
  readonly term: string;
  /** How much it counts, up to 1 for the word as typed. */
  readonly share: number;
  /** How often it occurs, and in how many documents. */
  readonly count: number;
  readonly documents: number;
}

/** How much another form of the word counts. */
export const FORM = 0.8;
const SIMILAR = 0.6;
/** More than these many words begin alike only if the beginning says nothing. */
const MAX_SPELLINGS = 30;
const MIN_BEGINNING_LENGTH = 4;
const MIN_STEM_LENGTH = 5;
const ENDING = 2;
/** A word with another ending is at most this much longer. */
const LONGER = 4;

/** @param isBegun the word may be incomplete, however short it is */
export function spellingsOf(database: IndexDatabase, word: string, isBegun: boolean): Spelling[] {
  const { terms, stem } = termsToLookUp(word, isBegun);
  return spellingsAmong([...known(database, terms), ...(stem === undefined ? [] : beginning(database, stem))], word);
}

/** Shorter words are within too many others by chance. */
const MIN_INNER_LENGTH = 5;
export const MAX_CONTAINING = 20;
/** All words of the index are read, which takes 0.05 s for a thousand notes. */
const MAX_TEXTS_READ = 20_000;
/** How much a word counts that is within another one. */
const INNER = 0.4;

/** @param texts how many the index has */
export function isSoughtInside(word: string, texts: number): boolean {
  return word.length >= MIN_INNER_LENGTH && texts <= MAX_TEXTS_READ && !isPaired(word) && !DIGIT.test(word);
}

/** The longer words that have this one within or at their end: "Spielabend" is in "Brettspielabend". */
export function containingWords(database: IndexDatabase, word: string): Spelling[] {
  return database
    .all(
      "SELECT term, doc, cnt FROM word WHERE instr(term, ?) > 1 ORDER BY doc DESC, term LIMIT ?",
      word,
      MAX_CONTAINING,
    )
    .map(({ term, doc, cnt }) => containing({ term: String(term), documents: Number(doc), count: Number(cnt) }));
}

export function containing(found: Known): Spelling {
  return { ...found, share: INNER };
}

/** Words that are kept with their spellings. */
const MAX_CACHED = 1000;

/** Spellings by word. FTS5 counts the documents of each by reading all of its places, which takes longer the more notes there are. */
export interface SpellingsCache {
  readonly of: (word: string, isBegun: boolean) => readonly Spelling[];
  readonly containing: (word: string) => readonly Spelling[];
}

export function spellingsCache(database: IndexDatabase): SpellingsCache {
  const cacheOf = (isBegun: boolean) =>
    new ReadCache(database, {
      read: (words: readonly string[]) => words.map((word) => [word, spellingsOf(database, word, isBegun)] as const),
      make: (spellings) => spellings,
      most: MAX_CACHED,
    });
  const [whole, begun] = [cacheOf(false), cacheOf(true)];
  const inner = new ReadCache(database, {
    read: (words: readonly string[]) => words.map((word) => [word, containingWords(database, word)] as const),
    make: (spellings) => spellings,
    most: MAX_CACHED,
  });
  return {
    of: (word, isBegun) => (isBegun ? begun : whole).get(word)!,
    containing: (word) => inner.get(word)!,
  };
}

/** The words of an index that may be spellings of a word: these, and those that begin with the stem. */
function termsToLookUp(
  word: string,
  isBegun: boolean,
): { readonly terms: readonly string[]; readonly stem: string | undefined } {
  const isOpen = !isPaired(word) && (isBegun || word.length >= MIN_BEGINNING_LENGTH);
  const stem = isOpen ? stemOf(word) : undefined;
  return { terms: [...sharesOf(word).keys()], stem };
}

function sharesOf(word: string): Map<string, number> {
  return new Map(stemsOf(word).map((form) => [form, FORM])).set(word, 1);
}

/** The spellings of a word among those of its `termsToLookUp` that an index has. */
function spellingsAmong(found: readonly Known[], word: string): Spelling[] {
  const shares = sharesOf(word);
  return [...new Map(found.map((one) => [one.term, one])).values()]
    .filter(({ term }) => shares.has(term) || term.startsWith(word) || isOtherEnding(term, word))
    .map(({ term, count, documents }) => ({ term, share: shares.get(term) ?? SIMILAR, count, documents }))
    .toSorted((a, b) => b.share - a.share || b.count - a.count)
    .slice(0, MAX_SPELLINGS);
}

function isOtherEnding(term: string, word: string): boolean {
  return term.length <= word.length + LONGER && !DIGIT.test(term);
}

type Known = Omit<Spelling, "share">;

function known(database: IndexDatabase, terms: readonly string[]): Known[] {
  return terms.flatMap((term) => {
    const row = database.get("SELECT doc, cnt FROM word WHERE term = ?", term);
    return row === undefined ? [] : [{ term, documents: Number(row["doc"]), count: Number(row["cnt"]) }];
  });
}

function beginning(database: IndexDatabase, stem: string): Known[] {
  const words = { from: "word WHERE term >= ? AND term < ?", values: [stem, endOf(stem)], by: "cnt" };
  return mostFrequent(database, words, MAX_BEGINNING).map(({ term, doc, cnt }) => ({
    term: String(term),
    documents: Number(doc),
    count: Number(cnt),
  }));
}

/** Words with the same beginning that are looked at: more than any language has, and fewer than a hostile note. */
const MAX_BEGINNING = 5_000;

const DIGIT = /\p{N}/u;

/** The word without its ending. One with a digit has none: `iso9001` is not a form of `iso9002`. */
export function stemOf(word: string): string {
  if (DIGIT.test(word)) return word;
  return word.slice(0, Math.max(MIN_STEM_LENGTH, word.length - ENDING));
}
