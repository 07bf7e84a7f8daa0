// The vectors of passages in a table of the index and in memory, and which of them
// are nearest to a direction. Used for the vectors of the table of words (meanings.ts)
// and for those of an embeddings endpoint (embeddings.ts).
import { filterOf, nameOfDocument, type Passage, SCALE, type Scope, type SearchQuery } from "../../search/search.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";

export interface NearNote {
  readonly path: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly nearness: number;
  /** The passage, in UTF-16 units of the text below the frontmatter. */
  readonly start: number;
  readonly end: number;
}

/** Which notes may be near. */
export interface Sought {
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly without: readonly string[];
  readonly count: number;
}

interface Loaded {
  /** Where each passage begins and ends. */
  readonly places: Uint32Array;
  readonly vectors: Int8Array;
  /** Of each passage from the mean of all. */
  readonly distances: Float32Array;
}

/** A passage in a blob: where it begins and ends, and its vector. */
const PLACE = 8;
/** With fewer passages their mean says nothing. */
const LEAST_FOR_MEAN = 50;
const LEAST_NEARNESS = 0.3;
/**
 * The nearest of many passages is near by chance: its nearness grows like this with their number. Without it long notes
 * were related to everything: of 66 paraphrases 21 were found in either list, with it 24.
 */
const CHANCE = 0.05;
/** How many of the nearest are filtered. */
const CONSIDERED = 100;

export class PassageVectors {
  readonly #database: IndexDatabase;
  readonly #table: "meaning" | "embedding";
  readonly #mostBytes: number;
  readonly #documents = new Map<number, Loaded>();
  #dimensions = 0;
  #version = "";
  #written = 0;
  #passages = 0;
  /** What all passages share says nothing about any of them. */
  #mean = new Float32Array(0);
  #meanOf = 0;

  /** @param mostBytes in memory: documents that are read after that are not compared */
  constructor(database: IndexDatabase, table: "meaning" | "embedding", mostBytes: number) {
    this.#database = database;
    this.#table = table;
    this.#mostBytes = mostBytes;
  }

  /** How many documents are in memory. */
  get documents(): number {
    return this.#documents.size;
  }

