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
  /** The words that begin so. */
  readonly beginning: (beginning: string) => Promise<readonly string[]>;
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

async function hitsOf(
  words: StoredWords,
  { terms, isPrefix }: TermsQuery,
  columns: readonly number[],
): Promise<TermsHits> {
  const last = isPrefix ? await words.beginning(terms.at(-1)!) : [terms.at(-1)!];
  if (terms.length > 1) return phraseHits(words, [...terms.slice(0, -1).map((term) => [term]), last], columns);
  const each = [...(await words.counts(last)).values()].map((counts) => weighted(counts, columns));
  if (each.length === 1) return each[0]!;
  const found = new Map<number, number>();
  for (const { texts, frequencies } of each)
    for (const [i, text] of texts.entries()) found.set(text, (found.get(text) ?? 0) + frequencies[i]!);
  return hitsIn(found);
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

/** Texts that have one word of each group, next to each other. */
async function phraseHits(
  words: StoredWords,
  groups: readonly (readonly string[])[],
  columns: readonly number[],
): Promise<TermsHits> {
  const counts = await words.counts(groups.flat());
  const having = groups.map((group) => inAny(group.flatMap((word) => counts.get(word)?.texts ?? [])));
  const candidates = inAll(having);
  const found = new Map<number, number>();
  if (candidates.length === 0) return hitsIn(found);
  const places = await words.places(groups.flat());
  for (const text of candidates) {
    const [first, ...rest] = groups.map((group) => placesOf(group, places, text));
    let frequency = 0;
    for (const place of first!)
      if (rest.every((others, i) => others.has(place + i + 1))) frequency += columns[columnAt(place)]!;
    if (frequency > 0) found.set(text, frequency);
  }
  return hitsIn(found);
}

function placesOf(group: readonly string[], places: ReadonlyMap<string, Places>, text: number): Set<number> {
  const found = new Set<number>();
  for (const word of group) {
    const known = places.get(word);
    if (known === undefined) continue;
    for (let i = firstOf(known.texts, text); known.texts[i] === text; i++) found.add(known.places[i]!);
  }
  return found;
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
