// Between Node's HTTP and the web's Request and Response, which the SDK speaks.
// The SDK has an adapter too; it holds back the headers of a stream until its
// first event, and notices only then that the client has gone.
import type { IncomingMessage, ServerResponse } from "node:http";
import { compress, encodingFor } from "./compression.ts";

/** The request without its body, which was read already. Aborted when the client goes away. */
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

/** Shorter answers gain nothing; longer ones take longer to pack than to send on one machine. */
const LEAST_PACKED = 2_000;
const MOST_PACKED = 2_000_000;
const QUICK = 4;

/** Sends a whole answer to a browser, packed where that is worth its while. */
export async function sendPacked(
  answer: Response,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const isWorthIt = body.length >= LEAST_PACKED && body.length <= MOST_PACKED;
  const encoding = isWorthIt ? encodingFor(headers["accept-encoding"]) : undefined;
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    ...(encoding !== undefined && { "Content-Encoding": encoding }),
  });
  response.end(encoding === undefined ? body : await compress(body, encoding, QUICK));
  giveUpWhenStalled(response);
}

/** A client that has stopped reading an answer keeps its memory and its place for this long, in milliseconds. */
const STALLED = 60_000;

/** Node ends a connection on which nothing has moved for that time. */
function giveUpWhenStalled(response: ServerResponse): void {
  if (!response.writableFinished) response.setTimeout(STALLED);
}

/** Sends the response as it comes, until it ends or the client has gone. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  const closed = new Promise<void>((resolve) => response.on("close", () => resolve()));
  void closed.then(() => reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (response.write(value)) continue;
    giveUpWhenStalled(response);
    await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    response.setTimeout(0);
  }
  response.end();
  giveUpWhenStalled(response);
}
