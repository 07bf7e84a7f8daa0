// Where words are in texts, packed into bytes: for an index in a database that is no
// search engine (note-index/shared/). Texts have ordinals, and a row of the database
// has the texts of one block that have a word. Pure.
//
// A block has, for each of its texts with the word and in their order, as numbers of
// seven bits a byte:
// - counts: which text of the block, a bit for each column that has the word, how
//   often each of these has it, and how many bytes its places take
// - places: by column, where the word is, each as the distance to the one before
import { COLUMN, columnAt, ROW } from "../documents/word-places.ts";
import type { Places } from "../weighing.ts";
import { hashOf, Packer, Unpacker } from "./packed-numbers.ts";

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
  const [counts, packed] = [new Packer(), new Packer()];
  packEntry(places, counts, packed);
  return { counts: counts.bytes(), places: packed.bytes() };
}

/** Of the entry that is being packed; one for all, since there is an entry for each word of each text. */
const perColumn = new Int32Array(COLUMNS.length);

/** Appends an entry. @param places in ascending order @returns its fingerprint */
export function packEntry(places: readonly number[], counts: Packer, packed: Packer): string {
  const [countsFrom, placesFrom] = [counts.length, packed.length];
  perColumn.fill(0);
  let [last, mask] = [0, 0];
  for (const place of places) {
    const column = columnAt(place);
    const position = place - column * COLUMN;
    packed.add(perColumn[column] === 0 ? position : position - last);
    perColumn[column]!++;
    mask |= 1 << column;
    last = position;
  }
  counts.add(mask);
  for (let column = 0; column < perColumn.length; column++) if (perColumn[column]! > 0) counts.add(perColumn[column]!);
  counts.add(packed.length - placesFrom);
  return asText(packed.hashFrom(placesFrom, counts.hashFrom(countsFrom)));
}

/** Differs for entries that differ, but for one in four thousand million. */
export function fingerprintOf({ counts, places }: Entry): string {
  return asText(hashOf(places, hashOf(counts)));
}

function asText(hash: number): string {
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
  // Counted first: of a word that a text has a million times, growing lists would take most of the time.
  const count = countsIn(blocks).counts.reduce((sum, each) => sum + each, 0);
  const texts = new Int32Array(count);
  const places = new Int32Array(count);
  let at = 0;
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
          texts[at] = text;
          places[at++] = column * COLUMN + position;
        }
      }
      reader.next();
    }
  }
  return { texts, places };
}

/** Those of several words, one after the other in each block, as if they were one word. */
export function mergedCounts({ texts, counts }: WordCounts): WordCounts {
  const merged = new Map<number, number[]>();
  for (const [i, text] of texts.entries()) {
    const sums = merged.get(text) ?? COLUMNS.map(() => 0);
    merged.set(text, sums);
    for (let column = 0; column < COLUMNS.length; column++) sums[column]! += counts[i * COLUMNS.length + column]!;
  }
  const sorted = [...merged].sort(([one], [other]) => one - other);
  return {
    texts: Int32Array.from(sorted, ([text]) => text),
    counts: Int32Array.from(sorted.flatMap(([, sums]) => sums)),
  };
}

/** Of several words, one after the other in each block, as if they were one word. */
export function mergedPlaces({ texts, places }: Places): Places {
  const keys = Float64Array.from(texts, (text, i) => text * ROW + places[i]!).sort();
  return {
    texts: Int32Array.from(keys, (key) => Math.floor(key / ROW)),
    places: Int32Array.from(keys, (key) => key % ROW),
  };
}
