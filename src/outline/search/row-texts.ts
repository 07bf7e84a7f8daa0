// All topics and notes of an outline as one string, for row-search.ts: searching
// one string takes a tenth of the time of searching 100,000. Kept as long as the
// outline, which is immutable.
import type { Outline, WrittenTexts } from "../model.ts";

/** Follows each text. No outline and no query contains it. */
const SEPARATOR = "\0";

/** Bytes that are decoded and folded at a time. */
const CHUNK = 16 * 1024;

const [SPACE, AMPERSAND] = [0x20, 0x26] as const;

/** Normalises one text, or several with separators between them, each independently. */
type Normalise = (texts: string) => string;

/** Two texts per row: the topic, and the note or "". */
class RowTexts {
  readonly #all: string;
  /** The offset of each text, and the end of the last one. */
  readonly #starts: Int32Array;
  /** The row number of each pair of texts; undefined if they are in row order. */
  readonly #order: Int32Array | undefined;

  constructor(outline: Outline, normalise: Normalise) {
    this.#order = outline.numbered.written?.order;
    this.#all = joinedTexts(outline, normalise);
    this.#starts = new Int32Array(2 * outline.rowCount + 1);
    for (let text = 1; text < this.#starts.length; text++)
      this.#starts[text] = this.#all.indexOf(SEPARATOR, this.#starts[text - 1]) + 1;
  }

  /** The texts that contain `words`, of the rows from `first` to before `end`, in order. */
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

function joinedTexts({ numbered, rowCount }: Outline, normalise: Normalise): string {
  const { written } = numbered;
  const texts = new TextChunks(normalise);
  for (let index = 0; index < rowCount; index++) {
    const number = written?.order?.[index] ?? index;
    if (written === undefined || !texts.addWritten(written, index, "topic")) texts.add(numbered.topic(number));
    if (written === undefined || !texts.addWritten(written, index, "note")) texts.add(numbered.note(number) ?? "");
  }
  return texts.joined();
}

/**
 * Joins texts. Bytes are copied from the file where possible, and decoded and
 * normalised in chunks: one string per text takes three times as long.
 */
class TextChunks {
  readonly #normalise: Normalise;
  readonly #chunks: string[] = [];
  /** Texts that are not in a chunk yet: strings, followed by bytes. */
  #strings: string[] = [];
  readonly #bytes = Buffer.allocUnsafe(CHUNK);
  #used = 0;

  constructor(normalise: Normalise) {
    this.#normalise = normalise;
  }

  add(text: string): void {
    this.#decode();
    this.#strings.push(text, SEPARATOR);
  }

  /** @returns false if the bytes in the file are not the text itself */
  addWritten({ bytes, start, end }: WrittenTexts, index: number, field: "topic" | "note"): boolean {
    const from = start(index, field);
    const to = end(index, field);
    if (from === -1 || to - from >= CHUNK) return false;
    if (this.#used + to - from >= CHUNK) this.#endChunk();
    const copy = this.#bytes;
    let used = this.#used;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      // Character references, and line breaks and tabs in attributes, have to be decoded.
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
    this.#chunks.push(this.#normalise(this.#strings.join("")));
    this.#strings = [];
  }
}

/** The texts of outlines under one normalisation. */
export class RowTextCache {
  readonly #normalise: Normalise;
  readonly #cache = new WeakMap<Outline, RowTexts>();

  constructor(normalise: Normalise) {
    this.#normalise = normalise;
  }

  of(outline: Outline): RowTexts {
    let texts = this.#cache.get(outline);
    if (texts === undefined) {
      texts = new RowTexts(outline, this.#normalise);
      this.#cache.set(outline, texts);
    }
    return texts;
  }
}
