// Which words a document has in plenty for its length. Pure; used when a
// document is written, over its whole text: so this counts in tables of
// numbers, and makes no string of a word before it is known to be strong.
import { leastOfStrong, WEIGHTS } from "./relevance.ts";

/**
 * The strong words of a document, each once and in no order; of a short one
 * its whole text, in which every word is strong.
 * @param columns as they are given to the full-text index
 */
export function strongWordsOf(columns: readonly string[], typicalLength: number): string {
  const text = columns.join("\n");
  counter.begin(text);
  let start = 0;
  for (const [i, column] of columns.entries()) {
    counter.count(start, start + column.length, WEIGHTS[i]!);
    start += column.length + 1;
  }
  const least = leastOfStrong(counter.length, typicalLength);
  return least <= 1 ? text : counter.wordsFrom(least).join(" ");
}

/** Room for the words of nearly every document. What a longer one needs is let go after it. */
const USUAL_PLACES = 2 ** 13;

/**
 * A hash table of the words of one text, by open addressing. The arrays serve
 * one text after the other: to make and to clear them would take longer than
 * to count.
 */
class WordCounter {
  #text = "";
  /** For each word where it starts and ends, and how much it counts. */
  #starts = new Int32Array(USUAL_PLACES / 2);
  #ends = new Int32Array(USUAL_PLACES / 2);
  #hashes = new Int32Array(USUAL_PLACES / 2);
  #counts = new Int32Array(USUAL_PLACES / 2);
  #words = 0;
  /** The number of a word, plus one, at a place that its hash tells; 0 where there is none. */
  #places = new Int32Array(USUAL_PLACES);
  #length = 0;

  /** In words, those that come again included. */
  get length(): number {
    return this.#length;
  }

  begin(text: string): void {
    this.#text = text;
    this.#words = 0;
    this.#length = 0;
    if (this.#places.length > USUAL_PLACES) this.#resize(USUAL_PLACES);
    else this.#places.fill(0);
  }

  count(from: number, to: number, weight: number): void {
    const text = this.#text;
    for (let at = from; at < to; at++) {
      let unit = text.charCodeAt(at);
      if (!isInWord(unit, text, at)) continue;
      const start = at;
      let hash = 0;
      do {
        hash = Math.imul(hash ^ unit, 0x01000193);
        unit = text.charCodeAt(++at);
      } while (at < to && isInWord(unit, text, at));
      this.#length++;
      // First the word, since a new one may move the counts.
      const word = this.#wordAt(start, at, hash ^ (hash >>> 15));
      this.#counts[word]! += weight;
    }
  }

  wordsFrom(least: number): string[] {
    const words: string[] = [];
    for (let word = 0; word < this.#words; word++)
      if (this.#counts[word]! >= least) words.push(this.#text.slice(this.#starts[word], this.#ends[word]));
    return words;
  }

  /** The number of the word that stands there. */
  #wordAt(start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const word = this.#places[place]! - 1;
      if (word === -1) return this.#add(start, end, hash, place);
      if (this.#hashes[word] === hash && this.#isSame(word, start, end)) return word;
    }
  }

  #add(start: number, end: number, hash: number, place: number): number {
    const word = this.#words++;
    this.#starts[word] = start;
    this.#ends[word] = end;
    this.#hashes[word] = hash;
    this.#counts[word] = 0;
    this.#places[place] = word + 1;
    // Half of the places stay free, so that the next free one is never far.
    if (this.#words * 2 === this.#places.length) this.#resize(this.#places.length * 2);
    return word;
  }

  #resize(places: number): void {
    const words = this.#words;
    const resized = (array: Int32Array<ArrayBuffer>) => {
      const other = new Int32Array(places / 2);
      other.set(array.subarray(0, words));
      return other;
    };
    this.#starts = resized(this.#starts);
    this.#ends = resized(this.#ends);
    this.#hashes = resized(this.#hashes);
    this.#counts = resized(this.#counts);
    this.#places = new Int32Array(places);
    for (let word = 0; word < words; word++) {
      let place = this.#hashes[word]! & (places - 1);
      while (this.#places[place] !== 0) place = (place + 1) & (places - 1);
      this.#places[place] = word + 1;
    }
  }

  #isSame(word: number, start: number, end: number): boolean {
    const other = this.#starts[word]!;
    if (this.#ends[word]! - other !== end - start) return false;
    for (let i = 0; i < end - start; i++)
      if (this.#text.charCodeAt(other + i) !== this.#text.charCodeAt(start + i)) return false;
    return true;
  }
}

const counter = new WordCounter();

/** For each UTF-16 unit whether the tokenizer takes it for a part of a word. */
const UNITS = new Uint8Array(0x10000);
const UNKNOWN = 0;
const WORD = 1;
const GAP = 2;
const HALF = 3;

/** @param unit the one at that position of the text */
function isInWord(unit: number, text: string, position: number): boolean {
  const known = UNITS[unit]!;
  return known === WORD || (known !== GAP && isInRareWord(unit, text, position));
}

/** Apart from the above, which is small enough to be compiled into the loops that call it. */
function isInRareWord(unit: number, text: string, position: number): boolean {
  if (UNITS[unit] === UNKNOWN) {
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    UNITS[unit] = isHalf ? HALF : PART_OF_WORD.test(String.fromCharCode(unit)) ? WORD : GAP;
  }
  if (UNITS[unit] !== HALF) return UNITS[unit] === WORD;
  const start = unit >= 0xdc00 ? position - 1 : position;
  return PART_OF_WORD.test(text.slice(start, start + 2));
}

const PART_OF_WORD = /[\p{L}\p{M}\p{N}\p{Co}]/u;
