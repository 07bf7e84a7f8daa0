// The meanings of notes' passages, by the table of word vectors that ships with the
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
import type { FilesAhead, IndexedFiles } from "../note-index/indexed-files.ts";
import { type NearNote, PassageVectors, type Sought } from "./passage-vectors.ts";
import { bestSentenceIn, COMPARED, comparedByWords, WordMeanings, wordsMeant } from "./word-meanings.ts";

/** Milliseconds of work per transaction step. */
const SLICE = 10;
const DOCUMENTS_AT_ONCE = 200;
const MAX_BYTES = 25e6;

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
    this.#vectors = new PassageVectors(database, "meaning", MAX_BYTES);
  }

  /** Gives vectors to documents without them. */
  async fill(files: Pick<IndexedFiles, "ahead">, signal?: AbortSignal): Promise<void> {
    const table = this.#words.table();
    if (table === undefined) return;
    const missing = (after: number): Row[] =>
      this.#database.all(
        `SELECT id, path, kind, size, mtime FROM document WHERE id > ? AND ${WITH_TEXT}
         AND NOT EXISTS (SELECT 1 FROM meaning WHERE meaning.document = document.id)
         ORDER BY id LIMIT ${DOCUMENTS_AT_ONCE}`,
        after,
      );
    // Looking for them takes as long as a query, so only after a change.
    if (this.#filled === this.#database.version()) return;
    // Once more from the beginning, until nothing is found: documents change in between.
    for (let [last, version] = [0, this.#database.version()]; ;) {
      const rows = missing(last);
      if (rows.length === 0 && last === 0) {
        this.#filled = version;
        return;
      }
      if (rows.length === 0) {
        [last, version] = [0, this.#database.version()];
        continue;
      }
      const ahead = await files.ahead(rows.map(({ path, size }) => ({ path: String(path), size: Number(size) })));
      const waiting = rows.slice(0, ahead.count);
      last = Number(waiting.at(-1)!["id"]);
      const step = (): boolean => {
        const end = performance.now() + SLICE;
        // At least one, however slow the machine is.
        for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
          this.#put(row, ahead, table);
          if (performance.now() >= end) break;
        }
        return waiting.length > 0;
      };
      while (await this.#database.writeInTurns(step, signal));
    }
  }

  /** Nothing for a document that has changed since it was listed: it has no vectors then, and waits. */
  #put({ id, path, kind, size, mtime }: Row, ahead: Pick<FilesAhead, "read">, table: WordTable): void {
    const same = "SELECT 1 FROM document WHERE id = ? AND path = ? AND size = ? AND mtime = ?";
    if (this.#database.get(same, id!, path!, size!, mtime!) === undefined) return;
    const text = textOf(ahead, String(path), String(kind));
    this.#vectors.store(Number(id), passagesOf(table, nameOfDocument(String(path)), text));
  }

  /** The texts of some documents below their frontmatter, by path. */
  async textsOf(files: Pick<IndexedFiles, "ahead">, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sizeOf = (path: string) =>
      Number(this.#database.get("SELECT size FROM document WHERE path = ?", path)?.["size"]);
    const next = paths.map((path) => ({ path, size: sizeOf(path) || 0 }));
    const texts = new Map<string, string>();
    while (texts.size < next.length) {
      const { count, read } = await files.ahead(next.slice(texts.size));
      for (const { path } of next.slice(texts.size, texts.size + count))
        texts.set(path, textOf({ read }, path, kindOf(path)));
    }
    return texts;
  }

  queryMeant(query: SearchQuery, corrections: Found["corrections"]): SearchQuery {
    return this.#words.queryMeant(query, corrections);
  }

  /** The notes nearest to a query that pass its filters and are not among these. */
  async nearTo(sought: Sought, files: Pick<IndexedFiles, "ahead">): Promise<NearNote[]> {
    const table = this.#words.table();
    const words = table === undefined ? [] : this.#wordsOf(table, sought.query);
    const meaning = table && meaningOf(table, words);
    if (table === undefined || meaning === undefined) return [];
    const nearest = this.#vectors.nearest(meaning, { ...sought, count: COMPARED });
    const paths = nearest.map(({ path }) => path);
    const texts = await this.textsOf(files, paths);
    return comparedByWords(table, words, nearest, ({ path }) => texts.get(path)!, sought);
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

function kindOf(path: string): string {
  return path.endsWith(".canvas") ? "canvas" : "note";
}

/** Embedded files, and what a template fills in: no words of the note. With limits, so that no text takes long. */
const STAND_INS = /!\[\[[^[\]\n]{0,500}\]\]|\{\{[^{}\n]{0,200}\}\}|<%[^%]{0,500}%>/g;

/** The text below the frontmatter, as passages count it; nothing if the file cannot be read. */
export function textOf({ read }: Pick<FilesAhead, "read">, path: string, kind: string): string {
  try {
    const { text } = readNoteText(read(path));
    if (kind === "canvas") return canvasText(text);
    return text.slice(frontmatterRange(text)?.end ?? 0).replace(STAND_INS, (found) => " ".repeat(found.length));
  } catch (error) {
    if (isSystemError(error) || isNoFile(error) || error instanceof Problem || error instanceof RangeError) return "";
    throw error;
  }
}
