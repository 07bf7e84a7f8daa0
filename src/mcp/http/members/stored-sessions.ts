// Sessions of clients of protocol versions before 2026-07-28. What such a client
// says once, when it begins, is kept in the store; each later request is answered
// by a server object that is given the same again. So any server can answer any
// request. Nothing is asked of these clients (roots, questions to the person):
// their answer could reach another server. Used by members-http.ts.
import { randomBytes } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport as SessionTransport,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Commonplace, Members } from "../../../app/app.ts";
import { isRecord, MAX_MESSAGE_BYTES, parseJson } from "../../../kernel/kernel.ts";
import type { OpenedOutline } from "../../../outline/outline.ts";
import { errorResponse } from "../../message-validation.ts";
import { createServer } from "../../server.ts";

const SESSION = "mcp-session-id";
const MAX_NAME_LENGTH = 200;

interface Asked {
  readonly member: string;
  readonly commonplace: Commonplace;
  readonly request: Request;
  readonly message: JSONRPCMessage;
  /** Settles when the client has the whole answer, or has gone. */
  readonly done: Promise<unknown>;
}

export async function answerInSession(members: Members, asked: Asked): Promise<Response> {
  const { member, request, message } = asked;
  const id = request.headers.get(SESSION);
  if (id === null) {
    if (isInitialize(message)) return begin(members, asked);
    return errorWith(400, -32000, "Bad request: send initialize first, then its Mcp-Session-Id with every request.");
  }
  const client = await members.clientOfSession(member, id);
  if (client === undefined) return errorWith(404, -32001, "Session not found: send initialize to begin a new one.");
  // Notifications and answers: nothing here waits for one.
  if (!("id" in message) || !("method" in message)) return new Response(null, { status: 202 });
  const transport = await connected(asked, id, members.openedOutline(member, id));
  await told(transport, parseJson(client));
  return transport.handleRequest(request, { parsedBody: message });
}

async function begin(members: Members, asked: Asked): Promise<Response> {
  const id = randomBytes(32).toString("base64url");
  const transport = await connected(asked, id, members.openedOutline(asked.member, id));
  const params = withoutQuestions("params" in asked.message ? asked.message.params : undefined);
  const message = { ...asked.message, params } as JSONRPCMessage;
  const answer = await transport.handleRequest(asked.request, { parsedBody: message });
  // It exists before the client hears of it.
  if (answer.headers.has(SESSION)) await members.keepSession(asked.member, id, JSON.stringify(params));
  return answer;
}

async function connected(
  { commonplace, done }: Asked,
  id: string,
  openedOutline: OpenedOutline,
): Promise<SessionTransport> {
  const transport = new SessionTransport({
    sessionIdGenerator: () => id,
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  await createServer(commonplace, { openedOutline }).connect(transport);
  void done.finally(() => transport.close());
  return transport;
}

/** Repeats to a new server object what the client said when it began. */
async function told(transport: SessionTransport, params: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const request = new Request("http://localhost/mcp", { method: "POST", headers });
  const parsedBody = { jsonrpc: "2.0", id: "begin", method: "initialize", params };
  await (await transport.handleRequest(request, { parsedBody })).text();
}

function isInitialize(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "initialize";
}

/** Reduces it to what is stored: short, and as if the client could be asked nothing. */
function withoutQuestions(params: unknown): object {
  const { protocolVersion, clientInfo } = isRecord(params) ? params : {};
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  return { protocolVersion, capabilities: {}, clientInfo: { name: shortText(name), version: shortText(version) } };
}

function shortText(value: unknown): string {
  return (typeof value === "string" ? value : "").slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function errorWith(status: number, code: number, text: string): Response {
  return Response.json(errorResponse(code, text), { status });
}
