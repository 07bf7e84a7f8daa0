// MCP over HTTP, for clients on this machine and for the page. Every request is
// checked first: Host (against DNS rebinding), Origin, token, content type and
// size. Only the files of the page need no token.
import { isUtf8 } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { log, MOST_CALLS_AT_ONCE, MOST_MESSAGE_BYTES, Problem } from "../../kernel/kernel.ts";
import type { Commonplace } from "../../app.ts";
import { validateMessage, PARSE_ERROR, errorResponse, type Validation } from "../message-validation.ts";
import { openChangeStream } from "./change-stream.ts";
import { Gate, needsSlot } from "../gate.ts";
import { Invitations } from "./invitations.ts";
import { isPageAddress, openPageFiles } from "./page-files.ts";
import { createServer } from "../server.ts";
import { LegacySessions } from "./sessions.ts";
import { sendCompressed, sendWebResponse, toWebRequest } from "./web-adapter.ts";
import { DEFAULT_PORT } from "./default-port.ts";

const ENDPOINT = "/mcp";
/** Where the page is notified of changes, and where it exchanges an invitation for the token. */
const CHANGES = "/changes";
const INVITATION = "/invitation";
/** Allowed methods by path; the files of the page can only be read. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  [ENDPOINT, ["GET", "POST", "DELETE"]],
  [CHANGES, ["GET"]],
  [INVITATION, ["POST"]],
]);
const PAGE_METHODS = ["GET", "HEAD"];
const KNOWN_METHODS = [...PAGE_METHODS, "POST", "DELETE"];
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
/** For errors of the transport: in the range that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32000;
/** Maximum number of requests that wait for a slot; further ones get 503. */
const MOST_WAITING = 1_000;
/** Longer messages are handled one at a time: each is in memory four times, as bytes, text and values. */
const LONG_MESSAGE_BYTES = 256 * 1024;
const MOST_LONG_MESSAGES = 1;
/** Milliseconds to wait for answers in progress when the server stops. */
const FINAL_ANSWERS_TIMEOUT = 5_000;

interface HttpOptions {
  readonly token: string;
  /** Undefined: the first free one of `usualPorts`, or any. */
  readonly port: number | undefined;
  readonly usualPorts?: readonly number[];
  /** Describes the program that listens on a port. */
  readonly holderOf?: (port: number) => Promise<string>;
  /** The address to listen on; loopback unless the user named another. */
  readonly host: string;
  /** The folder with the files of the page. */
  readonly page: string;
}

interface HttpServing {
  /** The MCP endpoint. */
  readonly url: string;
  readonly port: number;
  /** An address that opens the page once, within a minute, without holding the token. */
  readonly invite: () => string;
  /** Stops accepting requests, and waits for those in progress. */
  readonly close: () => Promise<void>;
}

