// MCP over HTTP for the members of a shared store, behind a proxy, and the page for
// them. Every request is checked first: Host, Origin, token, how much its member has
// asked, content type and size. Only the files of the page need no token. The server
// keeps nothing between two requests: any of several servers answers any of them. It
// serves nothing of its machine.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import type { Commonplace, Members } from "../../../app/app.ts";
import { type Log, MAX_CALLS_AT_ONCE, NAME, Problem } from "../../../kernel/kernel.ts";
import { type Entered, StoreUnavailable } from "../../../shared/shared.ts";
import type { OAuthSettings, ServerSettings } from "../../../settings.ts";
import { Gate, needsSlot } from "../../gate.ts";
import { createServer } from "../../server.ts";
import { bracketed, listen, namesOf } from "../address.ts";
import { messageOf } from "../message-body.ts";
import { MAX_WAITING, refuse, refuseBusy, reply } from "../replies.ts";
import { sendCompressed, sendWebResponse, toWebRequest } from "../web-adapter.ts";
import { Authentication, type Proof, type Refusal } from "./authentication.ts";
import { clientAddresses } from "./client-address.ts";
import { HEALTH_METHODS, HealthChecks, isHealthAddress } from "./health.ts";
import { MemberCalls, MAX_WAITING_OF_MEMBER } from "./member-calls.ts";
import { MemberPage } from "./member-page.ts";
import { RequestLimits } from "./request-limits.ts";
import { challenge, isMetadataAddress, resourceMetadata } from "./resource-metadata.ts";
import { answerInSession } from "./stored-sessions.ts";

const ENDPOINT = "/mcp";
const METHODS = ["POST", "DELETE"];
/** How many long messages (message-body.ts) are handled at a time. */
const MAX_LONG_MESSAGES = 4;
/** Milliseconds for a whole request, and between two on one connection: longer than proxies keep them. */
const TIMEOUTS = { requestTimeout: 120_000, headersTimeout: 30_000, keepAliveTimeout: 120_000 };
/** Milliseconds in which the rest of a request may come that was answered already. */
const UNSENT = 2_000;
/** Milliseconds for which running requests may go on when the server stops. */
const LAST_ANSWERS = 30_000;
/** Seconds after which a client may try again if the store is away. */
const RETRY_AFTER = 5;
/** Of who has a ticket, which makes no further ones. */
const NO_PROOF: Proof = { token: undefined, ends: 0 };

interface Options {
  readonly host: string;
  readonly port: number;
  readonly server: ServerSettings;
  /** The folder with the files of the page. */
  readonly page: string;
  readonly log: Log;
}

interface Serving {
  /** The MCP endpoint, at the address that the server listens on. */
  readonly url: string;
  readonly port: number;
  /** Is no longer ready, accepts nothing new, and finishes what runs. */
  readonly close: () => Promise<void>;
}

