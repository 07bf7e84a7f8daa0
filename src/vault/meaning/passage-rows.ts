// The vectors of all passages in one block of memory, a row for each passage, with
// where the passage stands in its note and how far it is from the centre of all. In
// memory alone; used by nearest-passages.ts.
//
// With an array for each note, 10,000 of them, multiplying takes longer: they are not
// where the processor looks for the next one.
import { SCALE } from "../../search/search.ts";

/** The rows of one document, one after the other. */
export interface DocumentRows {
  readonly first: number;
  readonly count: number;
}

/** Of a passage as it is stored: where it begins and ends. Its vector follows. */
export const PLACE_BYTES = 8;
/** How many rows are multiplied at once, in which each step of the direction is read once. */
const AT_ONCE = 4;
/** Rows of documents that are gone are kept until they are so many of all. */
const MAX_UNUSED = 0.2;

export class PassageRows {
  readonly dimensions: number;
  readonly #documents = new Map<number, DocumentRows>();
  #vectors = new Int8Array(0);
  /** Two numbers for each row. */
  #places = new Uint32Array(0);
  #distances = new Float32Array(0);
  #centre: Float32Array;
  /** The first row that is free. */
  #end = 0;
  #used = 0;
  #products = new Int32Array(0);

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#centre = new Float32Array(dimensions);
  }

  /** How many passages there are. */
  get size(): number {
    return this.#used;
  }

  get documents(): ReadonlyMap<number, DocumentRows> {
    return this.#documents;
  }

  /** Makes room for so many further passages at once. */
  reserve(passages: number): void {
    if (this.#end + passages > this.#capacity) this.#moveTo(this.#used + passages);
  }

  /** @param bytes all passages of a document, as they are stored */
  add(document: number, bytes: Uint8Array): void {
    const { dimensions } = this;
    this.remove(document);
    const count = Math.floor(bytes.length / (PLACE_BYTES + dimensions));
    // Half as much again, so that adding one document after the other does not move all of them each time.
    if (this.#end + count > this.#capacity) this.#moveTo(Math.ceil((this.#used + count) * 1.5));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const first = this.#end;
    for (let i = 0; i < count; i++) {
      const at = i * (PLACE_BYTES + dimensions);
      this.#places[2 * (first + i)] = view.getUint32(at, true);
      this.#places[2 * (first + i) + 1] = view.getUint32(at + 4, true);
      const vector = new Int8Array(bytes.buffer, bytes.byteOffset + at + PLACE_BYTES, dimensions);
      this.#vectors.set(vector, (first + i) * dimensions);
    }
    this.#documents.set(document, { first, count });
    this.#end += count;
    this.#used += count;
    this.#measure(first, count);
  }

  remove(document: number): void {
    const rows = this.#documents.get(document);
    if (rows === undefined) return;
    this.#documents.delete(document);
    this.#used -= rows.count;
    if (this.#end - this.#used > MAX_UNUSED * this.#end) this.#moveTo(this.#used);
  }

  /** Returns the bounds of the passage of a row. */
  placeOf(row: number): { readonly start: number; readonly end: number } {
    return { start: this.#places[2 * row]!, end: this.#places[2 * row + 1]! };
  }

  /** How far the passage of a row is from the centre. */
  distanceOf(row: number): number {
    return this.#distances[row]!;
  }

  /** The sum of the vectors of a document; undefined if it has none. */
  sumOf(document: number): Float32Array | undefined {
    const { first, count = 0 } = this.#documents.get(document) ?? {};
    return count === 0 ? undefined : this.#addTo(new Float32Array(this.dimensions), first!, count);
  }

  /** The mean of all vectors. */
  mean(): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const { first, count } of this.#documents.values()) this.#addTo(sum, first, count);
    return sum.map((value) => value / SCALE / this.#used);
  }

  /** From where distances are measured; at first from zero. */
  centreOn(centre: Float32Array): void {
    this.#centre = centre;
    for (const { first, count } of this.#documents.values()) this.#measure(first, count);
  }

  /** The product of each row with a direction, by row. Valid until the next call. */
  productsWith(direction: Int32Array): Int32Array {
    const { dimensions } = this;
    const vectors = this.#vectors;
    if (this.#products.length !== this.#capacity) this.#products = new Int32Array(this.#capacity);
    const products = this.#products;
    for (let row = 0; row < this.#end; row += AT_ONCE) {
      const a = row * dimensions;
      const b = a + dimensions;
      const c = b + dimensions;
      const d = c + dimensions;
      let [ofA, ofB, ofC, ofD] = [0, 0, 0, 0];
      for (let i = 0; i < dimensions; i++) {
        const step = direction[i]!;
        ofA = (ofA + Math.imul(step, vectors[a + i]!)) | 0;
        ofB = (ofB + Math.imul(step, vectors[b + i]!)) | 0;
        ofC = (ofC + Math.imul(step, vectors[c + i]!)) | 0;
        ofD = (ofD + Math.imul(step, vectors[d + i]!)) | 0;
      }
      products[row] = ofA;
      products[row + 1] = ofB;
      products[row + 2] = ofC;
      products[row + 3] = ofD;
    }
    return products;
  }

  #addTo(sum: Float32Array, first: number, count: number): Float32Array {
    const { dimensions } = this;
    for (let at = first * dimensions; at < (first + count) * dimensions; at += dimensions)
      for (let i = 0; i < dimensions; i++) sum[i]! += this.#vectors[at + i]!;
    return sum;
  }

  #measure(first: number, count: number): void {
    const { dimensions } = this;
    const [vectors, centre] = [this.#vectors, this.#centre];
    for (let row = first; row < first + count; row++) {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (vectors[row * dimensions + i]! / SCALE - centre[i]!) ** 2;
      this.#distances[row] = Math.sqrt(sum) || 1;
    }
  }

  /** In rows, which are multiplied a few at once: those beyond the last one are zeros. */
  get #capacity(): number {
    return this.#places.length / 2;
  }

  /** Moves all documents to a new block with room for so many passages, without those that are gone. */
  #moveTo(passages: number): void {
    const { dimensions } = this;
    const capacity = Math.ceil(passages / AT_ONCE) * AT_ONCE;
    const vectors = new Int8Array(capacity * dimensions);
    const places = new Uint32Array(capacity * 2);
    const distances = new Float32Array(capacity);
    let end = 0;
    for (const [document, { first, count }] of this.#documents) {
      vectors.set(this.#vectors.subarray(first * dimensions, (first + count) * dimensions), end * dimensions);
      places.set(this.#places.subarray(2 * first, 2 * (first + count)), 2 * end);
      distances.set(this.#distances.subarray(first, first + count), end);
      this.#documents.set(document, { first: end, count });
      end += count;
    }
    this.#vectors = vectors;
    this.#places = places;
    this.#distances = distances;
    this.#end = end;
  }
}
