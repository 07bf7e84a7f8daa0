// The vectors of an embeddings endpoint on this machine, if the settings name one: they
// are then used instead of those of the table of words, as soon as nearly all notes have
// them and as long as the endpoint answers. Made in the background, by one process at a
// time; only text that the index has is sent, so nothing that is hidden. Used by
// note-database.ts.
import type { Log } from "../../kernel/kernel.ts";
import { cutsOf, nameOfDocument, type Passage, type PassageCut, quantized } from "../../search/search.ts";
import { type IndexDatabase, newHolder, releaseLease, type Row, takeLease } from "../../sqlite/sqlite.ts";
import type { IndexedFiles } from "../note-index/indexed-files.ts";
import { type EmbeddingEndpoint, EndpointFault } from "./embedding-endpoint.ts";
import { textOf, WITH_TEXT } from "./meanings.ts";
import { type NearNote, PassageVectors, type Sought } from "./passage-vectors.ts";

const DOCUMENTS_AT_ONCE = 20;
const TEXTS_AT_ONCE = 32;
/** Milliseconds: a model that is asked for the first time has to be loaded. */
const TIMEOUT = 120_000;
const QUERY_TIMEOUT = 3_000;
/** Milliseconds after a fault in which the endpoint is not asked, so that searches do not wait for it again and again. */
const REST = 30_000;
/** Milliseconds, less than a lease lasts. */
const RENEW_EVERY = 2_000;
const WORK = "embeddings";
/** With vectors for fewer of the notes the table of words finds more. */
const ENOUGH = 0.9;
const MOST_BYTES = 256e6;
const LEAST_SHOWN = 0.4;

interface Waiting {
  readonly id: number;
  readonly size: number;
  readonly mtime: number;
  readonly title: string;
  readonly text: string;
  readonly cuts: readonly PassageCut[];
}

export class Embeddings {
  readonly #database: IndexDatabase;
  readonly #endpoint: EmbeddingEndpoint;
  readonly #log: Log;
  readonly #vectors: PassageVectors;
  #restsUntil = 0;
  #fault: string | undefined;
  #filled = "";
  #counted = { version: "", dimensions: 0 };

  constructor(database: IndexDatabase, endpoint: EmbeddingEndpoint, log: Log) {
    this.#database = database;
    this.#endpoint = endpoint;
    this.#log = log;
    this.#vectors = new PassageVectors(database, "embedding", MOST_BYTES);
  }

  /** Why the endpoint was not used the last time; undefined if it was, or not all notes have vectors yet. */
  get fault(): string | undefined {
    return this.#fault;
  }

  close(): void {
    this.#endpoint.close();
  }

