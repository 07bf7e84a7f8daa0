// The server's own answers over HTTP, as JSON: refusals, and errors of the
// transport. Used by http.ts and message-body.ts.
import type { ServerResponse } from "node:http";
import { errorResponse } from "../message-validation.ts";

/** Maximum number of requests that wait for a slot; further ones get 503. */
export const MAX_WAITING = 1_000;

/** For errors of the transport: in the range that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32000;

export function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, status: number, sentence: string): void {
  reply(response, status, errorResponse(SERVER_ERROR, sentence));
}

export function refuseBusy(response: ServerResponse): void {
  response.setHeader("Retry-After", "1");
  refuse(response, 503, `Too many calls are waiting already (${MAX_WAITING}). Try again.`);
}