export async function serveMembers(members: Members, options: Options): Promise<Serving> {
  const { host, port, server, log } = options;
  const { oauth } = server;
  const authentication = new Authentication(members, oauth);
  const limits = new RequestLimits(server.requestsPerMinute, members.countRequests);
  const health = new HealthChecks(members);
  const addressOf = clientAddresses(server.trustedProxies);
  const calls = new Gate(MAX_CALLS_AT_ONCE, MAX_WAITING);
  const ofMember = new MemberCalls();
  const longMessages = new Gate(MAX_LONG_MESSAGES, MAX_WAITING);
  const page = new MemberPage(members, options.page, log);
  const handlers = {
    host: new WeakMap<Commonplace, McpHttpHandler>(),
    person: new WeakMap<Commonplace, McpHttpHandler>(),
  };
  const underWay = new Set<Promise<unknown>>();
  let isStopping = false;

  const onerror = (error: Error) => log(error.message);
  const handlerFor = (commonplace: Commonplace, asker: keyof typeof handlers): McpHttpHandler => {
    const known = handlers[asker].get(commonplace);
    if (known !== undefined) return known;
    const made = createMcpHandler(() => createServer(commonplace, { asker }), { legacy: "reject", onerror });
    handlers[asker].set(commonplace, made);
    return made;
  };

  const http = createHttpServer(TIMEOUTS, (request, response) => {
    const done = new Promise((resolve) => response.on("close", resolve));
    underWay.add(done);
    response.on("close", () => underWay.delete(done));
    response.on("finish", () => endUnsent(request));
    serve(request, response, done).catch((error: unknown) => answerFailure(error, response, log));
  });
  const address = await listen(http, { host, port });
  const own = new Set(namesOf(host).map((name) => (address.port === 80 ? name : `${name}:${address.port}`)));
  const outside = server.publicUrl === undefined ? undefined : new URL(server.publicUrl);

  async function serve(request: IncomingMessage, response: ServerResponse, done: Promise<unknown>): Promise<void> {
    const { method = "GET", headers } = request;
    const [path = "/"] = (request.url ?? "/").split("?");
    if (isHealthAddress(path)) {
      if (!HEALTH_METHODS.includes(method)) return refuseMethod(response, method, HEALTH_METHODS);
      return health.answer(response, path);
    }
    if (isStopping) {
      response.setHeader("Connection", "close");
      response.setHeader("Retry-After", "1");
      return refuse(response, 503, "The server is stopping. Try again.");
    }
    // Of several Host headers `headers` has the first, but a proxy may use the last.
    const hosts = request.headersDistinct["host"] ?? [];
    const authority = (hosts[0] ?? "").toLowerCase();
    if (hosts.length !== 1 || !(own.has(authority) || authority === outside?.host))
      return refuse(response, 403, "Invalid Host header: this server answers only under its own address.");
    if (headers.origin !== undefined && headers.origin !== (outside?.origin ?? `http://${authority}`))
      return refuse(response, 403, "Invalid Origin header: pages of other origins may not use this server.");
    if (oauth !== undefined && isMetadataAddress(path, oauth)) {
      if (!HEALTH_METHODS.includes(method)) return refuseMethod(response, method, HEALTH_METHODS);
      return reply(response, 200, resourceMetadata(oauth));
    }
    const methods = path === ENDPOINT ? METHODS : page.methodsOf(path);
    if (methods === undefined) {
      if (await page.answerMissing(request, response)) return undefined;
      return refuse(response, 404, `There is nothing here. The MCP endpoint is ${ENDPOINT}.`);
    }
    if (!methods.includes(method)) return refuseMethod(response, method, methods);
    if (await page.answerFile(request, response, path)) return undefined;
    if (path === "/") return reply(response, 200, { name: NAME, mcp: ENDPOINT });

    const visitor = await page.visitorOf(request, path);
    const found =
      visitor === undefined
        ? await authentication.memberOf(headers.authorization, addressOf(request))
        : { entered: visitor, proof: NO_PROOF };
    if ("refused" in found) return refuseToken(response, found.refused, oauth);
    const { entered, proof } = found;
    const wait = await limits.take(entered.member);
    if (wait !== undefined) {
      response.setHeader("Retry-After", String(wait));
      return refuse(response, 429, `You may ask ${server.requestsPerMinute} times a minute. Try again in ${wait} s.`);
    }
    if (path !== ENDPOINT) return page.answer(request, response, path, { entered, proof, done });
    return method === "DELETE"
      ? endSession(request, response, entered.member)
      : answer(request, response, { done, entered });
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { done, entered }: { readonly done: Promise<unknown>; readonly entered: Entered },
  ): Promise<void> {
    const message = await messageOf(request, response, () => longMessages.enter(done));
    if (message === undefined || response.headersSent || response.destroyed) return undefined;
    if (needsSlot(message)) {
      if (!(await ofMember.enter(entered.member, done))) {
        response.setHeader("Retry-After", "1");
        return refuse(response, 429, `${MAX_WAITING_OF_MEMBER} of your calls are waiting already. Try again.`);
      }
      if (!(await calls.enter(done))) return refuseBusy(response);
    }
    if (response.destroyed) return undefined;
    const { member } = entered;
    const commonplace = members.open(entered, done);
    const webRequest = toWebRequest(request, response);
    const isLegacy = await isLegacyRequest(webRequest, message);
    if (isLegacy) {
      const asked = { member, commonplace, request: webRequest, message, done };
      return sendWebResponse(await answerInSession(members, asked), response);
    }
    // Browsers send Origin with every POST, and it was checked above; hosts send none.
    const asker = request.headers.origin === undefined ? "host" : "person";
    const answered = await handlerFor(commonplace, asker).fetch(webRequest, { parsedBody: message });
    const isWhole = isJsonContentType(answered.headers.get("content-type") ?? "");
    return asker === "person" && isWhole
      ? sendCompressed(answered, request, response)
      : sendWebResponse(answered, response);
  }

  async function endSession({ headers }: IncomingMessage, response: ServerResponse, member: string): Promise<void> {
    const id = headers["mcp-session-id"];
    const isEnded = typeof id === "string" && (await members.endSession(member, id));
    if (!isEnded) return refuse(response, 404, "Session not found.");
    response.writeHead(204).end();
  }

  return {
    url: `http://${bracketed(host)}:${address.port}${ENDPOINT}`,
    port: address.port,
    close: async () => {
      health.stop();
      isStopping = true;
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeIdleConnections();
      page.close();
      await Promise.race([Promise.all(underWay), new Promise((resolve) => setTimeout(resolve, LAST_ANSWERS).unref())]);
      await members.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

function refuseMethod(response: ServerResponse, method: string, allowed: readonly string[]): void {
  response.setHeader("Allow", allowed.join(", "));
  refuse(response, 405, `${method} is not allowed here.`);
}

/** Of a request that was answered before all of it came, the rest is not waited for as long as for others. */
function endUnsent(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  // Some clients read the answer only after they have sent everything.
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), UNSENT).unref();
  request.once("close", () => clearTimeout(timer));
}

function refuseToken(response: ServerResponse, reason: Refusal, oauth: OAuthSettings | undefined): void {
  if (reason === "crowded") return refuseBusy(response);
  if (reason === "repeated") {
    response.setHeader("Retry-After", "60");
    return refuse(response, 429, "Too many wrong tokens came from this address. Try again in a minute.");
  }
  if (reason === "unknown") return refuse(response, 403, "You are in no group that may use this server.");
  response.setHeader("WWW-Authenticate", challenge(oauth, reason === "missing" ? undefined : "invalid_token"));
  return refuse(
    response,
    401,
    reason === "missing"
      ? "Unauthorized: send the header 'Authorization: Bearer <token>'."
      : "Unauthorized: the token is wrong, was revoked, or has expired.",
  );
}

function answerFailure(error: unknown, response: ServerResponse, log: Log): void {
  if (response.headersSent || response.destroyed) {
    if (!response.destroyed) log((error as Error).message);
    response.destroy();
  } else if (error instanceof StoreUnavailable) {
    log(error.message);
    response.setHeader("Retry-After", String(RETRY_AFTER));
    refuse(response, 503, "The shared store cannot be used at the moment. Nothing was changed. Try again.");
  } else if (error instanceof Problem && error.code === "denied") refuse(response, 403, error.message);
  else {
    log((error as Error).message);
    refuse(response, 500, "The server could not answer.");
  }
}
