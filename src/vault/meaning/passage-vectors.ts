// The vectors of passages in a table of the index, and which of them are nearest to a
// direction (nearest-passages.ts). Used for the vectors of the table of words
// (meanings.ts) and for those of an embeddings endpoint (embeddings.ts).
import { filterOf, nameOfDocument, type Passage, type Scope, type SearchQuery } from "../../search/search.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { NearestPassages, packedPassages } from "./nearest-passages.ts";

export interface NearNote {
  readonly path: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly nearness: number;
  /** The passage, in UTF-16 units of the text below the frontmatter. */
  readonly start: number;
  readonly end: number;
}

/** Limits the notes that may be near. */
export interface Sought {
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly without: readonly string[];
  /** Paths of notes that do not count: the caller may leave them out, and then has enough without them. */
  readonly uncounted?: readonly string[];
  readonly count: number;
}

/** The first notes, until so many of them count. */
export function untilCounted<N extends Pick<NearNote, "path">>(
  notes: readonly N[],
  { uncounted = [], count }: Pick<Sought, "uncounted" | "count">,
): N[] {
  let counted = 0;
  return notes.filter(({ path }) => {
    if (counted === count) return false;
    if (!uncounted.includes(path)) counted++;
    return true;
  });
}

/** Documents that are read at once: few enough to be garbage-collected early. */
const AT_ONCE = 1_000;
/** How many of the nearest are filtered. */
const CONSIDERED = 100;

export class PassageVectors {
  readonly #database: IndexDatabase;
  readonly #table: "meaning" | "embedding";
  readonly #mostBytes: number;
  #passages = new NearestPassages(0, 0);
  #version = "";
  #written = 0;

  /** @param mostBytes in memory: documents that are read after that are not compared */
  constructor(database: IndexDatabase, table: "meaning" | "embedding", mostBytes: number) {
    this.#database = database;
    this.#table = table;
    this.#mostBytes = mostBytes;
  }

  /** How many documents are in memory. */
  get documents(): number {
    return this.#passages.rows.documents.size;
  }

  /** Within a transaction. */
  store(document: number, passages: readonly Passage[]): void {
    this.#database.run(
      `INSERT OR REPLACE INTO ${this.#table} VALUES (?, (SELECT coalesce(max(written), 0) + 1 FROM ${this.#table}), ?)`,
      document,
      packedPassages(passages),
    );
  }

  /** The direction of a whole document; undefined if it has no vectors. */
  directionOf(document: number, dimensions: number): Float32Array | undefined {
    this.#load(dimensions);
    return this.#passages.directionOf(document);
  }

  /** The notes with the nearest passages that pass the filters, nearest first. */
  nearest(direction: Float32Array, { query, scope, ...sought }: Sought): NearNote[] {
    const { without, uncounted = [] } = sought;
    this.#load(direction.length);
    const best = this.#passages.nearestTo(direction, CONSIDERED + without.length + uncounted.length);
    const { condition, values } = filterOf(query, scope);
    const rows = this.#database.all(
      `SELECT id, path, facts ->> 'title' AS title FROM document JOIN facts ON facts.document = document.id
       WHERE id IN (SELECT value FROM json_each(?)) AND ${condition}`,
      JSON.stringify(best.map(({ document }) => document)),
      ...values,
    );
    const shown = new Map(rows.map((row) => [Number(row["id"]), row]));
    const near = best.flatMap(({ document, nearness, start, end }) => {
      const row = shown.get(document);
      if (row === undefined || without.includes(String(row["path"]))) return [];
      const path = String(row["path"]);
      const title = row["title"] === null ? nameOfDocument(path) : String(row["title"]);
      return [{ path, title, nearness: Math.round(nearness * 100) / 100, start, end }];
    });
    return untilCounted(near, sought);
  }

  /** Reads what was written since the last time, by any process. */
  #load(dimensions: number): void {
    if (dimensions !== this.#passages.rows.dimensions) this.#forgetAll(dimensions);
    const version = this.#database.version();
    if (version === this.#version) return;
    const { count, last } = this.#database.get(`SELECT count(*) AS count, max(written) AS last FROM ${this.#table}`)!;
    // All of it was deleted and written again, perhaps by another model.
    if (Number(last ?? 0) < this.#written) this.#forgetAll(dimensions);
    const passages = this.#passages;
    const { bytes } = this.#database.get(
      `SELECT total(length(passages)) AS bytes FROM ${this.#table} WHERE written > ?`,
      this.#written,
    )!;
    passages.reserve(Number(bytes));
    for (;;) {
      const written = this.#database.all(
        `SELECT document, written, passages FROM ${this.#table} WHERE written > ? ORDER BY written LIMIT ${AT_ONCE}`,
        this.#written,
      );
      if (written.length === 0) break;
      for (const row of written) passages.add(Number(row["document"]), row["passages"] as Uint8Array);
      this.#written = Number(written.at(-1)!["written"]);
    }
    const { rows } = passages;
    if (Number(count) !== rows.documents.size) {
      const known = new Set(
        this.#database.all(`SELECT document FROM ${this.#table}`).map((row) => Number(row["document"])),
      );
      for (const document of rows.documents.keys()) if (!known.has(document)) rows.remove(document);
    }
    this.#version = version;
    passages.settle();
  }

  #forgetAll(dimensions: number): void {
    this.#passages = new NearestPassages(dimensions, this.#mostBytes);
    this.#version = "";
    this.#written = 0;
  }
}
