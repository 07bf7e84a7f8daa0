// Asks an OpenAI-compatible embeddings endpoint on this machine (Ollama, LM Studio …) for
// the vectors of texts. Only an address of this machine is ever connected to: what a
// name resolves to is checked, no proxy is used, and no redirection is followed.
// Used by embeddings.ts.
import type { Agent } from "node:http";
import type { LookupFunction } from "node:net";
import { isLoopback } from "../../kernel/kernel.ts";

export interface EmbeddingModel {
  /** Such as http://127.0.0.1:11434/v1. */
  readonly url: string;
  readonly model: string;
}

export interface Asking {
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EmbeddingEndpoint {
  readonly model: string;
  /** For messages, such as http://127.0.0.1:11434. */
  readonly origin: string;
  /** A vector for each text, all of the same length. @throws EndpointFault */
  readonly embed: (texts: readonly string[], asking: Asking) => Promise<readonly (readonly number[])[]>;
  readonly close: () => void;
}

/** A fault of the endpoint, as a sentence. */
export class EndpointFault extends Error {
  /** The texts are at fault (too long, for example), so that others may succeed. */
  readonly isOfTexts: boolean;

  constructor(message: string, isOfTexts = false) {
    super(message);
    this.isOfTexts = isOfTexts;
  }
}

const MAX_BYTES = 64e6;
const MAX_DIMENSIONS = 8_192;
const TEXT_FAULTS: ReadonlySet<number> = new Set([400, 413, 422]);

export function openEmbeddingEndpoint({ url, model }: EmbeddingModel): EmbeddingEndpoint {
  let agent: Agent | undefined;
  const address = new URL(`${url.replace(/\/+$/, "")}/embeddings`);
  const faulty = (what: string, isOfTexts = false) =>
    new EndpointFault(`The embeddings endpoint ${address.origin} ${what}`, isOfTexts);
  return {
    model,
    origin: address.origin,
    embed: async (texts, { timeout, signal }) => {
      // Loaded by the first request: most people name no endpoint. An agent of its own uses no proxy.
      agent ??= new (process.getBuiltinModule("node:http").Agent)({ keepAlive: true, maxSockets: 2 });
      const { status, body } = await post({ address, agent, timeout, signal, faulty }, { model, input: texts });
      if (status !== 200) throw faulty(`answered with status ${status}.`, TEXT_FAULTS.has(status));
      const vectors = vectorsIn(body, texts.length);
      if (vectors === undefined) throw faulty("answered with something that is not one vector for each text.");
      return vectors;
    },
    close: () => agent?.destroy(),
  };
}

interface Posting extends Asking {
  readonly address: URL;
  readonly agent: Agent;
  readonly faulty: (what: string) => EndpointFault;
}

function post({ address, agent, timeout, signal, faulty }: Posting, sent: object) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly body: string }>();
  const host = address.hostname.replace(/^\[|\]$/g, "");
  if (host !== "localhost" && !isLoopback(host)) throw faulty("is not on this machine.");
  const late = setTimeout(() => asked.destroy(faulty(`did not answer within ${timeout / 1000} s.`)), timeout);
  const end = () => asked.destroy(signal!.reason as Error);
  const asked = process
    .getBuiltinModule("node:http")
    .request(
      address,
      { method: "POST", agent, lookup: lookupHere, headers: { "content-type": "application/json" } },
      (answer) => {
        const parts: Buffer[] = [];
        let size = 0;
        answer.on("data", (part: Buffer) => {
          size += part.length;
          if (size > MAX_BYTES) asked.destroy(faulty("answered with too much."));
          else parts.push(part);
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString("utf8") }),
        );
        answer.on("error", reject);
      },
    );
  asked.on("error", (error: NodeJS.ErrnoException) =>
    reject(
      error instanceof EndpointFault || signal?.aborted === true
        ? error
        : faulty(`cannot be reached (${error.code ?? error.message}).`),
    ),
  );
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  else asked.end(JSON.stringify(sent));
  return promise.finally(() => {
    clearTimeout(late);
    signal?.removeEventListener("abort", end);
  });
}

/** Even `localhost` may stand for another machine in the system's list of hosts. */
const lookupHere: LookupFunction = (hostname, options, use) => {
  process.getBuiltinModule("node:dns").lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const here = (addresses ?? []).filter(({ address }) => isLoopback(address));
    const [first] = here;
    if (first === undefined) use(error ?? new Error(`${hostname} is not this machine`), "", 0);
    else if (options.all === true) use(null, here);
    else use(null, first.address, first.family);
  });
};

/** Undefined if it is not the answer of an embeddings endpoint. */
function vectorsIn(body: string, count: number): number[][] | undefined {
  let data: unknown;
  try {
    ({ data } = JSON.parse(body) as { data: unknown });
  } catch {
    return undefined;
  }
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: number[][] = [];
  for (const [i, each] of data.entries()) {
    const { index = i, embedding } = (each ?? {}) as { readonly index?: unknown; readonly embedding?: unknown };
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count || !isVector(embedding))
      return undefined;
    vectors[Number(index)] = embedding;
  }
  const length = vectors[0]?.length ?? 0;
  // `every` would skip an index that is missing.
  return Array.from({ length: count }, (_, i) => vectors[i]?.length).every((each) => each === length)
    ? vectors
    : undefined;
}

function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_DIMENSIONS &&
    value.every((one) => Number.isFinite(one)) &&
    value.some((one) => one !== 0)
  );
}
