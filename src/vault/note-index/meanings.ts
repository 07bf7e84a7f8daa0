// What the passages of notes mean, as vectors of eight bits in a table of the index, and
// which of them are nearest to a query or to a note. Filled after the sweep, for the
// documents that have no vectors yet, so that the first index takes no longer and the
// setting can be turned on at any time. Used by note-database.ts.
import { readBytes, type StoredFiles, type VaultPath } from "../../files/files.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import { canvasText, frontmatterRange, readNoteText } from "../../markdown/markdown.ts";
import {
  filterOf,
  isStopWord,
  meaningOf,
  type MeantWord,
  meantWords,
  nameOfDocument,
  nearnessOf,
  passagesOf,
  SCALE,
  type Scope,
  type SearchQuery,
  wordTableIn,
  type WordTable,
} from "../../search/search.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";

export interface NearNote {
  readonly path: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly nearness: number;
  /** The passage, in UTF-16 units of the text below the frontmatter. */
  readonly start: number;
  readonly end: number;
}

/** Milliseconds of work per transaction step. */
const SLICE = 10;
const DOCUMENTS_AT_ONCE = 200;
/** A passage in a blob: where it begins and ends, and its vector. */
const PLACE = 8;
/** With fewer passages their mean says nothing. */
const LEAST_FOR_MEAN = 50;
/** In memory: 25 MB. Beyond it, documents that are read later are not compared. */
const MOST_PASSAGES = 250_000;
const LEAST_NEARNESS = 0.3;

interface Loaded {
  readonly passages: DataView;
  readonly vectors: Int8Array;
  /** Of each passage from the mean of all. */
  readonly distances: Float32Array;
  readonly count: number;
}

export class Meanings {
  readonly #database: IndexDatabase;
  readonly #file: string | undefined;
  readonly #log: Log;
  #table: WordTable | "missing" | undefined;
  readonly #documents = new Map<number, Loaded>();
  #version = "";
  /** The version of the index in which every document had vectors. */
  #filled = "";
  #written = 0;
  #passages = 0;
  /** What all passages share says nothing about any of them. */
  #mean = new Float32Array(0);
  #meanOf = 0;

  /** @param file the table of word vectors; undefined if meaning is turned off */
  constructor(database: IndexDatabase, file: string | undefined, log: Log) {
    this.#database = database;
    this.#file = file;
    this.#log = log;
  }

  /** Gives vectors to documents without them. */
  async fill(root: StoredFiles, signal?: AbortSignal): Promise<void> {
    const table = this.#wordTable();
    if (table === undefined) return;
    const missing = (): Row[] =>
      this.#database.all(
        `SELECT id, path, kind FROM document WHERE kind IN ('note', 'canvas') AND unread IS NULL
         AND NOT EXISTS (SELECT 1 FROM meaning WHERE meaning.document = document.id) LIMIT ${DOCUMENTS_AT_ONCE}`,
      );
    // Looking for them takes as long as a query, so only after a change.
    if (this.#filled === this.#database.version()) return;
    let waiting: Row[] = [];
    const step = (): boolean => {
      const end = performance.now() + SLICE;
      // Read within the transaction, so that they belong to what is indexed.
      if (waiting.length === 0) waiting = missing();
      while (waiting.length > 0 && performance.now() < end) this.#put(waiting.pop()!, root, table);
      return waiting.length > 0 || missing().length > 0;
    };
    do {
      // Another process may have changed documents since the last transaction.
      waiting = [];
    } while (missing().length > 0 && (await this.#database.writeInTurns(step, signal)));
    this.#filled = this.#database.version();
  }

  #put({ id, path, kind }: Row, root: StoredFiles, table: WordTable): void {
    const text = textOf(root, String(path), String(kind));
    const passages = passagesOf(table, nameOfDocument(String(path)), text);
    const bytes = Buffer.alloc(passages.length * (PLACE + table.dimensions));
    for (const [i, { start, end, vector }] of passages.entries()) {
      const at = i * (PLACE + table.dimensions);
      bytes.writeUInt32LE(start, at);
      bytes.writeUInt32LE(end, at + 4);
      bytes.set(new Uint8Array(vector.buffer), at + PLACE);
    }
    this.#database.run(
      "INSERT OR REPLACE INTO meaning VALUES (?, (SELECT coalesce(max(written), 0) + 1 FROM meaning), ?)",
      id!,
      bytes,
    );
  }

