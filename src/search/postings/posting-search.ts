// Evaluates a full-text query on the places of its words, and ranks what it finds as
// FTS5's bm25 does: for an index whose words are rows of a database. Pure; which
// words there are, and where, is asked of the index.
import { rarityOf, relevanceOf, type Statistics, WEIGHTS } from "../relevance.ts";
import type { TermsQuery, TextQuery } from "../text-query.ts";
import { firstOf, type Places } from "../weighing.ts";
import { columnAt } from "../documents/word-places.ts";
import { COLUMNS, type WordCounts } from "./postings.ts";

/** The words of an index. */
export interface StoredWords {
  readonly counts: (terms: readonly string[]) => Promise<ReadonlyMap<string, WordCounts>>;
  readonly places: (terms: readonly string[]) => Promise<ReadonlyMap<string, Places>>;
  /** The same of all words that begin so, as if they were one: there may be hundreds of thousands. */
  readonly begunCounts: (beginning: string) => Promise<WordCounts>;
  readonly begunPlaces: (beginning: string) => Promise<Places>;
}

/** How much a word counts in each column; those with 0 are not searched. */
export const ALL_COLUMNS: readonly number[] = [WEIGHTS.at(-1)!, ...WEIGHTS.slice(0, -1)];

export function onlyColumns(...names: readonly (typeof COLUMNS)[number][]): readonly number[] {
  return ALL_COLUMNS.map((weight, column) => (names.includes(COLUMNS[column]!) ? weight : 0));
}

/** The texts that have a word or a phrase, in ascending order. */
export interface TermsHits {
  readonly texts: Int32Array;
  /** How often, each time counted by the weight of its column. */
  readonly frequencies: Float64Array;
}

export interface Evaluated {
  /** The texts that the query finds, in ascending order. */
  readonly texts: Int32Array;
  /** The words and phrases of the query, in their order. */
  readonly parts: readonly TermsHits[];
}

export async function evaluate(words: StoredWords, query: TextQuery, columns = ALL_COLUMNS): Promise<Evaluated> {
  if (query.kind === "terms") {
    const hits = await hitsOf(words, query, columns);
    return { texts: hits.texts, parts: [hits] };
  }
  const each: Evaluated[] = [];
  for (const one of query.of) each.push(await evaluate(words, one, columns));
  const sets = each.map(({ texts }) => texts);
  return { texts: query.kind === "all" ? inAll(sets) : inAny(sets), parts: each.flatMap(({ parts }) => parts) };
}

/** By text of the query's, the rank: the lower, the better. */
export function ranksOf(
  texts: Int32Array,
  parts: readonly TermsHits[],
  { documents, averageLength }: Statistics,
  lengthOf: (text: number) => number,
): Float64Array {
  const ranks = new Float64Array(texts.length);
  for (const { texts: having, frequencies } of parts) {
    const rarity = rarityOf(having.length, documents);
    let at = 0;
    for (const [i, text] of texts.entries()) {
      while (at < having.length && having[at]! < text) at++;
      if (having[at] === text) ranks[i]! -= relevanceOf(rarity, frequencies[at]!, lengthOf(text), averageLength);
    }
  }
  return ranks;
}

async function hitsOf(words: StoredWords, query: TermsQuery, columns: readonly number[]): Promise<TermsHits> {
  const counts = await countsOf(words, query);
  return counts.length === 1 ? weighted(counts[0]!, columns) : phraseHits(words, query, counts, columns);
}

/** Of each word in turn; the last may go on. */
async function countsOf(words: StoredWords, { terms, isPrefix }: TermsQuery): Promise<WordCounts[]> {
  const whole = isPrefix ? terms.slice(0, -1) : terms;
  const found = await words.counts(whole);
  return [
    ...whole.map((term) => found.get(term) ?? { texts: new Int32Array(), counts: new Int32Array() }),
    ...(isPrefix ? [await words.begunCounts(terms.at(-1)!)] : []),
  ];
}

function weighted({ texts, counts }: WordCounts, columns: readonly number[]): TermsHits {
  const found = new Int32Array(texts.length);
  const frequencies = new Float64Array(texts.length);
  let size = 0;
  for (let i = 0; i < texts.length; i++) {
    let frequency = 0;
    for (let column = 0; column < columns.length; column++)
      frequency += columns[column]! * counts[i * columns.length + column]!;
    if (frequency === 0) continue;
    found[size] = texts[i]!;
    frequencies[size++] = frequency;
  }
  return { texts: found.subarray(0, size), frequencies: frequencies.subarray(0, size) };
}

/** Texts that have the words next to each other. */
async function phraseHits(
  words: StoredWords,
  { terms, isPrefix }: TermsQuery,
  counts: readonly WordCounts[],
  columns: readonly number[],
): Promise<TermsHits> {
  const found = new Map<number, number>();
  const candidates = inAll(counts.map(({ texts }) => texts));
  if (candidates.length === 0) return hitsIn(found);
  const whole = isPrefix ? terms.slice(0, -1) : terms;
  const known = await words.places(whole);
  const places = [
    ...whole.map((term) => known.get(term)!),
    ...(isPrefix ? [await words.begunPlaces(terms.at(-1)!)] : []),
  ];
  for (const text of candidates) {
    const frequency = phraseFrequency(
      places.map((each) => placesOf(each, text)),
      columns,
    );
    if (frequency > 0) found.set(text, frequency);
  }
  return hitsIn(found);
}

/** How often a text has the words next to each other. @param places of each word, in ascending order */
function phraseFrequency([first, ...rest]: readonly Int32Array[], columns: readonly number[]): number {
  const reached = rest.map(() => 0);
  let frequency = 0;
  for (const place of first!) {
    const isWhole = rest.every((others, i) => {
      const wanted = place + i + 1;
      while (reached[i]! < others.length && others[reached[i]!]! < wanted) reached[i]!++;
      return others[reached[i]!] === wanted;
    });
    if (isWhole) frequency += columns[columnAt(place)]!;
  }
  return frequency;
}

function placesOf({ texts, places }: Places, text: number): Int32Array {
  return places.subarray(firstOf(texts, text), firstOf(texts, text + 1));
}

function hitsIn(found: ReadonlyMap<number, number>): TermsHits {
  const texts = Int32Array.from(found.keys()).sort();
  return { texts, frequencies: Float64Array.from(texts, (text) => found.get(text)!) };
}

function inAll(sets: readonly Int32Array[]): Int32Array {
  const [smallest = new Int32Array(), ...others] = sets.toSorted((a, b) => a.length - b.length);
  return smallest.filter((text) => others.every((other) => other[firstOf(other, text)] === text));
}

function inAny(sets: readonly Int32Array[]): Int32Array {
  return sets.length === 1 ? sets[0]! : Int32Array.from(new Set(sets.flatMap((set) => [...set]))).sort();
}
