// The vectors of an embeddings endpoint on this machine, if the settings name one: they
// are then used instead of those of the table of words, as soon as nearly all notes have
// them and as long as the endpoint answers. Made in the background, by one process at a
// time; only text that the index has is sent, so nothing that is hidden. Used by
// note-database.ts.
import type { Log } from "../../kernel/kernel.ts";
import { cutsOf, nameOfDocument, type Passage, type PassageCut } from "../../search/search.ts";
import { type IndexDatabase, newHolder, releaseLease, type Row, takeLease } from "../../sqlite/sqlite.ts";
import type { IndexedFiles } from "../note-index/indexed-files.ts";
import { AskedEndpoint } from "./asked-endpoint.ts";
import { type EmbeddingEndpoint, EndpointFault } from "./embedding-endpoint.ts";
import { textOf, WITH_TEXT } from "./meanings.ts";
import { type NearNote, PassageVectors, type Sought } from "./passage-vectors.ts";

const DOCUMENTS_AT_ONCE = 20;
/** Milliseconds, less than a lease lasts. */
const RENEW_EVERY = 2_000;
const WORK = "embeddings";
/** With vectors for fewer of the notes the table of words finds more. */
const ENOUGH = 0.9;
const MAX_BYTES = 256e6;
const MIN_SHOWN = 0.4;

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
  readonly #endpoint: AskedEndpoint;
  readonly #vectors: PassageVectors;
  #filled = "";
  #counted = { version: "", dimensions: 0 };

  constructor(database: IndexDatabase, endpoint: EmbeddingEndpoint, log: Log) {
    this.#database = database;
    this.#endpoint = new AskedEndpoint(endpoint, log);
    this.#vectors = new PassageVectors(database, "embedding", MAX_BYTES);
  }

  /** Why the endpoint was not used the last time; undefined if it was, or not all notes have vectors yet. */
  get fault(): string | undefined {
    return this.#endpoint.fault;
  }

  close(): void {
    this.#endpoint.close();
  }

  /** Gives vectors to documents without them, unless another process does or the endpoint is at fault. */
  async fill(root: Pick<IndexedFiles, "ahead">, signal?: AbortSignal): Promise<void> {
    if (this.#endpoint.rests || this.#filled === this.#database.version()) return;
    const holder = newHolder();
    const take = () => this.#database.write(() => takeLease(this.#database, holder, WORK), signal);
    if (!(await take())) return;
    const renewing = setInterval(() => void take().catch(() => {}), RENEW_EVERY).unref();
    try {
      await this.#fillAll(root, signal);
      this.#filled = this.#database.version();
    } catch (error) {
      this.#endpoint.rest(error);
    } finally {
      clearInterval(renewing);
      await this.#database.write(() => releaseLease(this.#database, holder, WORK)).catch(() => {});
    }
  }

  async #fillAll(root: Pick<IndexedFiles, "ahead">, signal: AbortSignal | undefined): Promise<void> {
    if (this.#stored().model !== this.#endpoint.model) await this.#startOver(0, signal);
    for (;;) {
      const waiting = await this.#waiting(root);
      if (waiting.length === 0) return;
      const texts = waiting.flatMap(({ title, text, cuts }) =>
        cuts.map(({ start, end }) => `${title}\n\n${text.slice(start, end)}`),
      );
      const vectors = await this.#endpoint.vectorsOf(texts, signal);
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

  async #waiting(files: Pick<IndexedFiles, "ahead">): Promise<Waiting[]> {
    const rows = this.#database.all(
      `SELECT id, path, kind, size, mtime FROM document WHERE ${WITH_TEXT}
       AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.document = document.id)
       ORDER BY mtime DESC LIMIT ${DOCUMENTS_AT_ONCE}`,
    );
    const ahead = await files.ahead(rows.map(({ path, size }) => ({ path: String(path), size: Number(size) })));
    return rows.slice(0, ahead.count).map(({ id, path, kind, size, mtime }: Row) => {
      const text = textOf(ahead, String(path), String(kind));
      const title = nameOfDocument(String(path));
      return { id: Number(id), size: Number(size), mtime: Number(mtime), title, text, cuts: cutsOf(text) };
    });
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
    if (this.#endpoint.rests || dimensions === 0) return undefined;
    if (sought.query.plain.trim() === "") return [];
    try {
      const direction = await this.#endpoint.directionOf(sought.query.plain, signal);
      if (direction.length !== dimensions) {
        await this.#startOver(0, signal);
        throw new EndpointFault(
          "The vectors of the embeddings model have another length than before, and are made again.",
          true,
        );
      }
      this.#endpoint.succeeded();
      return this.#vectors.nearest(direction, sought).filter(({ nearness }) => nearness >= MIN_SHOWN);
    } catch (error) {
      this.#endpoint.failed(error);
      return undefined;
    }
  }

  /** The notes that are most like a document; undefined if the table of words has to be asked. */
  like(document: number, sought: Sought): NearNote[] | undefined {
    const dimensions = this.#dimensions();
    const direction = dimensions === 0 ? undefined : this.#vectors.directionOf(document, dimensions);
    return direction && this.#vectors.nearest(direction, sought);
  }
}
