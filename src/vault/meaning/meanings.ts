// What the passages of notes mean, by the table of word vectors that ships with the
// program, and which of them are nearest to a query or to a note. Filled after the
// sweep, for the documents that have no vectors yet, so that the first index takes no
// longer and the setting can be turned on at any time. Used by note-database.ts.
import { isNoFile, isSystemError, readBytes } from "../../files/files.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import { canvasText, frontmatterRange, readNoteText } from "../../markdown/markdown.ts";
import {
  isStopWord,
  meaningOf,
  type MeantWord,
  meantWords,
  nameOfDocument,
  nearnessOf,
  passagesOf,
  type SearchQuery,
  wordTableIn,
  type WordTable,
} from "../../search/search.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { IndexedFiles } from "../note-index/indexed-files.ts";
import { type NearNote, PassageVectors, type Sought } from "./passage-vectors.ts";

/** Milliseconds of work per transaction step. */
const SLICE = 10;
const DOCUMENTS_AT_ONCE = 200;
const MOST_BYTES = 25e6;
/** How many of the nearest are compared word by word. */
const COMPARED = 30;
/** How much the nearest single words count, against the passage as a whole. */
const WORD_WEIGHT = 1;
const LEAST_SHOWN = 0.36;

export class Meanings {
  readonly #database: IndexDatabase;
  readonly #file: string | undefined;
  readonly #log: Log;
  readonly #vectors: PassageVectors;
  #table: WordTable | "missing" | undefined;
  /** The version of the index in which every document had vectors. */
  #filled = "";

  /** @param file the table of word vectors; undefined if meaning is turned off */
  constructor(database: IndexDatabase, file: string | undefined, log: Log) {
    this.#database = database;
    this.#file = file;
    this.#log = log;
    this.#vectors = new PassageVectors(database, "meaning", MOST_BYTES);
  }

  /** Gives vectors to documents without them. */
  async fill(root: IndexedFiles, signal?: AbortSignal): Promise<void> {
    const table = this.#wordTable();
    if (table === undefined) return;
    const missing = (after: number): Row[] =>
      this.#database.all(
        `SELECT id, path, kind FROM document WHERE id > ? AND ${WITH_TEXT}
         AND NOT EXISTS (SELECT 1 FROM meaning WHERE meaning.document = document.id)
         ORDER BY id LIMIT ${DOCUMENTS_AT_ONCE}`,
        after,
      );
    // Looking for them takes as long as a query, so only after a change.
    if (this.#filled === this.#database.version()) return;
    let waiting: Row[] = [];
    // Of the last document that was read in this transaction: looking at all those before again would take longer each time.
    let last = 0;
    const read = () => {
      waiting = missing(last);
      last = Number(waiting.at(-1)?.["id"] ?? last);
    };
    const step = (): boolean => {
      const end = performance.now() + SLICE;
      // Read within the transaction, so that they belong to what is indexed.
      if (waiting.length === 0) read();
      const isReady = () => waiting.length > 0 && root.isFetched(String(waiting.at(-1)!["path"]));
      while (isReady() && performance.now() < end) this.#put(waiting.pop()!, root, table);
      if (waiting.length === 0) read();
      return isReady();
    };
    for (let next = missing(0), first: unknown; next[0] !== undefined && next[0]["id"] !== first; next = missing(0)) {
      first = next[0]["id"];
      await root.fetch(next.toReversed().map(({ path }) => String(path)));
      // Another process may have changed documents since the last transaction.
      waiting = [];
      last = 0;
      await this.#database.writeInTurns(step, signal);
    }
    this.#filled = this.#database.version();
  }

  #put({ id, path, kind }: Row, root: IndexedFiles, table: WordTable): void {
    const text = textOf(root, String(path), String(kind));
    this.#vectors.store(Number(id), passagesOf(table, nameOfDocument(String(path)), text));
  }

  /** The notes nearest to a query that pass its filters and are not among these. */
  async nearTo(sought: Sought, root: IndexedFiles): Promise<NearNote[]> {
    const table = this.#wordTable();
    const words = table === undefined ? [] : this.#wordsOf(table, sought.query);
    const meaning = table && meaningOf(table, words);
    if (table === undefined || meaning === undefined) return [];
    const nearest = this.#vectors.nearest(meaning, { ...sought, count: COMPARED });
    await root.fetch(nearest.map(({ path }) => path));
    return nearest
      .map((note) => {
        const passage = `${note.title} ${textOf(root, note.path, kindOf(note.path)).slice(note.start, note.end)}`;
        const nearness = (note.nearness + WORD_WEIGHT * nearnessOf(table, words, passage)) / (1 + WORD_WEIGHT);
        return { ...note, nearness: Math.round(nearness * 100) / 100 };
      })
      .toSorted((a, b) => b.nearness - a.nearness)
      .filter(({ nearness }) => nearness >= LEAST_SHOWN)
      .slice(0, sought.count);
  }

  /** The words of a query, which count by how rare they are here. */
  #wordsOf(table: WordTable, { words }: Pick<SearchQuery, "words">): MeantWord[] {
    const total = this.#vectors.documents + 1;
    return meantWords(
      table,
      words.filter((word) => !isStopWord(word)),
      (term) => {
        const row = this.#database.get("SELECT doc FROM word WHERE term = ?", term);
        return Math.log(1 + total / (Number(row?.["doc"] ?? 0) + 1));
      },
    );
  }

  /** The notes that are most like a document. */
  like(document: number, sought: Sought): NearNote[] {
    const table = this.#wordTable();
    const direction = table && this.#vectors.directionOf(document, table.dimensions);
    return direction === undefined ? [] : this.#vectors.nearest(direction, sought);
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

/** The documents that have passages. */
export const WITH_TEXT = "kind IN ('note', 'canvas') AND unread IS NULL";

export function kindOf(path: string): string {
  return path.endsWith(".canvas") ? "canvas" : "note";
}

/** The text below the frontmatter, as passages count it; nothing if the file cannot be read. */
export function textOf(root: IndexedFiles, path: string, kind: string): string {
  try {
    const { text } = readNoteText(root.read(path));
    return kind === "canvas" ? canvasText(text) : text.slice(frontmatterRange(text)?.end ?? 0);
  } catch (error) {
    if (error instanceof Problem || error instanceof RangeError || isSystemError(error) || isNoFile(error)) return "";
    throw error;
  }
}
