// Cuts a text into passages and gives each a vector of what it means: the sum of the
// vectors of its words. Pure; used by the index of notes for texts and queries.
import { MAX_BODY_LENGTH } from "../documents/document.ts";
import { WordSum } from "./word-sum.ts";
import { FIRST_HASH, nextHash, type WordTable } from "./word-table.ts";

/** The vector has length 1, in steps of 1/254. */
export interface Passage {
  /** Its beginning in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly vector: Int8Array;
}

/** Words per passage: it ends with a paragraph after the first number, and at the second anywhere. */
const ENOUGH_WORDS = 100;
const MAX_WORDS = 160;
/** With fewer known words a passage says nothing certain. */
const MIN_KNOWN = 4;
/**
 * The smallest share of known words: below it a text is in another language, or no text at all. Of 7,388 passages of encyclopaedia articles
 * seven have a smaller one; of German, French and Spanish about a fifth is known, of base64 and hashes a sixth.
 */
const MIN_SHARE = 0.28;
const MAX_PASSAGES = 200;
/** How much a word of the title counts, against one of the passage. */
const TITLE_WEIGHT = 4;

/** @param title is part of the meaning of every passage */
export function passagesOf(table: WordTable, title: string, text: string): Passage[] {
  const sum = new WordSum(table);
  addWords(table, title, 0, title.length, Number.POSITIVE_INFINITY, sum);
  const ofTitle = sum.sum().map((value) => value * TITLE_WEIGHT);
  const passages: Passage[] = [];
  for (const { start, end, words } of summedCuts(table, text, sum, ofTitle)) {
    if (sum.known < Math.max(MIN_KNOWN, MIN_SHARE * words)) continue;
    passages.push({ start, end, vector: quantized(sum.sum()) });
    if (passages.length === MAX_PASSAGES) break;
  }
  return passages;
}

export type PassageCut = Omit<Passage, "vector">;

/** The same passages without vectors, in any language: also cut where words are not separated by spaces. */
export function cutsOf(text: string): PassageCut[] {
  const cuts: PassageCut[] = [];
  for (const { start, end } of summedCuts(NO_WORDS, text, new WordSum(NO_WORDS))) {
    for (let from = start; from < end && cuts.length < MAX_PASSAGES; from += MAX_UNITS) {
      const to = Math.min(end, from + MAX_UNITS);
      if (text.slice(from, to).trim() !== "") cuts.push({ start: from, end: to });
    }
    if (cuts.length >= MAX_PASSAGES) break;
  }
  return cuts;
}

const NO_WORDS: WordTable = {
  dimensions: 0,
  find: () => -1,
  vectors: new Int8Array(0),
  weights: new Float32Array(0),
};
/** About what 160 long words have. */
const MAX_UNITS = 2_000;

/** @param sum is that of the passage, begun with `from`, when it is yielded */
function* summedCuts(
  table: WordTable,
  text: string,
  sum: WordSum,
  from?: Float64Array,
): Generator<PassageCut & { readonly words: number }> {
  const length = Math.min(text.length, MAX_BODY_LENGTH);
  const endOfParagraph = paragraphEnds(text, length);
  for (let start = 0; start < length;) {
    sum.clear(from);
    let words = 0;
    let end = start;
    while (words < ENOUGH_WORDS && end < length) {
      const added = addWords(table, text, end, endOfParagraph(end), MAX_WORDS - words, sum);
      end = added.end;
      words += added.words;
      if (words >= MAX_WORDS) break;
    }
    yield { start, end, words };
    start = end;
  }
}

/** Finds the end of the paragraph around a place. Remembers the last answer: a text of one paragraph is searched once. */
function paragraphEnds(text: string, length: number): (from: number) => number {
  const blankLine = /\n[^\S\n]*\n/g;
  let found = { index: -1, end: 0 };
  return (from) => {
    if (found.index < from) {
      blankLine.lastIndex = from;
      const match = blankLine.exec(text);
      found =
        match === null || match.index >= length
          ? { index: Number.POSITIVE_INFINITY, end: length }
          : { index: match.index, end: Math.min(blankLine.lastIndex, length) };
    }
    return found.end;
  };
}

/** A known word of a query, by its number in the table, and how much it counts. */
export interface MeantWord {
  readonly word: number;
  readonly weight: number;
}

export function isKnownWord(table: WordTable, term: string): boolean {
  return wordsIn(table, term).length > 0;
}

/** @param rarityOf how much a word says in these texts, beside what the table says */
export function meantWords(
  table: WordTable,
  terms: readonly string[],
  rarityOf: (term: string) => number,
): MeantWord[] {
  return [...new Set(terms)].flatMap((term) => {
    const [word] = wordsIn(table, term);
    return word === undefined ? [] : [{ word, weight: table.weights[word]! * rarityOf(term) }];
  });
}

/** The direction of some words together; undefined if there are none. */
export function meaningOf({ dimensions, vectors }: WordTable, words: readonly MeantWord[]): Float32Array | undefined {
  const sum = new Float32Array(dimensions);
  for (const { word, weight } of words)
    for (let i = 0; i < dimensions; i++) sum[i]! += weight * vectors[word * dimensions + i]!;
  const length = Math.hypot(...sum);
  return length === 0 ? undefined : sum.map((value) => value / length);
}

/** How near the words are to those of a text, each to its nearest one: from 0 to 1. */
export function nearnessOf(table: WordTable, words: readonly MeantWord[], text: string): number {
  const { dimensions, vectors } = table;
  const others = [...new Set(wordsIn(table, text))];
  let sum = 0;
  let most = 0;
  for (const { word, weight } of words) {
    let best = 0;
    for (const other of others) {
      let product = 0;
      for (let i = 0; i < dimensions; i++)
        product += vectors[word * dimensions + i]! * vectors[other * dimensions + i]!;
      if (product > best) best = product;
    }
    sum += weight * Math.min(1, best / SCALE / SCALE);
    most += weight;
  }
  return most === 0 ? 0 : sum / most;
}

/** The numbers of the known words of a text, in order. */
function wordsIn(table: WordTable, text: string): number[] {
  const found: number[] = [];
  eachWord(table, text, 0, text.length, (word) => {
    if (word !== -1) found.push(word);
    return true;
  });
  return found;
}

/** Adds words until the end, or so many. */
function addWords(table: WordTable, text: string, from: number, to: number, most: number, into: WordSum) {
  let words = 0;
  const end = eachWord(table, text, from, to, (word) => {
    if (word !== -1) into.add(word);
    return ++words < most;
  });
  return { words, end };
}

/**
 * Calls for each word, with -1 for an unknown one, until the end or until it returns false. Only words of English
 * letters can be known. @returns where it stopped
 */
function eachWord({ find }: WordTable, text: string, from: number, to: number, use: (word: number) => boolean): number {
  let hash = FIRST_HASH;
  let length = 0;
  let isForeign = false;
  for (let at = from; at <= to; at++) {
    const unit = at === to ? 0x20 : text.charCodeAt(at);
    const letter = unit | 0x20;
    if (letter >= 0x61 && letter <= 0x7a) {
      hash = nextHash(hash, letter);
      length++;
      continue;
    }
    if (isForeignLetter(unit)) {
      isForeign = true;
      continue;
    }
    if (length === 0 && !isForeign) continue;
    const goesOn = use(isForeign ? -1 : find(hash));
    hash = FIRST_HASH;
    length = 0;
    isForeign = false;
    if (!goesOn) return Math.min(at, to);
  }
  return to;
}

/** A letter beyond ASCII, and no dash or quote. */
function isForeignLetter(unit: number): boolean {
  return unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x206f);
}

/** Of length 1, in eight bits. */
export function quantized(vector: Float32Array | Float64Array): Int8Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  const scale = SCALE / (Math.sqrt(squares) || 1);
  const bytes = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.max(-127, Math.min(127, Math.round(vector[i]! * scale)));
  return bytes;
}

/** Components above 1/2 are cut off. */
export const SCALE = 254;