  /** The notes nearest to a query that pass its filters and are not among these. */
  nearTo(query: SearchQuery, scope: Scope, without: readonly string[], count: number, root: StoredFiles): NearNote[] {
    const table = this.#wordTable();
    const words = table === undefined ? [] : this.#wordsOf(table, query);
    const meaning = table && meaningOf(table, words);
    if (table === undefined || meaning === undefined) return [];
    const near = this.#nearest(table, meaning, { query, scope, without, count: COMPARED });
    return near
      .map((note) => {
        const passage = `${note.title} ${textOf(root, note.path, kindOf(note.path)).slice(note.start, note.end)}`;
        const nearness = (note.nearness + WORD_WEIGHT * nearnessOf(table, words, passage)) / (1 + WORD_WEIGHT);
        return { ...note, nearness: Math.round(nearness * 100) / 100 };
      })
      .toSorted((a, b) => b.nearness - a.nearness)
      .filter(({ nearness }) => nearness >= LEAST_SHOWN)
      .slice(0, count);
  }

  /** The words of a query, which count by how rare they are here. */
  #wordsOf(table: WordTable, { words }: Pick<SearchQuery, "words">): MeantWord[] {
    const total = this.#documents.size + 1;
    return meantWords(
      table,
      words.filter((word) => !isStopWord(word)),
      (term) => {
        const row = this.#database.get("SELECT doc FROM word WHERE term = ?", term);
        return Math.log(1 + total / (Number(row?.["doc"] ?? 0) + 1));
      },
    );
  }

  /** The notes that are most like this one. */
  like(path: string, scope: Scope, query: SearchQuery, count: number): NearNote[] {
    const table = this.#wordTable();
    const id = this.#database.get("SELECT id FROM document WHERE path = ?", path)?.["id"];
    if (table === undefined || id === undefined) return [];
    this.#load(table);
    const own = this.#documents.get(Number(id));
    if (own === undefined) return [];
    const sum = new Float32Array(table.dimensions);
    for (let i = 0; i < own.vectors.length; i++) sum[i % table.dimensions]! += own.vectors[i]!;
    const length = Math.hypot(...sum) || 1;
    return this.#nearest(
      table,
      sum.map((value) => value / length),
      { query, scope, without: [path], count },
    );
  }

  #nearest(
    table: WordTable,
    meaning: Float32Array,
    { query, scope, without, count }: { query: SearchQuery; scope: Scope; without: readonly string[]; count: number },
  ): NearNote[] {
    this.#load(table);
    const best = this.#scan(table, meaning)
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
  #scan({ dimensions }: WordTable, meaning: Float32Array) {
    const mean = this.#mean;
    const query = meaning.map((value, i) => value - mean[i]!);
    const length = Math.hypot(...query) || 1;
    for (let i = 0; i < dimensions; i++) query[i]! /= length;
    let base = 0;
    for (let i = 0; i < dimensions; i++) base += query[i]! * mean[i]!;
    // Integers are multiplied in half the time.
    const steps = Int32Array.from(query, (value) => Math.round(value * STEPS));
    const found: { document: number; nearness: number; start: number; end: number }[] = [];
    for (const [document, { vectors, passages, distances, count }] of this.#documents) {
      let best = -1;
      let bestNearness = LEAST_NEARNESS;
      for (let passage = 0; passage < count; passage++) {
        const first = passage * dimensions;
        const nearness = (product(steps, vectors, first) / STEPS / SCALE - base) / distances[passage]!;
        if (nearness <= bestNearness) continue;
        best = passage;
        bestNearness = nearness;
      }
      if (best === -1) continue;
      const place = best * (PLACE + dimensions);
      found.push({
        document,
        nearness: Math.min(1, bestNearness),
        start: passages.getUint32(place, true),
        end: passages.getUint32(place + 4, true),
      });
    }
    return found;
  }

  /** Reads what was written since the last time, by any process. */
  #load(table: WordTable): void {
    const version = this.#database.version();
    if (version === this.#version) return;
    const { count } = this.#database.get("SELECT count(*) AS count FROM meaning")!;
    const rows = this.#database.all(
      "SELECT document, written, passages FROM meaning WHERE written > ? ORDER BY written DESC",
      this.#written,
    );
    for (const row of rows.toReversed()) {
      this.#written = Number(row["written"]);
      this.#forget(Number(row["document"]));
      if (this.#passages < MOST_PASSAGES) this.#remember(Number(row["document"]), row["passages"] as Uint8Array, table);
    }
    if (Number(count) !== this.#documents.size) {
      const known = new Set(this.#database.all("SELECT document FROM meaning").map((row) => Number(row["document"])));
      for (const document of this.#documents.keys()) if (!known.has(document)) this.#forget(document);
    }
    this.#version = version;
    if (this.#mean.length === 0 || Math.abs(this.#passages - this.#meanOf) * 10 > this.#meanOf) this.#takeMean(table);
  }

  #remember(document: number, bytes: Uint8Array, { dimensions }: WordTable): void {
    const count = bytes.length / (PLACE + dimensions);
    const vectors = new Int8Array(count * dimensions);
    for (let i = 0; i < count; i++) {
      const at = i * (PLACE + dimensions) + PLACE;
      vectors.set(new Int8Array(bytes.buffer, bytes.byteOffset + at, dimensions), i * dimensions);
    }
    const passages = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const distances = new Float32Array(count);
    this.#documents.set(document, { passages, vectors, distances, count });
    this.#passages += count;
    this.#measure(this.#documents.get(document)!, dimensions);
  }

  #forget(document: number): void {
    this.#passages -= this.#documents.get(document)?.count ?? 0;
    this.#documents.delete(document);
  }

  #takeMean({ dimensions }: WordTable): void {
    const mean = new Float32Array(dimensions);
    this.#meanOf = this.#passages;
    if (this.#passages >= LEAST_FOR_MEAN)
      for (const { vectors } of this.#documents.values())
        for (let i = 0; i < vectors.length; i++) mean[i % dimensions]! += vectors[i]! / SCALE / this.#passages;
    this.#mean = mean;
    for (const document of this.#documents.values()) this.#measure(document, dimensions);
  }

  #measure({ vectors, distances }: Loaded, dimensions: number): void {
    const mean = this.#mean;
    if (mean.length === 0) return;
    for (let passage = 0; passage < distances.length; passage++) {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (vectors[passage * dimensions + i]! / SCALE - mean[i]!) ** 2;
      distances[passage] = Math.sqrt(sum) || 1;
    }
  }

  /** Read on first use. */
  #wordTable(): WordTable | undefined {
    if (this.#file === undefined) return undefined;
    try {
      this.#table ??= wordTableIn(readBytes(this.#file));
    } catch (error) {
      this.#table = "missing";
      this.#log(`notes are not searched by meaning: ${error instanceof Error ? error.message : String(error)}`);
    }
    return this.#table === "missing" ? undefined : this.#table;
  }

  /** The sentence of a passage that is nearest to a query, and those after it. */
  bestSentence(passage: string, query: Pick<SearchQuery, "words">): string {
    const table = this.#wordTable();
    if (table === undefined) return passage;
    const words = this.#wordsOf(table, query);
    let best = 0;
    let bestNearness = -1;
    for (const found of passage.matchAll(/(?<=^|[.!?]\s+|\n\n)\S[^.!?]*/g)) {
      const nearness = nearnessOf(table, words, found[0]);
      if (nearness <= bestNearness) continue;
      bestNearness = nearness;
      best = found.index;
    }
    return passage.slice(best);
  }
}

/** How many of the nearest are filtered, and then compared word by word. */
const CONSIDERED = 100;
const COMPARED = 30;
/** How much the nearest single words count, against the passage as a whole. */
const WORD_WEIGHT = 1;
const LEAST_SHOWN = 0.4;

export function kindOf(path: string): string {
  return path.endsWith(".canvas") ? "canvas" : "note";
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

/** The text below the frontmatter, as passages count it; nothing if the file cannot be read. */
export function textOf(root: StoredFiles, path: string, kind: string): string {
  try {
    const content = root.read(path as VaultPath);
    if (content === undefined) return "";
    const { text } = readNoteText(content.bytes);
    return kind === "canvas" ? canvasText(text) : text.slice(frontmatterRange(text)?.end ?? 0);
  } catch (error) {
    if (error instanceof Problem || error instanceof RangeError) return "";
    throw error;
  }
}
