// The vectors of passages in memory, and which of them are nearest to a direction.
// Used by passage-vectors.ts, which reads them from a table of the index.
import { type Passage, SCALE } from "../../search/search.ts";
import { PassageRows, PLACE_BYTES } from "./passage-rows.ts";

/** With fewer passages their mean says nothing. */
const MIN_FOR_MEAN = 50;
const MIN_NEARNESS = 0.25;
/**
 * The nearest of many passages is near by chance: its nearness grows like this with their number. Without it long notes
 * were related to everything: of 66 paraphrases 21 were found in either list, with it 24.
 */
const CHANCE = 0.05;
/** How fine the steps of a direction are. */
const STEPS = 4096;

/** The nearest passage of a document. */
export interface NearPassage {
  readonly document: number;
  readonly nearness: number;
  /** In UTF-16 units of the text below the frontmatter. */
  readonly start: number;
  readonly end: number;
}

export class NearestPassages {
  readonly rows: PassageRows;
  readonly #mostBytes: number;
  /** The part that all passages share: it says nothing about any of them. */
  #mean: Float32Array = new Float32Array(0);
  #meanOf = 0;

  /** @param mostBytes in memory: documents that are added after that are not compared */
  constructor(dimensions: number, mostBytes: number) {
    this.rows = new PassageRows(dimensions);
    this.#mostBytes = mostBytes;
  }

  /** Makes room for passages of so many bytes. */
  reserve(bytes: number): void {
    this.rows.reserve(Math.floor(Math.min(bytes, this.#mostBytes) / (PLACE_BYTES + this.rows.dimensions)));
  }

  /** @param passages as `packedPassages` packs them */
  add(document: number, passages: Uint8Array): void {
    if (this.rows.size * this.rows.dimensions < this.#mostBytes) this.rows.add(document, passages);
    else this.rows.remove(document);
  }

  /** To be called after changes. */
  settle(): void {
    const { rows } = this;
    if (this.#mean.length > 0 && Math.abs(rows.size - this.#meanOf) * 10 <= this.#meanOf) return;
    this.#meanOf = rows.size;
    this.#mean = rows.size < MIN_FOR_MEAN ? new Float32Array(rows.dimensions) : rows.mean();
    rows.centreOn(this.#mean);
  }

  /** The direction of a whole document; undefined if it has no vectors. */
  directionOf(document: number): Float32Array | undefined {
    const sum = this.rows.sumOf(document);
    if (sum === undefined) return undefined;
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  }

  /** The nearest passage of each document that is near enough, the nearest first. */
  nearestTo(direction: Float32Array, count: number): NearPassage[] {
    const mean = this.#mean;
    const query = direction.map((value, i) => value - mean[i]!);
    const length = Math.hypot(...query) || 1;
    for (let i = 0; i < query.length; i++) query[i]! /= length;
    let base = 0;
    for (let i = 0; i < query.length; i++) base += query[i]! * mean[i]!;
    // Integers are multiplied in half the time.
    const products = this.rows.productsWith(Int32Array.from(query, (value) => Math.round(value * STEPS)));
    const found: NearPassage[] = [];
    for (const [document, { first, count: rows }] of this.rows.documents) {
      let best = -1;
      let bestNearness = MIN_NEARNESS;
      for (let row = first; row < first + rows; row++) {
        const nearness = (products[row]! / STEPS / SCALE - base) / this.rows.distanceOf(row);
        if (nearness <= bestNearness) continue;
        best = row;
        bestNearness = nearness;
      }
      if (best === -1) continue;
      const nearness = Math.min(1, bestNearness - CHANCE * Math.sqrt(Math.log(rows)));
      found.push({ document, nearness, ...this.rows.placeOf(best) });
    }
    return found.toSorted((a, b) => b.nearness - a.nearness).slice(0, count);
  }
}

/** As they are stored. */
export function packedPassages(passages: readonly Passage[]): Buffer {
  const size = PLACE_BYTES + (passages[0]?.vector.length ?? 0);
  const bytes = Buffer.alloc(passages.length * size);
  for (const [i, { start, end, vector }] of passages.entries()) {
    bytes.writeUInt32LE(start, i * size);
    bytes.writeUInt32LE(end, i * size + 4);
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), i * size + PLACE_BYTES);
  }
  return bytes;
}
