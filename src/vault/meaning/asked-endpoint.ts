// An embeddings endpoint as searches ask it: in parts, one by one if it refuses some,
// and not for a while after a fault, so that no search waits for it again and again.
// Used by embeddings.ts.
import type { Log } from "../../kernel/kernel.ts";
import { quantized } from "../../search/search.ts";
import { type EmbeddingEndpoint, EndpointFault } from "./embedding-endpoint.ts";

const TEXTS_AT_ONCE = 32;
/** Milliseconds: a model that is asked for the first time has to be loaded. */
const TIMEOUT = 120_000;
const QUERY_TIMEOUT = 3_000;
/** Milliseconds after a fault in which the endpoint is not asked. */
const REST = 30_000;
/** Milliseconds after which an endpoint that makes the vectors of notes is reported as late. */
const LATE = 3_000;

export class AskedEndpoint {
  readonly #endpoint: EmbeddingEndpoint;
  readonly #log: Log;
  #restsUntil = 0;
  #fault: string | undefined;
  /** When it was asked for vectors of notes that it has not sent yet. */
  #askedAt: number | undefined;

  constructor(endpoint: EmbeddingEndpoint, log: Log) {
    this.#endpoint = endpoint;
    this.#log = log;
  }

  get model(): string {
    return this.#endpoint.model;
  }

  /** Why it was not used the last time, or is not yet. */
  get fault(): string | undefined {
    if (this.#fault !== undefined || this.#askedAt === undefined) return this.#fault;
    const waited = Date.now() - this.#askedAt;
    return waited < LATE
      ? undefined
      : `The embeddings endpoint ${this.#endpoint.origin} has not answered for ${Math.floor(waited / 1000)} s.`;
  }

  get rests(): boolean {
    return Date.now() < this.#restsUntil;
  }

  close(): void {
    this.#endpoint.close();
  }

  /** The vector of each text; undefined for a text that the endpoint refuses. */
  async vectorsOf(texts: readonly string[], signal: AbortSignal | undefined): Promise<(Int8Array | undefined)[]> {
    const vectors: (Int8Array | undefined)[] = [];
    for (let i = 0; i < texts.length; i += TEXTS_AT_ONCE)
      vectors.push(...(await this.#embed(texts.slice(i, i + TEXTS_AT_ONCE), signal)));
    this.#fault = undefined;
    return vectors;
  }

  async #embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<(Int8Array | undefined)[]> {
    try {
      this.#askedAt = Date.now();
      const vectors = await this.#endpoint
        .embed(texts, { timeout: TIMEOUT, signal })
        .finally(() => (this.#askedAt = undefined));
      return vectors.map((vector) => quantized(directionOf(vector)));
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

  async directionOf(query: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const [vector] = await this.#endpoint.embed([query], { timeout: QUERY_TIMEOUT, signal });
    return directionOf(vector!);
  }

  /** After it answered a query. */
  succeeded(): void {
    this.#fault = undefined;
  }

  /** After an error of a query: the endpoint rests, unless only the query was refused. Throws what is no fault of it. */
  failed(error: unknown): void {
    if (!(error instanceof EndpointFault)) throw error;
    if (error.isOfTexts) this.#fault = error.message;
    else this.rest(error);
  }

  /** After an error while notes were given vectors. Throws what is no fault of it. */
  rest(error: unknown): void {
    if (!(error instanceof EndpointFault)) throw error;
    const { message } = error;
    // Said once, not after every rest.
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
