// All topics and notes of an outline as one text, for searches: to look for a
// word in one text takes a tenth of the time of looking in each of 100,000, and
// to decode and fold them takes longer than the search. Kept as long as the
// outline itself is, since neither changes. Used by searching.ts.
import type { Outline } from "./outline.ts";

/** Between two texts. No outline and no query holds it. */
const BETWEEN = "\0";

/** Each text is where two times the number of its row says, for the topic, or one more, for the note. */
class RowTexts {
  readonly #all: string;
  /** Where each text begins, and where the last one ends. */
  readonly #starts: Int32Array;

  constructor({ numbered, rowCount }: Outline, change: (text: string) => string) {
    const texts: string[] = [];
    this.#starts = new Int32Array(2 * rowCount + 1);
    let start = 0;
    for (let number = 0; number < rowCount; number++) {
      const note = numbered.note(number);
      for (const text of [change(numbered.topic(number)), note === null ? "" : change(note)]) {
        texts.push(text);
        start += text.length + BETWEEN.length;
        this.#starts[texts.length] = start;
      }
    }
    this.#all = texts.join(BETWEEN);
  }

  /** The texts of some rows that have the words, in order. */
  *having(words: string, first: number, end: number): Generator<{ number: number; field: "topic" | "note" }> {
    if (words.includes(BETWEEN)) return;
    const last = this.#starts[2 * end]!;
    for (let at = this.#all.indexOf(words, this.#starts[2 * first]); at !== -1 && at < last;) {
      const text = this.#textAt(at);
      yield { number: text >>> 1, field: text % 2 === 0 ? "topic" : "note" };
      at = this.#all.indexOf(words, this.#starts[text + 1]);
    }
  }

  #textAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= position) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** The texts of outlines, changed in one way. */
export class TextsOfRows {
  readonly #change: (text: string) => string;
  readonly #known = new WeakMap<Outline, RowTexts>();

  constructor(change: (text: string) => string) {
    this.#change = change;
  }

  of(outline: Outline): RowTexts {
    let texts = this.#known.get(outline);
    if (texts === undefined) {
      texts = new RowTexts(outline, this.#change);
      this.#known.set(outline, texts);
    }
    return texts;
  }
}
