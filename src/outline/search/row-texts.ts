// All topics and notes of an outline as one text, for searches: to look for a
// word in one text takes a tenth of the time of looking in each of 100,000.
// Kept as long as the outline itself is, since neither changes. Used by
// row-search.ts.
import type { Outline, WrittenTexts } from "../model.ts";

/** After each text. No outline and no query holds it. */
const SEPARATOR = "\0";

/** In bytes: how much is decoded and folded at a time. */
const CHUNK = 16 * 1024;

const [SPACE, AMPERSAND] = [0x20, 0x26] as const;

/** Changes texts, one or many with separators between them: each as if it were alone. */
type ChangeTexts = (texts: string) => string;

/** Two texts for each row: its topic, and its note or "". */
class RowTexts {
  readonly #all: string;
  /** Where each text begins, and where the last one ends. */
  readonly #starts: Int32Array;
  /** The row that each pair of texts is of; undefined where they are in the order of the rows. */
  readonly #order: Int32Array | undefined;

  constructor(outline: Outline, change: ChangeTexts) {
    this.#order = outline.numbered.written?.order;
    this.#all = joinedTexts(outline, change);
    this.#starts = new Int32Array(2 * outline.rowCount + 1);
    for (let text = 1; text < this.#starts.length; text++)
      this.#starts[text] = this.#all.indexOf(SEPARATOR, this.#starts[text - 1]) + 1;
  }

  /** The texts of some rows that have the words, in order. */
  *having(words: string, first: number, end: number): Generator<{ number: number; field: "topic" | "note" }> {
    if (words.includes(SEPARATOR)) return;
    const has = new Uint8Array(this.#starts.length);
    const last = this.#starts.at(-1)!;
    let text = 0;
    for (let at = this.#all.indexOf(words); at !== -1 && at < last;) {
      while (this.#starts[text + 1]! <= at) text++;
      has[2 * (this.#order?.[text >>> 1] ?? text >>> 1) + (text % 2)] = 1;
      at = this.#all.indexOf(words, this.#starts[text + 1]);
    }
    for (let each = 2 * first; each < 2 * end; each++)
      if (has[each] === 1) yield { number: each >>> 1, field: each % 2 === 0 ? "topic" : "note" };
  }
}

function joinedTexts({ numbered, rowCount }: Outline, change: ChangeTexts): string {
  const { written } = numbered;
  const texts = new TextChunks(change);
  for (let place = 0; place < rowCount; place++) {
    const number = written?.order?.[place] ?? place;
    if (written === undefined || !texts.addWritten(written, place, "topic")) texts.add(numbered.topic(number));
    if (written === undefined || !texts.addWritten(written, place, "note")) texts.add(numbered.note(number) ?? "");
  }
  return texts.joined();
}

/**
 * Joins texts. What can be copied from a file is copied as bytes, to be
 * decoded and changed with many others at once: a string for each text takes
 * three times as long.
 */
class TextChunks {
  readonly #change: ChangeTexts;
  readonly #chunks: string[] = [];
  /** Texts that are in no chunk yet: strings, and after them bytes. */
  #strings: string[] = [];
  readonly #bytes = Buffer.allocUnsafe(CHUNK);
  #used = 0;

  constructor(change: ChangeTexts) {
    this.#change = change;
  }

  add(text: string): void {
    this.#decode();
    this.#strings.push(text, SEPARATOR);
  }

  /** @returns whether the text could be taken as it is written */
  addWritten({ bytes, start, end }: WrittenTexts, place: number, field: "topic" | "note"): boolean {
    const from = start(place, field);
    const to = end(place, field);
    if (from === -1 || to - from >= CHUNK) return false;
    if (this.#used + to - from >= CHUNK) this.#endChunk();
    const copy = this.#bytes;
    let used = this.#used;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      // What begins with "&" stands for something else, and so may a line break or tab.
      if (byte === AMPERSAND || byte < SPACE) return false;
      copy[used++] = byte;
    }
    copy[used++] = 0;
    this.#used = used;
    return true;
  }

  joined(): string {
    this.#endChunk();
    return this.#chunks.join("");
  }

  #decode(): void {
    if (this.#used > 0) this.#strings.push(this.#bytes.toString("utf8", 0, this.#used));
    this.#used = 0;
  }

  #endChunk(): void {
    this.#decode();
    this.#chunks.push(this.#change(this.#strings.join("")));
    this.#strings = [];
  }
}

/** The texts of outlines, changed in one way. */
export class TextsOfRows {
  readonly #change: ChangeTexts;
  readonly #known = new WeakMap<Outline, RowTexts>();

  constructor(change: ChangeTexts) {
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