  /** Gives vectors to documents without them, unless another process does or the endpoint is at fault. */
  async fill(root: IndexedFiles, signal?: AbortSignal): Promise<void> {
    if (this.#rests() || this.#filled === this.#database.version()) return;
    const holder = newHolder();
    const take = () => this.#database.write(() => takeLease(this.#database, holder, WORK), signal);
    if (!(await take())) return;
    const renewing = setInterval(() => void take().catch(() => {}), RENEW_EVERY).unref();
    try {
      await this.#fillAll(root, signal);
      this.#filled = this.#database.version();
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      this.#rest(error);
    } finally {
      clearInterval(renewing);
      await this.#database.write(() => releaseLease(this.#database, holder, WORK)).catch(() => {});
    }
  }

  async #fillAll(root: IndexedFiles, signal: AbortSignal | undefined): Promise<void> {
    if (this.#stored().model !== this.#endpoint.model) await this.#startOver(0, signal);
    for (;;) {
      const waiting = await this.#waiting(root);
      if (waiting.length === 0) return;
      const texts = waiting.flatMap(({ title, text, cuts }) =>
        cuts.map(({ start, end }) => `${title}\n\n${text.slice(start, end)}`),
      );
      const vectors: (Int8Array | undefined)[] = [];
      for (let i = 0; i < texts.length; i += TEXTS_AT_ONCE)
        vectors.push(...(await this.#embed(texts.slice(i, i + TEXTS_AT_ONCE), signal)));
      this.#fault = undefined;
      const dimensions = vectors.find((vector) => vector !== undefined)?.length ?? 0;
      const known = this.#stored().dimensions;
      if (known !== 0 && dimensions !== 0 && dimensions !== known) {
        await this.#startOver(dimensions, signal);
        continue;
      }
      await this.#database.write(() => {
        if (known === 0 && dimensions !== 0)
          this.#database.run("UPDATE embedding_model SET dimensions = ?", dimensions);
        for (const document of waiting) this.#store(document, vectors.splice(0, document.cuts.length));
      }, signal);
    }
  }

  async #waiting(root: IndexedFiles): Promise<Waiting[]> {
    const rows = this.#database.all(
      `SELECT id, path, kind, size, mtime FROM document WHERE ${WITH_TEXT}
       AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.document = document.id)
       ORDER BY mtime DESC LIMIT ${DOCUMENTS_AT_ONCE}`,
    );
    await root.fetch(rows.map(({ path }) => String(path)));
    return rows
      .filter(({ path }) => root.isFetched(String(path)))
      .map(({ id, path, kind, size, mtime }: Row) => {
        const text = textOf(root, String(path), String(kind));
        const title = nameOfDocument(String(path));
        return { id: Number(id), size: Number(size), mtime: Number(mtime), title, text, cuts: cutsOf(text) };
      });
  }

  /** Undefined for a text that the endpoint refuses. */
  async #embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<(Int8Array | undefined)[]> {
    try {
      const vectors = await this.#endpoint.embed(texts, { timeout: TIMEOUT, signal });
      return vectors.map(bytesOf);
    } catch (error) {
      if (!(error instanceof EndpointFault) || !error.isOfTexts) throw error;
      if (texts.length === 1) return [undefined];
      const each: (Int8Array | undefined)[] = [];
      for (const text of texts) each.push(...(await this.#embed([text], signal)));
      // An endpoint that refuses everything is at fault itself: the model may not exist.
      if (each.every((vector) => vector === undefined)) throw error;
      return each;
    }
  }

  /** Nothing is stored for a file that changed since it was read: the next sweep notices it. */
  #store({ id, size, mtime, cuts }: Waiting, vectors: readonly (Int8Array | undefined)[]): void {
    const sql = "SELECT 1 FROM document WHERE id = ? AND size = ? AND mtime = ?";
    if (this.#database.get(sql, id, size, mtime) === undefined) return;
    const passages = cuts.flatMap(({ start, end }, i): Passage[] => {
      const vector = vectors[i];
      return vector === undefined ? [] : [{ start, end, vector }];
    });
    this.#vectors.store(id, passages);
  }

  #stored(): { readonly model: string | undefined; readonly dimensions: number } {
    const row = this.#database.get("SELECT model, dimensions FROM embedding_model");
    if (row === undefined) return { model: undefined, dimensions: 0 };
    return { model: String(row["model"]), dimensions: Number(row["dimensions"]) };
  }

  /** For another model, or the same name with vectors of another length. */
  async #startOver(dimensions: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#database.write(() => {
      this.#database.run("DELETE FROM embedding");
      this.#database.run("DELETE FROM embedding_model");
      this.#database.run("INSERT INTO embedding_model VALUES (?, ?)", this.#endpoint.model, dimensions);
    }, signal);
  }

  /** The length of the vectors, once nearly all notes have them; 0 until then. */
  #dimensions(): number {
    const version = this.#database.version();
    if (version !== this.#counted.version) {
      const { model, dimensions } = this.#stored();
      const { made, all } = this.#database.get(
        `SELECT (SELECT count(*) FROM embedding) AS made, (SELECT count(*) FROM document WHERE ${WITH_TEXT}) AS "all"`,
      )!;
      const isUsed = model === this.#endpoint.model && Number(made) >= ENOUGH * Number(all);
      this.#counted = { version, dimensions: isUsed ? dimensions : 0 };
    }
    return this.#counted.dimensions;
  }

  /** The notes nearest to a query; undefined if the table of words has to be asked. */
  async nearTo(sought: Sought, signal?: AbortSignal): Promise<NearNote[] | undefined> {
    const dimensions = this.#dimensions();
    if (this.#rests() || dimensions === 0) return undefined;
    if (sought.query.plain.trim() === "") return [];
    try {
      const [vector] = await this.#endpoint.embed([sought.query.plain], { timeout: QUERY_TIMEOUT, signal });
      const direction = directionOf(vector!);
      if (direction.length !== dimensions) {
        await this.#startOver(0, signal);
        throw new EndpointFault(
          "The vectors of the embeddings model have another length than before, and are made again.",
          true,
        );
      }
      this.#fault = undefined;
      return this.#vectors.nearest(direction, sought).filter(({ nearness }) => nearness >= LEAST_SHOWN);
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      if (error.isOfTexts) this.#fault = error.message;
      else this.#rest(error);
      return undefined;
    }
  }

  /** The notes that are most like a document; undefined if the table of words has to be asked. */
  like(document: number, sought: Sought): NearNote[] | undefined {
    const dimensions = this.#dimensions();
    const direction = dimensions === 0 ? undefined : this.#vectors.directionOf(document, dimensions);
    return direction && this.#vectors.nearest(direction, sought);
  }

  #rests(): boolean {
    return Date.now() < this.#restsUntil;
  }

  #rest({ message }: EndpointFault): void {
    if (message !== this.#fault) this.#log(message);
    this.#fault = message;
    this.#restsUntil = Date.now() + REST;
  }
}

/** Of length 1, and with zeros at its end: the number of dimensions is a multiple of four. */
function directionOf(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  const direction = new Float32Array(Math.ceil(vector.length / 4) * 4);
  for (const [i, value] of vector.entries()) direction[i] = value / length;
  return direction;
}

function bytesOf(vector: readonly number[]): Int8Array {
  return quantized(directionOf(vector));
}