  /** Within a transaction. */
  store(document: number, passages: readonly Passage[]): void {
    const size = PLACE + (passages[0]?.vector.length ?? 0);
    const bytes = Buffer.alloc(passages.length * size);
    for (const [i, { start, end, vector }] of passages.entries()) {
      bytes.writeUInt32LE(start, i * size);
      bytes.writeUInt32LE(end, i * size + 4);
      bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), i * size + PLACE);
    }
    this.#database.run(
      `INSERT OR REPLACE INTO ${this.#table} VALUES (?, (SELECT coalesce(max(written), 0) + 1 FROM ${this.#table}), ?)`,
      document,
      bytes,
    );
  }

  /** The direction of a whole document; undefined if it has no vectors. */
  directionOf(document: number, dimensions: number): Float32Array | undefined {
    this.#load(dimensions);
    const own = this.#documents.get(document);
    if (own === undefined || own.vectors.length === 0) return undefined;
    const sum = new Float32Array(dimensions);
    for (let i = 0; i < own.vectors.length; i++) sum[i % dimensions]! += own.vectors[i]!;
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  }

  /** The notes with the nearest passages that pass the filters, nearest first. */
  nearest(direction: Float32Array, { query, scope, without, count }: Sought): NearNote[] {
    this.#load(direction.length);
    const best = this.#scan(direction)
      .toSorted((a, b) => b.nearness - a.nearness)
      .slice(0, CONSIDERED + without.length);
    const { condition, values } = filterOf(query, scope);
    const rows = this.#database.all(
      `SELECT id, path, facts ->> 'title' AS title FROM document JOIN facts ON facts.document = document.id
       WHERE id IN (SELECT value FROM json_each(?)) AND ${condition}`,
      JSON.stringify(best.map(({ document }) => document)),
      ...values,
    );
    const shown = new Map(rows.map((row) => [Number(row["id"]), row]));
    return best
      .flatMap(({ document, nearness, start, end }) => {
        const row = shown.get(document);
        if (row === undefined || without.includes(String(row["path"]))) return [];
        const path = String(row["path"]);
        const title = row["title"] === null ? nameOfDocument(path) : String(row["title"]);
        return [{ path, title, nearness: Math.round(nearness * 100) / 100, start, end }];
      })
      .slice(0, count);
  }

  /** The nearest passage of each document that is near enough. */
  #scan(direction: Float32Array) {
    const dimensions = this.#dimensions;
    const mean = this.#mean;
    const query = direction.map((value, i) => value - mean[i]!);
    const length = Math.hypot(...query) || 1;
    for (let i = 0; i < dimensions; i++) query[i]! /= length;
    let base = 0;
    for (let i = 0; i < dimensions; i++) base += query[i]! * mean[i]!;
    // Integers are multiplied in half the time.
    const steps = Int32Array.from(query, (value) => Math.round(value * STEPS));
    const found: { document: number; nearness: number; start: number; end: number }[] = [];
    for (const [document, { vectors, places, distances }] of this.#documents) {
      let best = -1;
      let bestNearness = LEAST_NEARNESS;
      for (let passage = 0; passage < distances.length; passage++) {
        const first = passage * dimensions;
        const nearness = (product(steps, vectors, first) / STEPS / SCALE - base) / distances[passage]!;
        if (nearness <= bestNearness) continue;
        best = passage;
        bestNearness = nearness;
      }
      if (best === -1) continue;
      const nearness = Math.min(1, bestNearness - CHANCE * Math.sqrt(Math.log(distances.length)));
      found.push({ document, nearness, start: places[2 * best]!, end: places[2 * best + 1]! });
    }
    return found;
  }

  /** Reads what was written since the last time, by any process. */
  #load(dimensions: number): void {
    if (dimensions !== this.#dimensions) this.#forgetAll(dimensions);
    const version = this.#database.version();
    if (version === this.#version) return;
    const { count, last } = this.#database.get(`SELECT count(*) AS count, max(written) AS last FROM ${this.#table}`)!;
    // All of it was deleted and written again, perhaps by another model.
    if (Number(last ?? 0) < this.#written) this.#forgetAll(dimensions);
    const rows = this.#database.all(
      `SELECT document, written, passages FROM ${this.#table} WHERE written > ? ORDER BY written`,
      this.#written,
    );
    for (const row of rows) {
      this.#written = Number(row["written"]);
      this.#forget(Number(row["document"]));
      if (this.#passages * dimensions < this.#mostBytes)
        this.#remember(Number(row["document"]), row["passages"] as Uint8Array);
    }
    if (Number(count) !== this.#documents.size) {
      const known = new Set(
        this.#database.all(`SELECT document FROM ${this.#table}`).map((row) => Number(row["document"])),
      );
      for (const document of this.#documents.keys()) if (!known.has(document)) this.#forget(document);
    }
    this.#version = version;
    if (this.#mean.length === 0 || Math.abs(this.#passages - this.#meanOf) * 10 > this.#meanOf) this.#takeMean();
  }

  #remember(document: number, bytes: Uint8Array): void {
    const dimensions = this.#dimensions;
    const count = Math.floor(bytes.length / (PLACE + dimensions));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const vectors = new Int8Array(count * dimensions);
    const places = new Uint32Array(2 * count);
    for (let i = 0; i < count; i++) {
      const at = i * (PLACE + dimensions);
      places[2 * i] = view.getUint32(at, true);
      places[2 * i + 1] = view.getUint32(at + 4, true);
      vectors.set(new Int8Array(bytes.buffer, bytes.byteOffset + at + PLACE, dimensions), i * dimensions);
    }
    const loaded = { places, vectors, distances: new Float32Array(count) };
    this.#documents.set(document, loaded);
    this.#passages += count;
    this.#measure(loaded);
  }

  #forget(document: number): void {
    this.#passages -= this.#documents.get(document)?.distances.length ?? 0;
    this.#documents.delete(document);
  }

  #forgetAll(dimensions: number): void {
    this.#documents.clear();
    this.#dimensions = dimensions;
    this.#version = "";
    this.#written = 0;
    this.#passages = 0;
    this.#mean = new Float32Array(0);
  }

  #takeMean(): void {
    const dimensions = this.#dimensions;
    const mean = new Float32Array(dimensions);
    this.#meanOf = this.#passages;
    if (this.#passages >= LEAST_FOR_MEAN)
      for (const { vectors } of this.#documents.values())
        for (let i = 0; i < vectors.length; i++) mean[i % dimensions]! += vectors[i]! / SCALE / this.#passages;
    this.#mean = mean;
    for (const document of this.#documents.values()) this.#measure(document);
  }

  #measure({ vectors, distances }: Loaded): void {
    const dimensions = this.#dimensions;
    const mean = this.#mean;
    if (mean.length === 0) return;
    for (let passage = 0; passage < distances.length; passage++) {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (vectors[passage * dimensions + i]! / SCALE - mean[i]!) ** 2;
      distances[passage] = Math.sqrt(sum) || 1;
    }
  }
}

const STEPS = 4096;

/** Four at a time: the number of dimensions is a multiple. */
function product(steps: Int32Array, vectors: Int8Array, first: number): number {
  let sum = 0;
  for (let i = 0; i < steps.length; i += 4)
    sum =
      (sum +
        Math.imul(steps[i]!, vectors[first + i]!) +
        Math.imul(steps[i + 1]!, vectors[first + i + 1]!) +
        Math.imul(steps[i + 2]!, vectors[first + i + 2]!) +
        Math.imul(steps[i + 3]!, vectors[first + i + 3]!)) |
      0;
  return sum;
}
