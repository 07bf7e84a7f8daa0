// Converts between Node's HTTP and the web's Request and Response, which the SDK
// uses. The SDK's own adapter delays the headers of a stream until its first
// event, and notices only then that the client has gone. Used by http.ts.
import type { IncomingMessage, ServerResponse } from "node:http";
import { compress, encodingFor } from "./compression.ts";

/** The request without its body, which was read already. Aborted when the client disconnects. */
export function toWebRequest(
  { method = "GET", url = "/", headers }: IncomingMessage,
  response: ServerResponse,
): Request {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const webHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const item of Array.isArray(value) ? value : [value ?? ""]) webHeaders.append(name, item);
  }
  return new Request(new URL(url, "http://localhost"), { method, headers: webHeaders, signal: gone.signal });
}

/** Shorter answers gain nothing; longer ones take longer to compress than to send on one machine. */
const MIN_COMPRESSED = 2_000;
const MAX_COMPRESSED = 2_000_000;
const QUICK = 4;

/** Sends a whole answer to a browser, compressed if that saves time. */
export async function sendCompressed(
  answer: Response,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const isWorthIt = body.length >= MIN_COMPRESSED && body.length <= MAX_COMPRESSED;
  const encoding = isWorthIt ? encodingFor(headers["accept-encoding"]) : undefined;
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    ...(encoding !== undefined && { "Content-Encoding": encoding }),
  });
  response.end(encoding === undefined ? body : await compress(body, encoding, QUICK));
  giveUpWhenStalled(response);
}

/** Milliseconds after which a client that has stopped reading loses its slot and its answer. */
const STALLED = 60_000;

/** Node closes a connection that is idle for that time. */
function giveUpWhenStalled(response: ServerResponse): void {
  if (!response.writableFinished) response.setTimeout(STALLED);
}

/** Streams the response until it ends or the client disconnects. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  response.on("close", () => void reader.cancel().catch(() => {}));
  await writeAll(chunksOf(reader), response);
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Writes the body as fast as the client reads it, until it ends or the client disconnects. */
export async function writeAll(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  const closed = new Promise<void>((resolve) => response.on("close", () => resolve()));
  for await (const piece of pieces) {
    if (response.destroyed) break;
    if (response.write(piece)) continue;
    giveUpWhenStalled(response);
    await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    response.setTimeout(0);
  }
  response.end();
  giveUpWhenStalled(response);
}
