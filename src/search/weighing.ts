// How well texts match some of the words of a query: what BM25 says, and how many of
// the words stand near each other. Pure. Used for questions in whole sentences, and
// for queries of which no text has all words; each index reads the places of the words
// in its own way.
//
// On questions about 249 dialogues, a window of 20 words raised the share that is found
// among the first ten from 75 to 77 %; a long text has every word somewhere, but only
// the right one has them together. Of 921 questions about encyclopaedias and dictionaries
// 420 are found among the first five; with k1 from 1.1 to 2, b from 0.5 to 0.9, a window
// of 10 to 80 words, and nearness counted once to five times, 411 to 421.
import { isStopWord } from "./words/word-forms.ts";

/** The places of a spelling: texts in ascending order, and in each the places in ascending order. */
export interface Places {
  readonly texts: Int32Array;
  readonly places: Int32Array;
}

export interface WeighedWord {
  /** As typed, to tell words apart. */
  readonly term: string;
  /** The word's place in the query, counted in words. */
  readonly offset: number;
  /** Above 1 for a word that counts more than others that are as rare. */
  readonly weight: number;
  /** Empty if no text has the word, or it is too frequent to be read. */
  readonly spellings: readonly { readonly share: number; readonly places: Places }[];
  /** No text has it: these are spellings of a word that may be meant. */
  readonly isGuessed?: boolean | undefined;
  /** False if only the texts that have it were read: then it is in each of them once, near nothing. */
  readonly isPlaced: boolean;
  /** How many texts have it: an estimate if its places were not read. */
  readonly texts: number;
}

/** Statistics of all texts for the ranking. */
export interface Texts {
  readonly count: number;
  readonly averageLength: number;
  /** By text, in words. */
  readonly lengths: Int32Array;
  /** How much a word counts at a place of a text. */
  readonly weightAt: (text: number, place: number) => number;
}

export interface Weighed {
  readonly text: number;
  /** From 0 to 1. */
  readonly relevance: number;
  /** The words are as far from each other as in the query, in the same order. */
  readonly mayBePhrase: boolean;
}

/** BM25: how soon a repeated word stops counting, and how much a long text is discounted. */
const K1 = 1.5;
const B = 0.75;
/** Words within so many words of each other are near. */
const WINDOW = 20;
/** As many are a passage that may answer a question. */
const PASSAGE = 60;
/** How much the nearest words count, against each of them on its own. */
const NEARNESS = 2;
/** A word that is in every fifth text does not make a hit on its own if others are rarer. */
const COMMON = 5;
/** Unless the rarer ones are in fewer texts than this, counted word by word. */
const ENOUGH_TEXTS = 100;
/** Nearness is computed for at least this many of the texts that may be the best. */
const MIN_COMPARED = 200;

/** Looks things up in an index while its texts are weighed. */
export interface Lookup {
  /** Returns which of these texts have a word whose places were not read. */
  readonly having: (word: WeighedWord, among: readonly number[]) => ReadonlySet<number>;
  /** Those of these texts that may be returned. */
  readonly allowed: (hits: readonly number[]) => readonly number[];
}

/**
 * @param words in any order
 * @returns the best texts, best first, and all that have one of the words
 */
export function weigh(
  words: readonly WeighedWord[],
  texts: Texts,
  limit: number,
  { having, allowed }: Lookup,
): { readonly best: readonly Weighed[]; readonly hits: readonly number[]; readonly evidence: Evidence } {
  const read = words.filter(({ spellings }) => spellings.length > 0);
  const unread = words.filter(({ spellings }) => spellings.length === 0);
  const { table, rarities } = tableOf(read, texts);
  for (const word of unread) rarities.set(word, word.weight * rarityOf(word.texts, texts.count));
  const hits = allowed(table.hits);
  const candidates = table.mostPromising(hits, Math.max(MIN_COMPARED, limit));
  const most = [...rarities.values()].reduce((sum, rarity) => sum + rarity, 0) * (K1 + 1 + NEARNESS);
  const frequent = unread
    .filter(({ texts: count }) => count > 0)
    .map((word) => ({ rarity: rarities.get(word)!, texts: having(word, candidates) }));
  const best = candidates.map((text): Weighed => {
    const { nearness, mayBePhrase } = nearestIn(text, read, rarities);
    const others = frequent.reduce((sum, word) => sum + (word.texts.has(text) ? word.rarity : 0), 0);
    const sum = table.relevanceOf(text) + NEARNESS * nearness + others;
    return { text, relevance: most === 0 ? 0 : sum / most, mayBePhrase: mayBePhrase && unread.length === 0 };
  });
  const ranked = best.sort((a, b) => b.relevance - a.relevance || a.text - b.text).slice(0, limit);
  return { best: ranked, hits, evidence: evidenceOf(words, texts, ranked.slice(0, MAX_EVIDENCE)) };
}

