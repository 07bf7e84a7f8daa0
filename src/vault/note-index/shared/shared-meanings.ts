// What the passages of the notes of a space mean: their vectors are rows of the store,
// by the table of words that ships with the program and, if the settings of this
// machine name one, by an embeddings endpoint. Who may write the index gives
// vectors to notes without them. Used by shared-note-index.ts.
import { type Log } from "../../../kernel/kernel.ts";
import type { SharedSpace } from "../../../journal/journal.ts";
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import {
  cutsOf,
  meaningOf,
  type MeantWord,
  nameOfDocument,
  type Passage,
  passagesOf,
  type Found,
  type SearchQuery,
} from "../../../search/search.ts";
import { AskedEndpoint } from "../../meaning/asked-endpoint.ts";
import type { EmbeddingEndpoint } from "../../meaning/embedding-endpoint.ts";
import { ENOUGH, LEAST_SHOWN, MOST_BYTES as MOST_EMBEDDED } from "../../meaning/embeddings.ts";
import { MOST_BYTES, textIn } from "../../meaning/meanings.ts";
import type { NearestPassages } from "../../meaning/nearest-passages.ts";
import { packedPassages } from "../../meaning/nearest-passages.ts";
import { CONSIDERED, type NearNote, untilCounted } from "../../meaning/passage-vectors.ts";
import { bestSentenceIn, COMPARED, comparedByWords, WordMeanings, wordsMeant } from "../../meaning/word-meanings.ts";
import { lockIndex } from "./index-change.ts";
import type { NoteFilter } from "./shared-filter.ts";
import { titleOf } from "./shared-text.ts";
import { knownWords, type SpaceCache } from "./space-cache.ts";
import { SharedVectors, type StoredModel } from "./shared-vectors.ts";

const WITH_TEXT = "note.kind IN ('note', 'canvas') AND note.unread IS NULL";
const DOCUMENTS_AT_ONCE = 100;
const EMBEDDED_AT_ONCE = 20;

/** What is asked of within one transaction. */
export interface Asking {
  readonly sql: TaggedQuery;
  readonly space: number;
  readonly cache: SpaceCache;
}

export interface SoughtNotes {
  readonly query: SearchQuery;
  readonly filter: NoteFilter;
  /** Paths. */
  readonly without: readonly string[];
  /** Paths of notes that do not count: the caller may leave them out. */
  readonly uncounted?: readonly string[];
  readonly count: number;
}

/** A note that is near, and its text. */
export interface NearText extends NearNote {
  readonly ordinal: number;
  readonly text: string;
}

interface Opening {
  readonly space: SharedSpace;
  readonly isHidden: ((path: string) => boolean) | undefined;
  readonly wordVectors: string | undefined;
  readonly endpoint: EmbeddingEndpoint | undefined;
  readonly log: Log;
}

export class SharedMeanings {
  readonly #space: SharedSpace;
  readonly #isHidden: ((path: string) => boolean) | undefined;
  readonly #words: WordMeanings;
  readonly #endpoint: AskedEndpoint | undefined;
  #dimensions = 0;
  /** The numbers of the index in which every note had vectors. */
  readonly #filled = new Map<string, number>();

  constructor({ space, isHidden, wordVectors, endpoint, log }: Opening) {
    this.#space = space;
    this.#isHidden = isHidden;
    this.#words = new WordMeanings(wordVectors, log);
    this.#endpoint = endpoint && new AskedEndpoint(endpoint, log);
  }

  get fault(): string | undefined {
    return this.#endpoint?.fault;
  }

  close(): void {
    this.#endpoint?.close();
  }

  /** Gives vectors of the table of words to notes without them. */
  async fill(space: number, number: number, signal: AbortSignal): Promise<void> {
    const table = this.#words.table();
    if (table === undefined || this.#filled.get(this.#words.name()) === number) return;
    await this.#fillAll(space, this.#words.name(), DOCUMENTS_AT_ONCE, signal, async (notes) =>
      notes.map(({ title, text }) => passagesOf(table, title, text)),
    );
    this.#filled.set(this.#words.name(), number);
  }

