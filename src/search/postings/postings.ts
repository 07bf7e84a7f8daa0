// Where words are in texts, packed into bytes: for an index in a database that is no
// search engine (note-index/shared/). Texts have ordinals, and a row of the database
// has the texts of one block that have a word. Pure.
//
// A block has, for each of its texts with the word and in their order, as numbers of
// seven bits a byte:
// - counts: which text of the block, a bit for each column that has the word, how
//   often each of these has it, and how many bytes its places take
// - places: by column, where the word is, each as the distance to the one before
import { COLUMN, columnAt } from "../documents/word-places.ts";
import type { Places } from "../weighing.ts";

/** Texts in a block. More make fewer rows to read; fewer make less to write for a change of one. */
export const BLOCK_SIZE = 1_024;

/** The columns of a text, in the order of their numbers. */
export const COLUMNS = ["body", "name", "title", "headings", "tags", "properties"] as const;

export function placeAt(column: number, position: number): number {
  return column * COLUMN + Math.min(position, COLUMN - 1);
}

/** A word in one text. */
export interface Entry {
  /** Everything of its counts but for which text it is. */
  readonly counts: Uint8Array;
  readonly places: Uint8Array;
}

/** @param places in ascending order */
export function entryOf(places: readonly number[]): Entry {
  const counts = COLUMNS.map(() => 0);
  const packed = new Packer();
  let last = 0;
  for (const place of places) {
    const column = columnAt(place);
    const position = place - column * COLUMN;
    packed.add(counts[column] === 0 ? position : position - last);
    counts[column]!++;
    last = position;
  }
  const bytes = packed.bytes();
  const head = new Packer();
  head.add(counts.reduce((mask, count, column) => (count === 0 ? mask : mask | (1 << column)), 0));
  for (const count of counts) if (count > 0) head.add(count);
  head.add(bytes.length);
  return { counts: head.bytes(), places: bytes };
}

/** Differs for entries that differ, but for one in four thousand million. */
export function fingerprintOf({ counts, places }: Entry): string {
  let hash = 0x811c9dc5;
  for (const bytes of [counts, places]) for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36);
}

export interface PackedBlock {
  readonly counts: Uint8Array;
  readonly places: Uint8Array;
}

/** The texts of a block, by their numbers in it. */
export function unpackBlock({ counts, places }: PackedBlock): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  const reader = new Unpacker(counts);
  let placesAt = 0;
  while (!reader.isAtEnd) {
    const text = reader.next();
    const start = reader.at;
    for (let mask = reader.next(); mask > 0; mask >>= 1) if ((mask & 1) === 1) reader.next();
    const length = reader.next();
    entries.set(text, {
      counts: counts.subarray(start, reader.at),
      places: places.subarray(placesAt, placesAt + length),
    });
    placesAt += length;
  }
  return entries;
}

export function packBlock(entries: ReadonlyMap<number, Entry>): PackedBlock {
  const sorted = [...entries].sort(([one], [other]) => one - other);
  const counts = new Packer();
  const places: Uint8Array[] = [];
  for (const [text, entry] of sorted) {
    counts.add(text);
    counts.append(entry.counts);
    places.push(entry.places);
  }
  return { counts: counts.bytes(), places: Buffer.concat(places) };
}

/** How often a word is in the text of an entry. */
export function occurrencesIn({ counts }: Pick<Entry, "counts">): number {
  const reader = new Unpacker(counts);
  let sum = 0;
  for (let mask = reader.next(); mask > 0; mask >>= 1) if ((mask & 1) === 1) sum += reader.next();
  return sum;
}

/** The texts with a word, in ascending order, and how often each column of each has it. */
export interface WordCounts {
  readonly texts: Int32Array;
  /** One after the other, those of all columns of a text. */
  readonly counts: Int32Array;
}

export interface StoredBlock {
  readonly block: number;
  readonly counts: Uint8Array;
}

/** @param blocks in ascending order */
export function countsIn(blocks: readonly StoredBlock[]): WordCounts {
  const texts: number[] = [];
  const counts: number[] = [];
  for (const { block, counts: packed } of blocks) {
    const reader = new Unpacker(packed);
    while (!reader.isAtEnd) {
      texts.push(block * BLOCK_SIZE + reader.next());
      const mask = reader.next();
      for (let column = 0; column < COLUMNS.length; column++)
        counts.push((mask & (1 << column)) === 0 ? 0 : reader.next());
      reader.next();
    }
  }
  return { texts: Int32Array.from(texts), counts: Int32Array.from(counts) };
}

/** @param blocks in ascending order */
export function placesIn(blocks: readonly (StoredBlock & { readonly places: Uint8Array })[]): Places {
  const texts: number[] = [];
  const places: number[] = [];
  for (const { block, counts: packed, places: packedPlaces } of blocks) {
    const reader = new Unpacker(packed);
    const positions = new Unpacker(packedPlaces);
    while (!reader.isAtEnd) {
      const text = block * BLOCK_SIZE + reader.next();
      const mask = reader.next();
      for (let column = 0; column < COLUMNS.length; column++) {
        if ((mask & (1 << column)) === 0) continue;
        let position = 0;
        for (let left = reader.next(); left > 0; left--) {
          position += positions.next();
          texts.push(text);
          places.push(column * COLUMN + position);
        }
      }
      reader.next();
    }
  }
  return { texts: Int32Array.from(texts), places: Int32Array.from(places) };
}

class Packer {
  #bytes = new Uint8Array(16);
  #length = 0;

  add(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(further: number): void {
    if (this.#length + further <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + further));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

class Unpacker {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80 || byte === undefined) return value;
    }
  }
}