/** Texts of which it is known which words they have. */
const MAX_EVIDENCE = 10;

/** Scores of the best texts for the words, from which sureness.ts says how sure an answer is. */
export interface Evidence {
  readonly words: readonly WordEvidence[];
  readonly texts: readonly TextEvidence[];
  readonly count: number;
  readonly averageLength: number;
}

export interface WordEvidence {
  readonly term: string;
  readonly isName: boolean;
  /** How many texts have it in one of its spellings, and how often. 0: none has, or only a word that may be meant. */
  readonly texts: number;
  readonly places: number;
}

export interface TextEvidence {
  readonly text: number;
  readonly relevance: number;
  readonly length: number;
  /** By word, how much of it the text has, up to 1 for the word as typed; and the best passage. */
  readonly inText: readonly number[];
  readonly inPassage: readonly number[];
}

/** Without words whose places were not read: they are too frequent to say anything. */
function evidenceOf(words: readonly WeighedWord[], texts: Texts, best: readonly Weighed[]): Evidence {
  const telling = words.filter(({ spellings, texts: known }) => spellings.length > 0 || known === 0);
  const sure = telling.map((word) => (word.isGuessed ? { ...word, spellings: [] } : word));
  const found = sure.map(({ spellings }): Pick<WordEvidence, "texts" | "places"> => ({
    texts: Math.max(0, ...spellings.map(({ places }) => distinctIn(places.texts))),
    places: spellings.reduce((sum, { places }) => sum + places.texts.length, 0),
  }));
  const rarities = new Map(sure.map((word, i) => [word, rarityOf(found[i]!.texts, texts.count)]));
  return {
    words: sure.map(({ term, weight }, i) => ({ term, isName: weight > 1, ...found[i]! })),
    texts: best.map(({ text, relevance }) => ({
      text,
      relevance,
      length: texts.lengths[text]!,
      inText: sure.map(({ spellings }) =>
        Math.max(
          0,
          ...spellings.map(({ share, places: { texts: having } }) =>
            having[firstOf(having, text)] === text ? share : 0,
          ),
        ),
      ),
      inPassage: bestWindow(text, sure, rarities, PASSAGE).shares,
    })),
    count: texts.count,
    averageLength: texts.averageLength,
  };
}

/**
 * The words that make a hit on their own: not those that are common, if rarer ones are in enough texts. Of few long texts
 * every word is common.
 */
function wordsOfHits<W extends Pick<WeighedWord, "term" | "texts">>(read: readonly W[], count: number): W[] {
  const rarest = Math.min(...read.map((word) => word.texts));
  const chosen = new Set<W>();
  let found = 0;
  for (const word of read.toSorted((a, b) => a.texts - b.texts)) {
    const isCommon = word.texts * COMMON > count && word.texts > rarest;
    if (isCommon && (found >= ENOUGH_TEXTS || isStopWord(word.term))) continue;
    chosen.add(word);
    found += word.texts;
  }
  return read.filter((word) => chosen.has(word));
}

function tableOf(read: readonly WeighedWord[], texts: Texts) {
  const table = new RelevanceTable(texts);
  const rarities = new Map<WeighedWord, number>();
  const makingHits = new Set(wordsOfHits(read, texts.count));
  for (const word of read) rarities.set(word, table.add(word, makingHits.has(word)));
  return { table, rarities };
}

/** Above 0 even for a word that every text has: of two texts with the same rare words, the one with more of the others is first. */
function rarityOf(textsWithIt: number, count: number): number {
  return Math.log(1 + (Math.max(0, count - textsWithIt) + 0.5) / (textsWithIt + 0.5));
}

/** The sum of BM25 over words, by text. */
class RelevanceTable {
  readonly #texts: Texts;
  readonly #relevances: Float64Array;
  /** The rarities of the words that a text has: nearness adds no more than this, times its weight. */
  readonly #potentials: Float64Array;
  readonly #frequencies: Float64Array;
  /** Of the word that is being added, the best spelling that a text has. */
  readonly #shares: Float64Array;
  readonly #isHit: Uint8Array;
  /** The texts with a word that makes hits. */
  readonly hits: number[] = [];

  constructor(texts: Texts) {
    const size = texts.lengths.length;
    this.#texts = texts;
    this.#relevances = new Float64Array(size);
    this.#potentials = new Float64Array(size);
    this.#frequencies = new Float64Array(size);
    this.#shares = new Float64Array(size);
    this.#isHit = new Uint8Array(size);
  }

  relevanceOf(text: number): number {
    return this.#relevances[text]!;
  }