  /** Gives vectors of the endpoint to notes without them, which takes as long as its model needs. */
  async fillEmbeddings(space: number, number: number, signal: AbortSignal): Promise<void> {
    const endpoint = this.#endpoint;
    if (endpoint === undefined || endpoint.rests) return;
    try {
      if (this.#dimensions === 0) this.#dimensions = (await endpoint.directionOf("dimensions", signal)).length;
      const { name } = this.#embedded();
      if (this.#filled.get(name) === number) return;
      const embed = (notes: readonly ReadNote[]) => this.#embed(endpoint, notes, signal);
      // What the settings of this machine hide is not sent anywhere.
      const isSent = ({ path }: Row) => this.#isHidden?.(String(path)) !== true;
      await this.#fillAll(space, name, EMBEDDED_AT_ONCE, signal, embed, isSent);
      this.#filled.set(name, number);
    } catch (error) {
      endpoint.rest(error);
    }
  }

  async #embed(endpoint: AskedEndpoint, notes: readonly ReadNote[], signal: AbortSignal): Promise<Passage[][]> {
    const cuts = notes.map(({ text }) => cutsOf(text));
    const texts = notes.flatMap(({ title, text }, i) =>
      cuts[i]!.map(({ start, end }) => `${title}\n\n${text.slice(start, end)}`),
    );
    const vectors = await endpoint.vectorsOf(texts, signal);
    const length = vectors.find((vector) => vector !== undefined)?.length ?? this.#dimensions;
    // The same name for another model: the vectors that it made are not used any more.
    if (length !== this.#dimensions) {
      this.#dimensions = 0;
      return [];
    }
    return cuts.map((own) =>
      vectors
        .splice(0, own.length)
        .flatMap((vector, i): Passage[] => (vector === undefined ? [] : [{ ...own[i]!, vector }])),
    );
  }

  async #fillAll(
    space: number,
    model: string,
    atOnce: number,
    signal: AbortSignal,
    passagesOfAll: (notes: readonly ReadNote[]) => Promise<readonly (readonly Passage[])[]>,
    isSent: (row: Row) => boolean = () => true,
  ): Promise<void> {
    for (let last = 0; ;) {
      signal.throwIfAborted();
      const rows = await this.#space.store.reading((sql) =>
        sql.run(
          `SELECT file.id, ordinal, path, note.kind, note.number, bytes FROM commonplace.note
           JOIN commonplace.file ON file.space = note.space AND file.id = note.file
           WHERE note.space = $1 AND ${WITH_TEXT} AND NOT EXISTS (
             SELECT 1 FROM commonplace.note_vector AS known
             WHERE known.space = note.space AND known.model = $2 AND known.file = note.file
           ) AND file.id > $3 ORDER BY file.id LIMIT ${atOnce}`,
          [space, model, last],
        ),
      );
      if (rows.length === 0) return;
      last = Number(rows.at(-1)!["id"]);
      const notes = rows.filter(isSent).map(readNote);
      const passages = await passagesOfAll(notes);
      if (passages.length < notes.length) return;
      await this.#space.store.transaction(async (sql) => {
        await lockIndex(sql, space);
        // Nothing for a note that was indexed again since it was read.
        return sql`
          INSERT INTO commonplace.note_vector (space, model, file, ordinal, number, passages)
          SELECT ${space}, ${model}, note.file, note.ordinal,
            (SELECT coalesce(max(number), 0) + 1 FROM commonplace.note_vector WHERE space = ${space} AND model = ${model}), given.passages
          FROM unnest(${notes.map(({ file }) => file)}::bigint[], ${notes.map(({ number }) => number)}::bigint[],
            ${passages.map(packedPassages)}::bytea[]) AS given (file, number, passages)
          JOIN commonplace.note ON note.space = ${space} AND note.file = given.file AND note.number = given.number
          ON CONFLICT DO NOTHING`;
      });
    }
  }

  /** The direction of a query by the endpoint; undefined if the table of words has to be asked. */
  async directionOf(query: SearchQuery, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    const endpoint = this.#endpoint;
    if (endpoint === undefined || endpoint.rests || this.#dimensions === 0 || query.plain.trim() === "")
      return undefined;
    try {
      const direction = await endpoint.directionOf(query.plain, signal);
      if (direction.length !== this.#dimensions) {
        this.#dimensions = 0;
        return undefined;
      }
      endpoint.succeeded();
      return direction;
    } catch (error) {
      endpoint.failed(error);
      return undefined;
    }
  }

  /** The notes nearest to a query. @param embedded its direction by the endpoint */
  async nearTo(asking: Asking, sought: SoughtNotes, embedded: Float32Array | undefined): Promise<NearText[]> {
    if (embedded !== undefined && (await this.#isEmbedded(asking))) {
      const passages = await vectorsOf(asking, this.#embedded());
      const near = await nearestNotes(asking, passages, embedded, sought);
      return near.filter(({ nearness }) => nearness >= LEAST_SHOWN);
    }
    const table = this.#words.table();
    if (table === undefined) return [];
    const passages = await vectorsOf(asking, this.#ofWords(table.dimensions));
    const words = await this.#wordsOf(asking, sought.query, passages);
    const meaning = meaningOf(table, words);
    if (meaning === undefined) return [];
    const near = await nearestNotes(asking, passages, meaning, { ...sought, count: COMPARED });
    return comparedByWords(table, words, near, ({ text }) => text, sought);
  }

  /** The notes that are most like one; undefined if it has no meaning to compare. */
  async like(asking: Asking, ordinal: number, sought: SoughtNotes): Promise<NearText[] | undefined> {
    if (await this.#isEmbedded(asking)) {
      const passages = await vectorsOf(asking, this.#embedded());
      const direction = passages.directionOf(ordinal);
      if (direction !== undefined) return nearestNotes(asking, passages, direction, sought);
    }
    const table = this.#words.table();
    if (table === undefined) return undefined;
    const passages = await vectorsOf(asking, this.#ofWords(table.dimensions));
    const direction = passages.directionOf(ordinal);
    return direction && nearestNotes(asking, passages, direction, sought);
  }

  queryMeant(query: SearchQuery, corrections: Found["corrections"]): SearchQuery {
    return this.#words.queryMeant(query, corrections);
  }

  /** What is shown of the passage of each: the sentence that is nearest to a query, and those after it. */
  async sentences(asking: Asking, near: readonly NearText[], query: Pick<SearchQuery, "words">): Promise<string[]> {
    const passages = near.map(({ text, start, end }) => text.slice(start, end));
    const table = this.#words.table();
    if (table === undefined || near.length === 0) return passages;
    const words = await this.#wordsOf(asking, query, await vectorsOf(asking, this.#ofWords(table.dimensions)));
    return passages.map((passage) => bestSentenceIn(table, passage, words));
  }

  async #wordsOf(
    { sql, space }: Asking,
    query: Pick<SearchQuery, "words">,
    { rows }: NearestPassages,
  ): Promise<MeantWord[]> {
    const counts = new Map(
      (await knownWords(sql, space, query.words, undefined)).map((word) => [word.term, word.documents]),
    );
    return wordsMeant(this.#words.table()!, query, (term) => counts.get(term) ?? 0, rows.documents.size);
  }

  /** Whether nearly all notes have vectors of the endpoint. */
  async #isEmbedded({ sql, space }: Asking): Promise<boolean> {
    if (this.#endpoint === undefined || this.#dimensions === 0) return false;
    const notes = await sql.run(
      `SELECT path, EXISTS (SELECT 1 FROM commonplace.note_vector AS known
          WHERE known.space = note.space AND known.model = $2 AND known.file = note.file) AS made
       FROM commonplace.note JOIN commonplace.file ON file.space = note.space AND file.id = note.file
       WHERE note.space = $1 AND ${WITH_TEXT}`,
      [space, this.#embedded().name],
    );
    const shown = notes.filter(({ path }) => this.#isHidden?.(String(path)) !== true);
    const made = shown.filter((row) => row["made"] === true).length;
    return made > 0 && made >= ENOUGH * shown.length;
  }

  #ofWords(dimensions: number): StoredModel {
    return { name: this.#words.name(), dimensions, mostBytes: MOST_BYTES };
  }

  #embedded(): StoredModel {
    const dimensions = this.#dimensions;
    return { name: `endpoint ${dimensions} ${this.#endpoint!.model}`, dimensions, mostBytes: MOST_EMBEDDED };
  }
}

interface ReadNote {
  readonly file: number;
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

function readNote({ id, path, kind, number, bytes }: Row): ReadNote {
  const text = textIn(bytes as Buffer, String(kind));
  return { file: Number(id), number: Number(number), title: nameOfDocument(String(path)), text };
}

function vectorsOf({ sql, space, cache }: Asking, model: StoredModel): Promise<NearestPassages> {
  const vectors = cache.vectors.get(model.name) ?? new SharedVectors();
  cache.vectors.set(model.name, vectors);
  return vectors.read(sql, space, model);
}

async function nearestNotes(
  { sql, space }: Asking,
  passages: NearestPassages,
  direction: Float32Array,
  { filter, without, ...sought }: SoughtNotes,
): Promise<NearText[]> {
  const others = without.length + (sought.uncounted?.length ?? 0);
  const best = passages.nearestTo(direction, CONSIDERED + others).filter(({ document }) => filter.allows(document));
  const wanted = best.slice(0, sought.count + others).map(({ document }) => document);
  if (wanted.length === 0) return [];
  const rows = await sql`
    SELECT ordinal, path, note.kind, facts, bytes FROM commonplace.note
    JOIN commonplace.file ON file.space = note.space AND file.id = note.file
    WHERE note.space = ${space} AND ordinal = ANY(${wanted})`;
  const shown = new Map(rows.map((row) => [Number(row["ordinal"]), row]));
  const near = best.flatMap(({ document: ordinal, nearness, start, end }): NearText[] => {
    const row = shown.get(ordinal);
    if (row === undefined || without.includes(String(row["path"]))) return [];
    const path = String(row["path"]);
    const title = titleOf(path, JSON.parse(String(row["facts"])) as Parameters<typeof titleOf>[1]);
    const text = textIn(row["bytes"] as Buffer, String(row["kind"]));
    return [{ ordinal, path, title, nearness: Math.round(nearness * 100) / 100, start, end, text }];
  });
  return untilCounted(near, sought);
}
