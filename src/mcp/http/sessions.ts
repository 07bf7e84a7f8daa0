// One session per HTTP client of a protocol version before 2026-07-28: without
// one, the server could neither ask such a client for its roots nor report
// progress. Used by http.ts.
import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport as SessionTransport,
  type Server,
} from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES } from "../../kernel/kernel.ts";
import { errorResponse } from "../message-validation.ts";

/** Clients leave without notice, so the least recently used idle session is closed to make room. */
const MAX_SESSIONS = 64;
/** The same for sessions of which only a stream is open: a client that is alive may never ask again. */
const MAX_STREAMING = 512;
/** Milliseconds without a request after which a session ends. Its client begins another. */
const LASTS = 30 * 60_000;
/** The same while its client holds a stream open. */
const STREAMING_LASTS = 24 * 60 * 60_000;
const EXPIRE_EVERY = 60_000;

interface Session {
  readonly transport: SessionTransport;
  /** Requests that are being answered. */
  calls: number;
  /** Streams that the client holds open. */
  streams: number;
  /** When its last request came. */
  used: number;
}

export class LegacySessions {
  readonly #createServer: () => Server;
  readonly #now: () => number;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;

  /** @param now the time in milliseconds, which may only grow */
  constructor(createServer: () => Server, now: () => number = () => performance.now()) {
    this.#createServer = createServer;
    this.#now = now;
    this.#timer = setInterval(() => this.expire(), EXPIRE_EVERY).unref();
  }

  get size(): number {
    return this.#sessions.size;
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
    session.used = this.#now();
    const kind = request.method === "GET" ? "streams" : "calls";
    session[kind]++;
    void done.finally(() => session[kind]--);
    return session.transport.handleRequest(request, { parsedBody: message });
  }

  /** Ends the sessions that nobody has used for long. Called every minute. */
  expire(): void {
    for (const [id, session] of this.#sessions) {
      const idle = this.#now() - session.used;
      if (session.calls === 0 && idle > (session.streams > 0 ? STREAMING_LASTS : LASTS)) this.#end(id, session);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
    this.#sessions.clear();
  }

  async #begin(request: Request, message: unknown): Promise<Response> {
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onsessioninitialized: (id) => {
        this.#makeRoom();
        this.#sessions.set(id, { transport, calls: 0, streams: 0, used: this.#now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody: message });
  }

  #makeRoom(): void {
    for (const [id, session] of this.#sessions) {
      if (this.#sessions.size < MAX_SESSIONS) return;
      if (session.calls > 0 || (session.streams > 0 && this.#sessions.size < MAX_STREAMING)) continue;
      this.#end(id, session);
    }
  }

  #end(id: string, { transport }: Session): void {
    this.#sessions.delete(id);
    void transport.close();
  }
}

function isInitialize(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === "initialize";
}

function errorWith(status: number, code: number, text: string): Response {
  return Response.json(errorResponse(code, text), { status });
}
