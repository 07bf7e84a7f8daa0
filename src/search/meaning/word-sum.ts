// Sums the vectors of words, each times its weight. Words are collected first, equal ones
// as one, and then added a few dimensions at a time: a passage repeats two words of five,
// and sums that stay in registers are made in half the time. Used by passages.ts.
import type { WordTable } from "./word-table.ts";

/** Distinct words that are added at once. */
const MAX_DISTINCT = 256;
const SLOTS = 4 * MAX_DISTINCT;

export class WordSum {
  /** How many words were added. */
  known = 0;
  readonly #table: WordTable;
  readonly #sum: Float64Array;
  #distinct = 0;
  /** Of each distinct word that is not added yet: where its vector begins, what it counts, and its place in the slots. */
  readonly #firsts = new Int32Array(MAX_DISTINCT);
  readonly #weights = new Float64Array(MAX_DISTINCT);
  readonly #used = new Int32Array(MAX_DISTINCT);
  /** By word: its place among the distinct ones, from 1. */
  readonly #slots = new Int16Array(SLOTS);

  constructor(table: WordTable) {
    this.#table = table;
    this.#sum = new Float64Array(table.dimensions);
  }

  add(word: number): void {
    const { dimensions, weights } = this.#table;
    this.known++;
    const first = word * dimensions;
    let slot = word & (SLOTS - 1);
    for (let place = this.#slots[slot]!; place !== 0; place = this.#slots[slot]!) {
      if (this.#firsts[place - 1] === first) {
        this.#weights[place - 1]! += weights[word]!;
        return;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.#firsts[this.#distinct] = first;
    this.#weights[this.#distinct] = weights[word]!;
    this.#used[this.#distinct] = slot;
    this.#slots[slot] = ++this.#distinct;
    if (this.#distinct === MAX_DISTINCT) this.#addUp();
  }

  /** Starts again, from another sum or from nothing. */
  clear(from?: Float64Array): void {
    this.#forgetWords();
    this.known = 0;
    if (from === undefined) this.#sum.fill(0);
    else this.#sum.set(from);
  }

  /** Valid until the next call. */
  sum(): Float64Array {
    this.#addUp();
    return this.#sum;
  }

  #addUp(): void {
    const { dimensions, vectors } = this.#table;
    const [sum, firsts, weights, distinct] = [this.#sum, this.#firsts, this.#weights, this.#distinct];
    // Reads and writes beyond the last dimension have no effect.
    for (let i = 0; i < dimensions; i += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let k = 0; k < distinct; k++) {
        const at = firsts[k]! + i;
        const weight = weights[k]!;
        a += weight * vectors[at]!;
        b += weight * vectors[at + 1]!;
        c += weight * vectors[at + 2]!;
        d += weight * vectors[at + 3]!;
      }
      sum[i]! += a;
      sum[i + 1]! += b;
      sum[i + 2]! += c;
      sum[i + 3]! += d;
    }
    this.#forgetWords();
  }

  #forgetWords(): void {
    for (let k = 0; k < this.#distinct; k++) this.#slots[this.#used[k]!] = 0;
    this.#distinct = 0;
  }
}
