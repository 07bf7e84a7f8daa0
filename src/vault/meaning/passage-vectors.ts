// The vectors of passages in a table of the index and in memory, and which of them
// are nearest to a direction. Used for the vectors of the table of words (meanings.ts)
// and for those of an embeddings endpoint (embeddings.ts).
import { filterOf, nameOfDocument, type Passage, SCALE, type Scope, type SearchQuery } from "../../search/search.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { PassageRows, PLACE_BYTES } from "./passage-rows.ts";

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

/** With fewer passages their mean says nothing. */
const LEAST_FOR_MEAN = 50;
const LEAST_NEARNESS = 0.25;
/**
 * The nearest of many passages is near by chance: its nearness grows like this with their number. Without it long notes
 * were related to everything: of 66 paraphrases 21 were found in either list, with it 24.
 */
const CHANCE = 0.05;
/** Documents that are read at once: few enough to be garbage-collected early. */
const AT_ONCE = 1_000;
/** How many of the nearest are filtered. */
const CONSIDERED = 100;

export class PassageVectors {
  readonly #database: IndexDatabase;
  readonly #table: "meaning" | "embedding";
  readonly #mostBytes: number;
  #rows = new PassageRows(0);
  #version = "";
  #written = 0;
  /** What all passages share says nothing about any of them. */
  #mean: Float32Array = new Float32Array(0);
  #meanOf = 0;

  /** @param mostBytes in memory: documents that are read after that are not compared */
  constructor(database: IndexDatabase, table: "meaning" | "embedding", mostBytes: number) {
    this.#database = database;
    this.#table = table;
    this.#mostBytes = mostBytes;
  }

  /** How many documents are in memory. */
  get documents(): number {
    return this.#rows.documents.size;
  }

  /** Within a transaction. */
  store(document: number, passages: readonly Passage[]): void {
    const size = PLACE_BYTES + (passages[0]?.vector.length ?? 0);
    const bytes = Buffer.alloc(passages.length * size);
    for (const [i, { start, end, vector }] of passages.entries()) {
      bytes.writeUInt32LE(start, i * size);
      bytes.writeUInt32LE(end, i * size + 4);
      bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), i * size + PLACE_BYTES);
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
    const sum = this.#rows.sumOf(document);
    if (sum === undefined) return undefined;
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
    const mean = this.#mean;
    const query = direction.map((value, i) => value - mean[i]!);
    const length = Math.hypot(...query) || 1;
    for (let i = 0; i < query.length; i++) query[i]! /= length;
    let base = 0;
    for (let i = 0; i < query.length; i++) base += query[i]! * mean[i]!;
    // Integers are multiplied in half the time.
    const products = this.#rows.productsWith(Int32Array.from(query, (value) => Math.round(value * STEPS)));
    const found: { document: number; nearness: number; start: number; end: number }[] = [];
    for (const [document, { first, count }] of this.#rows.documents) {
      let best = -1;
      let bestNearness = LEAST_NEARNESS;
      for (let row = first; row < first + count; row++) {
        const nearness = (products[row]! / STEPS / SCALE - base) / this.#rows.distanceOf(row);
        if (nearness <= bestNearness) continue;
        best = row;
        bestNearness = nearness;
      }
      if (best === -1) continue;
      const nearness = Math.min(1, bestNearness - CHANCE * Math.sqrt(Math.log(count)));
      found.push({ document, nearness, ...this.#rows.placeOf(best) });
    }
    return found;
  }

  /** Reads what was written since the last time, by any process. */
  #load(dimensions: number): void {
    if (dimensions !== this.#rows.dimensions) this.#forgetAll(dimensions);
    const version = this.#database.version();
    if (version === this.#version) return;
    const { count, last } = this.#database.get(`SELECT count(*) AS count, max(written) AS last FROM ${this.#table}`)!;
    // All of it was deleted and written again, perhaps by another model.
    if (Number(last ?? 0) < this.#written) this.#forgetAll(dimensions);
    const rows = this.#rows;
    const { bytes } = this.#database.get(
      `SELECT total(length(passages)) AS bytes FROM ${this.#table} WHERE written > ?`,
      this.#written,
    )!;
    rows.reserve(Math.floor(Math.min(Number(bytes), this.#mostBytes) / (PLACE_BYTES + dimensions)));
    for (;;) {
      const written = this.#database.all(
        `SELECT document, written, passages FROM ${this.#table} WHERE written > ? ORDER BY written LIMIT ${AT_ONCE}`,
        this.#written,
      );
      if (written.length === 0) break;
      for (const row of written) {
        const document = Number(row["document"]);
        if (rows.size * dimensions < this.#mostBytes) rows.add(document, row["passages"] as Uint8Array);
        else rows.remove(document);
      }
      this.#written = Number(written.at(-1)!["written"]);
    }
    if (Number(count) !== rows.documents.size) {
      const known = new Set(
        this.#database.all(`SELECT document FROM ${this.#table}`).map((row) => Number(row["document"])),
      );
      for (const document of rows.documents.keys()) if (!known.has(document)) rows.remove(document);
    }
    this.#version = version;
    if (this.#mean.length === 0 || Math.abs(rows.size - this.#meanOf) * 10 > this.#meanOf) this.#takeMean();
  }

  #forgetAll(dimensions: number): void {
    this.#rows = new PassageRows(dimensions);
    this.#version = "";
    this.#written = 0;
    this.#mean = new Float32Array(0);
  }

  #takeMean(): void {
    const rows = this.#rows;
    this.#meanOf = rows.size;
    this.#mean = rows.size < LEAST_FOR_MEAN ? new Float32Array(rows.dimensions) : rows.mean();
    rows.centreOn(this.#mean);
  }
}

/** How fine the steps of a direction are. */
const STEPS = 4096;
