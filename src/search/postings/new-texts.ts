// Packs the words of texts that are new in a block, for the first index of many: all
// entries are in a few large arrays, since an object for each word of each text took
// most of the time. Pure; used by note-index/shared/.
import { Packer } from "./packed-numbers.ts";
import { packEntry } from "./postings.ts";

/** What some of the words have of a block, one after the other in `bytes`: counts, then places. */
export interface WordRows {
  readonly terms: readonly string[];
  readonly bytes: Uint8Array;
  /** Of each word, where its counts begin, where its places begin, and where they end. */
  readonly starts: readonly number[];
  readonly middles: readonly number[];
  readonly ends: readonly number[];
}

/** In how many texts a word is, and how often. */
export interface WordCount {
  readonly term: string;
  readonly texts: number;
  readonly occurrences: number;
}

/** New texts of one block, in the order of their numbers in it. */
export class NewTexts {
  readonly #ids = new Map<string, number>();
  readonly #counts = new Packer();
  readonly #places = new Packer();
  /** Of each word: how many texts have it, and how often. */
  readonly #texts: number[] = [];
  readonly #occurrences: number[] = [];
  /** Of each entry: its word, and where its counts and places begin. */
  readonly #words: number[] = [];
  readonly #countsAt: number[] = [];
  readonly #placesAt: number[] = [];

  /**
   * @param text its number in the block, higher than that of every text before it
   * @param places by word, in ascending order
   * @returns the words, each followed by a fingerprint of its places
   */
  add(text: number, places: ReadonlyMap<string, readonly number[]>): string[] {
    const terms: string[] = [];
    for (const [term, at] of places) {
      let id = this.#ids.get(term);
      if (id === undefined) {
        id = this.#texts.length;
        this.#ids.set(term, id);
        this.#texts.push(0);
        this.#occurrences.push(0);
      }
      this.#texts[id]!++;
      this.#occurrences[id]! += at.length;
      this.#words.push(id);
      this.#countsAt.push(this.#counts.length);
      this.#placesAt.push(this.#places.length);
      this.#counts.add(text);
      terms.push(term, packEntry(at, this.#counts, this.#places));
    }
    return terms;
  }

  *words(): Generator<WordCount> {
    for (const [term, id] of this.#ids) yield { term, texts: this.#texts[id]!, occurrences: this.#occurrences[id]! };
  }

  /** The rows of all words, in their order: rows of one page of a database are written together. */
  *rows(most: { readonly words: number; readonly bytes: number }): Generator<WordRows> {
    const entries = this.#entriesByWord();
    const terms = [...this.#ids.keys()].sort();
    for (let from = 0; from < terms.length;) {
      const some: string[] = [];
      let size = 0;
      while (from < terms.length && some.length < most.words && size < most.bytes) {
        const term = terms[from++]!;
        some.push(term);
        for (const entry of entries(this.#ids.get(term)!)) size += this.#sizeOf(entry);
      }
      yield this.#packed(some, size, entries);
    }
  }

  #sizeOf(entry: number): number {
    return this.#countsEnd(entry) - this.#countsAt[entry]! + this.#placesEnd(entry) - this.#placesAt[entry]!;
  }

  #countsEnd(entry: number): number {
    return this.#countsAt[entry + 1] ?? this.#counts.length;
  }

  #placesEnd(entry: number): number {
    return this.#placesAt[entry + 1] ?? this.#places.length;
  }

  #packed(terms: readonly string[], size: number, entries: (id: number) => Int32Array): WordRows {
    const bytes = new Uint8Array(size);
    const [starts, middles, ends]: [number[], number[], number[]] = [[], [], []];
    let at = 0;
    for (const term of terms) {
      const ofTerm = entries(this.#ids.get(term)!);
      starts.push(at);
      for (const entry of ofTerm) at = this.#counts.copyTo(bytes, at, this.#countsAt[entry]!, this.#countsEnd(entry));
      middles.push(at);
      for (const entry of ofTerm) at = this.#places.copyTo(bytes, at, this.#placesAt[entry]!, this.#placesEnd(entry));
      ends.push(at);
    }
    return { terms, bytes, starts, middles, ends };
  }

  /** The entries of a word, in the order of their texts. */
  #entriesByWord(): (id: number) => Int32Array {
    const starts = new Int32Array(this.#texts.length + 1);
    for (const [id, texts] of this.#texts.entries()) starts[id + 1] = starts[id]! + texts;
    const sorted = new Int32Array(this.#words.length);
    const next = starts.slice();
    for (const [entry, id] of this.#words.entries()) sorted[next[id]!++] = entry;
    return (id) => sorted.subarray(starts[id], starts[id + 1]);
  }
}
