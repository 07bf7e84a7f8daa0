// MCP over HTTP, for clients on this machine and for the page. Every request is
// checked first: Host (against DNS rebinding), Origin, token, content type and
// size. Only the files of the page need no token.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createMcpHandler, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Commonplace, PersonCalls } from "../../app/app.ts";
import { MAX_CALLS_AT_ONCE } from "../../kernel/kernel.ts";
import { Gate, needsSlot } from "../gate.ts";
import { rememberOutline } from "../opened-outline.ts";
import { createServer } from "../server.ts";
import { bracketed, listen, namesOf, type AddressOptions } from "./address.ts";
import { openArchiveUploads } from "./archive-upload.ts";
import { openChangeStream } from "./change-stream.ts";
import { Invitations } from "./invitations.ts";
import { MEDIA, MEDIA_METHODS, openMediaFiles } from "./media.ts";
import { messageOf } from "./message-body.ts";
import { isPageAddress, openPageFiles } from "./page-files.ts";
import { answerPerson, isPersonRequest } from "./person-requests.ts";
import { MAX_WAITING, refuse, refuseBusy, reply } from "./replies.ts";
import { LegacySessions } from "./sessions.ts";
import { sendCompressed, sendWebResponse, toWebRequest } from "./web-adapter.ts";

const ENDPOINT = "/mcp";
/** Paths at which the page is notified of changes, and exchanges an invitation for the token. */
const CHANGES = "/changes";
const INVITATION = "/invitation";
/** Path to which the page sends archives of conversations. */
const IMPORT = "/import";
/** Allowed methods by path; the files of the page can only be read. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  [ENDPOINT, ["GET", "POST", "DELETE"]],
  [CHANGES, ["GET"]],
  [INVITATION, ["POST"]],
  [IMPORT, ["POST"]],
]);
const PAGE_METHODS = ["GET", "HEAD"];
const KNOWN_METHODS = [...PAGE_METHODS, "POST", "DELETE"];
/** How many long messages (message-body.ts) are handled at a time. */
const MAX_LONG_MESSAGES = 1;
/** Milliseconds for a whole request: a large archive takes more than the five minutes of Node on a slow network. */
const REQUEST_TIMEOUT = 60 * 60 * 1000;
/**
 * Milliseconds that a connection stays open between two requests. After the five
 * seconds of Node a client that is slow to send its next request, on a busy
 * machine, may send it into a connection that is being closed: ECONNRESET.
 */
const KEEP_ALIVE_TIMEOUT = 120_000;
/** Milliseconds to wait for answers in progress when the server stops. */
const FINAL_ANSWERS_TIMEOUT = 5_000;
const TIMEOUTS = { requestTimeout: REQUEST_TIMEOUT, keepAliveTimeout: KEEP_ALIVE_TIMEOUT };

interface HttpOptions extends AddressOptions {
  readonly token: string;
  /** The folder with the files of the page. */
  readonly page: string;
  /** Another limit on the size of an archive, for tests. */
  readonly mostArchiveBytes?: number;
  /** Requests that only a person in the page may make. */
  readonly person?: PersonCalls;
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
  const forPerson = createMcpHandler(() => createServer(commonplace, { asker: "person" }), {
    legacy: "reject",
    onerror,
  });
  const legacy = new LegacySessions(() => createServer(commonplace, { openedOutline: rememberOutline() }));
  const pageFiles = openPageFiles(page, "person");
  const changes = openChangeStream(async (listeners: readonly undefined[]) => {
    const stamp = await commonplace.stamp();
    return listeners.map(() => stamp);
  });
  const uploads = openArchiveUploads(commonplace, options.mostArchiveBytes);
  const media = openMediaFiles(commonplace);
  const invitations = new Invitations();
  const underWay = new Set<Promise<unknown>>();
  const calls = new Gate(MAX_CALLS_AT_ONCE, MAX_WAITING);
  const longMessages = new Gate(MAX_LONG_MESSAGES, MAX_WAITING);

  const http = createHttpServer(TIMEOUTS, (request, response) => {
    const done = new Promise((resolve) => response.on("close", resolve));
    // A client's event stream stays open as long as the client: do not wait for it.
    if (request.method === "POST") {
      underWay.add(done);
      response.on("close", () => underWay.delete(done));
    }
    serve(request, response, done).catch((error: unknown) => {
      if (!response.destroyed) onerror(error as Error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "The server could not answer.");
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
      return refuse(response, 403, "Invalid Host header: this server answers only under its own address.");
    }
    if (headers.origin !== undefined && headers.origin !== `http://${authority}`) {
      return refuse(response, 403, "Invalid Origin header: pages of other origins may not use this server.");
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const isMedia = path.startsWith(MEDIA);
    const isOfPerson = isPersonRequest(path) && options.person !== undefined;
    const methods = METHODS.get(path) ?? methodsOf(path, isMedia, isOfPerson);
    if (!methods.includes(method)) {
      response.setHeader("Allow", methods.join(", "));
      return refuse(response, 405, `${method} is not allowed here.`);
    }
    if (await pageFiles.answer(request, response, path)) return undefined;
    if (path === "/") return reply(response, 200, { name: "commonplace", mcp: ENDPOINT });
    if (path === INVITATION) {
      const isGood = invitations.redeem(bearerOf(headers.authorization));
      return isGood ? reply(response, 200, { token }) : refuse(response, 401, "The invitation has expired.");
    }
    if (isMedia && media.hasTicket(request)) return media.answer(request, response, done);
    if (!METHODS.has(path) && !isMedia && !isOfPerson) {
      if (await pageFiles.answerMissing(request, response)) return undefined;
      return refuse(response, 404, `There is nothing here. The MCP endpoint is ${ENDPOINT}.`);
    }
    if (!timingSafeEqual(digest(bearerOf(headers.authorization)), expected)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      return refuse(response, 401, "Unauthorized: send the header 'Authorization: Bearer <token>'.");
    }
    if (isMedia) return media.answer(request, response, done);
    if (isOfPerson) return answerPerson(options.person!, request, response, path);
    if (path === CHANGES) return changes.listen(response, undefined);
    if (path === IMPORT) return uploads.answer(request, response);
    const message = method === "POST" ? await messageOf(request, response, () => longMessages.enter(done)) : undefined;
    if (response.headersSent || response.destroyed) return undefined;
    if (message !== undefined && needsSlot(message) && !(await calls.enter(done))) return refuseBusy(response);
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
      await uploads.close();
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

function methodsOf(path: string, isMedia: boolean, isOfPerson: boolean): readonly string[] {
  if (isOfPerson) return ["POST"];
  return isMedia ? MEDIA_METHODS : isPageAddress(path) ? PAGE_METHODS : KNOWN_METHODS;
}

function bearerOf(header: string | undefined): string {
  return /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1] ?? "";
}

/** Digests have the same length, as timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
