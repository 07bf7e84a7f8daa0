// One session per HTTP client of a protocol version before 2026-07-28: without
// one, the server could neither ask such a client for its roots nor report
// progress. Used by http.ts.
import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport as SessionTransport,
  type Server,
} from "@modelcontextprotocol/server";
import { MOST_MESSAGE_BYTES } from "../../kernel/kernel.ts";
import { errorResponse } from "../message-validation.ts";

/** Clients leave without notice, so the least recently used idle session is closed to make room. */
const MOST_SESSIONS = 64;

interface Session {
  readonly transport: SessionTransport;
  /** Requests and streams that are still open. */
  open: number;
}

export class LegacySessions {
  readonly #createServer: () => Server;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();

  constructor(createServer: () => Server) {
    this.#createServer = createServer;
  }

  /** @param done settles when the client has the whole answer, or has gone */
  async fetch(request: Request, message: unknown, done: Promise<unknown>): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (isInitialize(message)) return this.#begin(request, message);
      return errorWith(400, -32000, "Bad request: send initialize first, then its Mcp-Session-Id with every request.");
    }
    const session = this.#sessions.get(id);
    if (session === undefined) return errorWith(404, -32001, "Session not found: send initialize to begin a new one.");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.open++;
    void done.finally(() => session.open--);
    return session.transport.handleRequest(request, { parsedBody: message });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
    this.#sessions.clear();
  }

  async #begin(request: Request, message: unknown): Promise<Response> {
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MOST_MESSAGE_BYTES,
      onsessioninitialized: (id) => {
        this.#makeRoom();
        this.#sessions.set(id, { transport, open: 0 });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody: message });
  }

  #makeRoom(): void {
    for (const [id, { transport, open }] of this.#sessions) {
      if (this.#sessions.size < MOST_SESSIONS) return;
      if (open > 0) continue;
      this.#sessions.delete(id);
      void transport.close();
    }
  }
}

function isInitialize(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === "initialize";
}

function errorWith(status: number, code: number, text: string): Response {
  return Response.json(errorResponse(code, text), { status });
}
