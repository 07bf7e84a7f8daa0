// Between Node's HTTP and the web's Request and Response, which the SDK speaks.
// The SDK has an adapter too; it holds back the headers of a stream until its
// first event, and notices only then that the client has gone.
import type { IncomingMessage, ServerResponse } from "node:http";

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
    if (!response.write(value)) await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
  }
  response.end();
}