export async function serveHttp(commonplace: Commonplace, options: HttpOptions): Promise<HttpServing> {
  const { token, host, page } = options;
  const onerror = (error: Error) => commonplace.log(error.message);
  const modern = createMcpHandler(() => createServer(commonplace), { legacy: "reject", onerror });
  const forPerson = createMcpHandler(() => createServer(commonplace, "person"), { legacy: "reject", onerror });
  const legacy = new LegacySessions(() => createServer(commonplace));
  const pageFiles = openPageFiles(page);
  const changes = openChangeStream(commonplace.stamp);
  const invitations = new Invitations();
  const underWay = new Set<Promise<unknown>>();
  const calls = new Gate(MOST_CALLS_AT_ONCE, MOST_WAITING);
  const longMessages = new Gate(MOST_LONG_MESSAGES, MOST_WAITING);

  const http = createHttpServer((request, response) => {
    const done = new Promise((resolve) => response.on("close", resolve));
    // A client's event stream stays open as long as the client: do not wait for it.
    if (request.method === "POST") {
      underWay.add(done);
      response.on("close", () => underWay.delete(done));
    }
    serve(request, response, done).catch((error: unknown) => {
      if (!response.destroyed) onerror(error as Error);
      if (response.headersSent) response.destroy();
      else reply(response, 500, errorResponse(SERVER_ERROR, "The server could not answer."));
    });
  });
  // Node emits CONNECT as an event of its own, and drops the connection if there is no listener.
  http.on("connect", (_request, socket) => {
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nAllow: ${KNOWN_METHODS.join(", ")}\r\nContent-Length: 0\r\n\r\n`);
  });
  const address = await listen(http, options);
  const names = namesOf(host);
  // Clients omit port 80, and no other.
  const authorities = new Set(names.map((name) => (address.port === 80 ? name : `${name}:${address.port}`)));
  const expected = digest(token);

  async function serve(request: IncomingMessage, response: ServerResponse, done: Promise<unknown>): Promise<void> {
    const { method = "GET", headers } = request;
    // Of several Host headers `headers` has the first, but a proxy may use the last.
    const hosts = request.headersDistinct["host"] ?? [];
    const authority = (hosts[0] ?? "").toLowerCase();
    if (hosts.length !== 1 || !authorities.has(authority)) {
      return reply(
        response,
        403,
        errorResponse(SERVER_ERROR, "Invalid Host header: this server answers only under its own address."),
      );
    }
    if (headers.origin !== undefined && headers.origin !== `http://${authority}`) {
      return reply(
        response,
        403,
        errorResponse(SERVER_ERROR, "Invalid Origin header: pages of other origins may not use this server."),
      );
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const methods = METHODS.get(path) ?? (isPageAddress(path) ? PAGE_METHODS : KNOWN_METHODS);
    if (!methods.includes(method)) {
      response.setHeader("Allow", methods.join(", "));
      return reply(response, 405, errorResponse(SERVER_ERROR, `${method} is not allowed here.`));
    }
    if (await pageFiles.answer(request, response, path)) return undefined;
    if (path === "/") return reply(response, 200, { name: "commonplace", mcp: ENDPOINT });
    if (path === INVITATION) {
      const isGood = invitations.redeem(bearerOf(headers.authorization));
      return isGood
        ? reply(response, 200, { token })
        : reply(response, 401, errorResponse(SERVER_ERROR, "The invitation has expired."));
    }
    if (path !== ENDPOINT && path !== CHANGES)
      return reply(
        response,
        404,
        errorResponse(SERVER_ERROR, `There is nothing here. The MCP endpoint is ${ENDPOINT}.`),
      );
    if (!timingSafeEqual(digest(bearerOf(headers.authorization)), expected)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      return reply(
        response,
        401,
        errorResponse(SERVER_ERROR, "Unauthorized: send the header 'Authorization: Bearer <token>'."),
      );
    }
    if (path === CHANGES) return changes.listen(response);
    const message = method === "POST" ? await messageOf(request, response, () => longMessages.enter(done)) : undefined;
    if (response.headersSent || response.destroyed) return undefined;
    if (message !== undefined && needsSlot(message) && !(await calls.enter(done))) return replyBusy(response);
    if (response.destroyed) return undefined;
    const webRequest = toWebRequest(request, response);
    // Browsers send Origin with every POST, and it was checked above; hosts send none.
    const isForPerson = headers.origin !== undefined;
    if (await isLegacyRequest(webRequest, message))
      return sendWebResponse(await legacy.fetch(webRequest, message, done), response);
    const handler = isForPerson ? forPerson : modern;
    const answer = await handler.fetch(webRequest, message === undefined ? {} : { parsedBody: message });
    const isWhole = isJsonContentType(answer.headers.get("content-type") ?? "");
    return isForPerson && isWhole ? sendCompressed(answer, request, response) : sendWebResponse(answer, response);
  }

  const origin = `http://${bracketed(host)}:${address.port}`;
  return {
    url: `${origin}${ENDPOINT}`,
    port: address.port,
    invite: () => `${origin}/#invitation=${invitations.invite()}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeIdleConnections();
      changes.close();
      await commonplace.close();
      await Promise.race([
        Promise.all(underWay),
        new Promise((resolve) => setTimeout(resolve, FINAL_ANSWERS_TIMEOUT).unref()),
      ]);
      await legacy.close();
      await modern.close();
      await forPerson.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** The message in a request's body, or undefined if it is invalid and has been answered. */
async function messageOf(
  request: IncomingMessage,
  response: ServerResponse,
  isLong: () => Promise<boolean>,
): Promise<JSONRPCMessage | undefined> {
  if (!isJsonContentType(request.headers["content-type"] ?? "")) {
    reply(response, 415, errorResponse(SERVER_ERROR, "Unsupported media type: send application/json."));
    return undefined;
  }
  const body = await bodyOf(request, isLong);
  if (body === "busy") {
    replyBusy(response);
    return void request.resume();
  }
  if (body === undefined) {
    reply(response, 413, errorResponse(SERVER_ERROR, `The message is longer than ${MOST_MESSAGE_BYTES} bytes.`));
    // Some clients read the answer only after they have sent everything.
    return void request.resume();
  }
  const parsed = parse(body);
  const validation: Validation =
    parsed === undefined
      ? { error: errorResponse(PARSE_ERROR, "Parse error: the body is not JSON in UTF-8") }
      : validateMessage(parsed);
  if (validation.error) reply(response, 400, validation.error);
  return validation.message;
}

function replyBusy(response: ServerResponse): void {
  response.setHeader("Retry-After", "1");
  reply(response, 503, errorResponse(SERVER_ERROR, `Too many calls are waiting already (${MOST_WAITING}). Try again.`));
}

/** Listens on the requested port; if there is none, on a usual one or on any free one. */
async function listen(
  server: Server,
  { port, host, usualPorts = [DEFAULT_PORT], holderOf = async () => "another program" }: HttpOptions,
): Promise<AddressInfo> {
  const taken: number[] = [];
  for (const tried of port === undefined ? [...usualPorts, 0] : [port]) {
    try {
      const address = await tryListen(server, tried, host);
      for (const other of taken)
        log(`port ${other} is taken by ${await holderOf(other)}: port ${address.port} is used instead`);
      return address;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE")
        throw new Problem("invalid", `Cannot listen on ${host}: ${(error as Error).message}`);
      taken.push(tried);
    }
  }
  throw new Problem(
    "invalid",
    `Port ${port} is taken by ${await holderOf(port!)}.`,
    "Choose another port, or none to use any free one.",
  );
}

function tryListen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/**
 * The body, or undefined if it is too long.
 * @param isLong called once the body turns out to be long; resolves to whether to read on
 */
async function bodyOf(request: IncomingMessage, isLong: () => Promise<boolean>): Promise<Buffer | "busy" | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > MOST_MESSAGE_BYTES) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const isLongSoFar = size > LONG_MESSAGE_BYTES;
    size += part.length;
    if (size > MOST_MESSAGE_BYTES) return undefined;
    if (!isLongSoFar && size > LONG_MESSAGE_BYTES && !(await isLong())) return "busy";
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(body: Buffer): unknown {
  try {
    return isUtf8(body) ? JSON.parse(body.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(body));
}

function bearerOf(header: string | undefined): string {
  return /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1] ?? "";
}

/** Digests have the same length, as timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The values of Host that are accepted, without the port. */
function namesOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [...LOOPBACK_NAMES, bracketed(host).toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => bracketed(address)),
  );
  return [...LOOPBACK_NAMES, hostname().toLowerCase(), ...addresses];
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
