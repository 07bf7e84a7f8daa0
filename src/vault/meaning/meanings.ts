// What the passages of notes mean, by the table of word vectors that ships with the
// program, and which of them are nearest to a query or to a note. Filled after the
// sweep, for the documents that have no vectors yet, so that the first index takes no
// longer and the setting can be turned on at any time. Used by note-database.ts.
import { isNoFile, isSystemError } from "../../files/files.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import { canvasText, frontmatterRange, readNoteText } from "../../markdown/markdown.ts";
import {
  meaningOf,
  type MeantWord,
  nameOfDocument,
  passagesOf,
  type Found,
  type SearchQuery,
  type WordTable,
} from "../../search/search.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { IndexedFiles } from "../note-index/indexed-files.ts";
import { type NearNote, PassageVectors, type Sought } from "./passage-vectors.ts";
import { bestSentenceIn, COMPARED, comparedByWords, WordMeanings, wordsMeant } from "./word-meanings.ts";

/** Milliseconds of work per transaction step. */
const SLICE = 10;
const DOCUMENTS_AT_ONCE = 200;
export const MOST_BYTES = 25e6;

export class Meanings {
  readonly #database: IndexDatabase;
  readonly #words: WordMeanings;
  readonly #vectors: PassageVectors;
  /** The version of the index in which every document had vectors. */
  #filled = "";

  /** @param file the table of word vectors; undefined if meaning is turned off */
  constructor(database: IndexDatabase, file: string | undefined, log: Log) {
    this.#database = database;
    this.#words = new WordMeanings(file, log);
    this.#vectors = new PassageVectors(database, "meaning", MOST_BYTES);
  }

  /** Gives vectors to documents without them. */
  async fill(root: IndexedFiles, signal?: AbortSignal): Promise<void> {
    const table = this.#words.table();
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
      // At least one, however slow the machine is.
      while (waiting.length > 0) {
        this.#put(waiting.pop()!, root, table);
        if (performance.now() >= end) break;
      }
      if (waiting.length === 0) read();
      return waiting.length > 0;
    };
    do {
      // Another process may have changed documents since the last transaction.
      waiting = [];
      last = 0;
    } while (await this.#database.writeInTurns(step, signal));
    this.#filled = this.#database.version();
  }

  #put({ id, path, kind }: Row, root: IndexedFiles, table: WordTable): void {
    const text = textOf(root, String(path), String(kind));
    this.#vectors.store(Number(id), passagesOf(table, nameOfDocument(String(path)), text));
  }

  queryMeant(query: SearchQuery, corrections: Found["corrections"]): SearchQuery {
    return this.#words.queryMeant(query, corrections);
  }

  /** The notes nearest to a query that pass its filters and are not among these. */
  nearTo(sought: Sought, root: IndexedFiles): NearNote[] {
    const table = this.#words.table();
    const words = table === undefined ? [] : this.#wordsOf(table, sought.query);
    const meaning = table && meaningOf(table, words);
    if (table === undefined || meaning === undefined) return [];
    const nearest = this.#vectors.nearest(meaning, { ...sought, count: COMPARED });
    return comparedByWords(table, words, nearest, (note) => textOf(root, note.path, kindOf(note.path)), sought);
  }

  /** The words of a query, which count by how rare they are here. */
  #wordsOf(table: WordTable, query: Pick<SearchQuery, "words">): MeantWord[] {
    const documentsWith = (term: string) =>
      Number(this.#database.get("SELECT doc FROM word WHERE term = ?", term)?.["doc"] ?? 0);
    return wordsMeant(table, query, documentsWith, this.#vectors.documents);
  }

  /** The notes that are most like a document; undefined if it has no meaning to compare. */
  like(document: number, sought: Sought): NearNote[] | undefined {
    const table = this.#words.table();
    const direction = table && this.#vectors.directionOf(document, table.dimensions);
    return direction && this.#vectors.nearest(direction, sought);
  }

  /** The sentence of a passage that is nearest to a query, and those after it. */
  bestSentence(passage: string, query: Pick<SearchQuery, "words">): string {
    const table = this.#words.table();
    return table === undefined ? passage : bestSentenceIn(table, passage, this.#wordsOf(table, query));
  }
}

/** The documents that have passages. */
export const WITH_TEXT = "kind IN ('note', 'canvas') AND unread IS NULL";

export function kindOf(path: string): string {
  return path.endsWith(".canvas") ? "canvas" : "note";
}

/** Embedded files, and what a template fills in: no words of the note. With limits, so that no text takes long. */
const STAND_INS = /!\[\[[^[\]\n]{0,500}\]\]|\{\{[^{}\n]{0,200}\}\}|<%[^%]{0,500}%>/g;

/** The text below the frontmatter, as passages count it; nothing if the file cannot be read. */
export function textOf(root: IndexedFiles, path: string, kind: string): string {
  try {
    return textIn(root.read(path), kind);
  } catch (error) {
    if (isSystemError(error) || isNoFile(error)) return "";
    throw error;
  }
}

/** The same from the bytes of the file. */
export function textIn(bytes: Buffer, kind: string): string {
  try {
    const { text } = readNoteText(bytes);
    if (kind === "canvas") return canvasText(text);
    return text.slice(frontmatterRange(text)?.end ?? 0).replace(STAND_INS, (found) => " ".repeat(found.length));
  } catch (error) {
    if (error instanceof Problem || error instanceof RangeError) return "";
    throw error;
  }
}