  /** @returns the rarity of the word */
  add({ spellings, weight }: WeighedWord, makesHits: boolean): number {
    const { lengths, averageLength, count, weightAt } = this.#texts;
    const frequencies = this.#frequencies;
    const shares = this.#shares;
    const found: number[] = [];
    for (const { share, places } of spellings)
      for (let i = 0; i < places.texts.length; i++) {
        const text = places.texts[i]!;
        if (text >= lengths.length) continue;
        if (frequencies[text] === 0) found.push(text);
        frequencies[text]! += weightAt(text, places.places[i]!);
        if (share > shares[text]!) shares[text] = share;
      }
    const rarity = weight * rarityOf(found.length, count);
    for (const text of found) {
      const frequency = frequencies[text]!;
      const lengthening = K1 * (1 - B + (B * lengths[text]!) / averageLength);
      this.#relevances[text]! += (rarity * shares[text]! * (frequency * (K1 + 1))) / (frequency + lengthening);
      this.#potentials[text]! += rarity * shares[text]!;
      frequencies[text] = 0;
      shares[text] = 0;
      if (!makesHits || this.#isHit[text] === 1) continue;
      this.#isHit[text] = 1;
      this.hits.push(text);
    }
    return rarity;
  }

  /** Those of the hits that may be the best once nearness is added. */
  mostPromising(hits: readonly number[], count: number): readonly number[] {
    if (hits.length <= count) return hits;
    const bounds = new Float64Array(hits.length);
    for (const [i, text] of hits.entries()) bounds[i] = this.#relevances[text]! + NEARNESS * this.#potentials[text]!;
    const least = bounds.toSorted()[bounds.length - count]!;
    return hits.filter((_, i) => bounds[i]! >= least);
  }
}

interface Occurrence {
  readonly place: number;
  readonly word: number;
  readonly share: number;
}

function distinctIn(ascending: Int32Array): number {
  let count = 0;
  for (let i = 0; i < ascending.length; i++) if (ascending[i] !== ascending[i - 1]) count++;
  return count;
}

/** The shares of the words in the window of so many words that has the most of them. */
function bestWindow(
  text: number,
  words: readonly WeighedWord[],
  rarities: ReadonlyMap<WeighedWord, number>,
  size: number,
) {
  const found: Occurrence[] = [];
  for (const [word, { spellings, isPlaced }] of words.entries())
    for (const { share, places } of isPlaced ? spellings : [])
      for (let i = firstOf(places.texts, text); places.texts[i] === text; i++)
        found.push({ place: places.places[i]!, word, share });
  found.sort((a, b) => a.place - b.place);
  const shares = new Float64Array(words.length);
  let nearness = 0;
  let best: readonly number[] = words.map(() => 0);
  for (let last = 0; last < found.length; last++) {
    let sum = 0;
    shares.fill(0);
    for (let i = last; i >= 0 && found[last]!.place - found[i]!.place <= size; i--) {
      const { word, share } = found[i]!;
      if (share <= shares[word]!) continue;
      sum += (share - shares[word]!) * rarities.get(words[word]!)!;
      shares[word] = share;
    }
    if (sum <= nearness) continue;
    nearness = sum;
    best = [...shares];
  }
  return { found, nearness, shares: best };
}

/** The words of the best window, by their rarity. */
function nearestIn(text: number, words: readonly WeighedWord[], rarities: ReadonlyMap<WeighedWord, number>) {
  const { found, nearness } = bestWindow(text, words, rarities, WINDOW);
  const unplaced = words.filter(({ isPlaced }) => !isPlaced);
  const placed = words.length - unplaced.length;
  // Asking for the phrase takes long if its words are frequent: too long for each text that only has them.
  const mayBePhrase =
    placed > 1 && unplaced.every((word) => hasAsTyped(text, word)) && hasAllInOrder(found, words, placed);
  return { nearness, mayBePhrase };
}

function hasAsTyped(text: number, { spellings }: WeighedWord): boolean {
  return spellings.some(({ share, places: { texts } }) => share === 1 && texts[firstOf(texts, text)] === text);
}

/** Returns whether so many words, whose places are known, are somewhere at the same distances as in the query. */
function hasAllInOrder(found: readonly Occurrence[], words: readonly WeighedWord[], placed: number): boolean {
  const exact = found.filter(({ share }) => share === 1);
  if (new Set(exact.map(({ word }) => word)).size < placed) return false;
  const counts = new Map<number, number>();
  for (const { place, word } of exact) {
    const start = place - words[word]!.offset;
    const count = (counts.get(start) ?? 0) + 1;
    if (count === placed) return true;
    counts.set(start, count);
  }
  return false;
}

/** The position of the first number that is not smaller, in ascending ones. */
export function firstOf(ascending: Int32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
