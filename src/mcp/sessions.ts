// HTTP clients of the protocol's older versions (before 2026-07-28) get a
// session each: only so can the server ask such a client something, its roots
// for example, and only so can it report progress on a stream of its own.
import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport as SessionTransport,
  type Server,
} from "@modelcontextprotocol/server";
import { MOST_MESSAGE_BYTES } from "../protocol.ts";
import { refusal } from "./admission.ts";

/** Clients come and go without a word: the session that was used least recently makes room. */
const MOST_SESSIONS = 64;

export class LegacySessions {
  readonly #createServer: () => Server;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, SessionTransport>();

  constructor(createServer: () => Server) {
    this.#createServer = createServer;
  }

  async fetch(request: Request, message: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (isInitialize(message)) return this.#begin(request, message);
      return refuseWith(400, -32000, "Bad request: send initialize first, then its Mcp-Session-Id with every request.");
    }
    const session = this.#sessions.get(id);
    if (session === undefined) return refuseWith(404, -32001, "Session not found: send initialize to begin a new one.");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.handleRequest(request, { parsedBody: message });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  async #begin(request: Request, message: unknown): Promise<Response> {
    const session = new SessionTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MOST_MESSAGE_BYTES,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
        this.#makeRoom();
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#createServer().connect(session);
    return session.handleRequest(request, { parsedBody: message });
  }

  #makeRoom(): void {
    for (const [id, session] of this.#sessions) {
      if (this.#sessions.size <= MOST_SESSIONS) return;
      this.#sessions.delete(id);
      void session.close();
    }
  }
}

function isInitialize(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === "initialize";
}

function refuseWith(status: number, code: number, text: string): Response {
  return Response.json(refusal(code, text), { status });
}
