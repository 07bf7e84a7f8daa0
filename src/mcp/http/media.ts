// Files of the vault for the page: images, audio, video and PDF, whole or a part
// (Range), streamed. `GET /media/PATH` needs the token, or an address with a
// ticket, which `POST /media/PATH` returns. `PUT /media/NAME?note=PATH` adds an image
// that a person pasted into a note. What is sent cannot run as a page of
// this server, whatever is in the file. Used by http.ts and members/member-page.ts.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Commonplace } from "../../app/app.ts";
import { Problem, type ProblemCode } from "../../kernel/kernel.ts";
import type { MediaFacts, MediaFile } from "../../vault/vault.ts";
import { Gate } from "../gate.ts";
import { byteRange } from "./byte-range.ts";
import { MediaTickets } from "./media-tickets.ts";
import { MAX_WAITING, refuse, refuseBusy, reply } from "./replies.ts";
import { writeAll } from "./web-adapter.ts";

export const MEDIA = "/media/";
export const MEDIA_METHODS = ["GET", "HEAD", "POST", "PUT"];

/** How many files are open at a time: a browser has six connections to a server. */
const MAX_OPEN = 32;
const PIECE_BYTES = 256 * 1024;
/** A photo of a phone has up to ten megabytes. */
const MAX_ADDED_BYTES = 24 * 1024 * 1024;

/** No script, no form, no other host, and an origin of its own. Inline styles and pictures are part of many SVG files. */
const SANDBOX =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; frame-ancestors 'self'; sandbox";
/** Browsers show PDF in a viewer of their own origin, which a sandbox would keep from starting. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "SAMEORIGIN",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
  "Accept-Ranges": "bytes",
};

/** The answer to `POST /media/PATH`. */
export interface MediaAddress {
  /** Loads the file without the token, for some hours. */
  readonly url: string;
  readonly type: string;
  readonly kind: MediaFile["kind"];
  readonly size: number;
}

interface Media {
  /** Returns whether the address has a ticket that is good, and needs no token. */
  readonly hasTicket: (request: IncomingMessage) => boolean;
  readonly answer: (request: IncomingMessage, response: ServerResponse, done: Promise<unknown>) => Promise<void>;
}

export function openMediaFiles(commonplace: Commonplace): Media {
  const tickets = new MediaTickets();
  const slots = new Gate(MAX_OPEN, MAX_WAITING);

  return {
    hasTicket: (request) => {
      const sent = ticketOf(request);
      return sent !== undefined && tickets.isGood(sent.address, sent.ticket);
    },
    answer: async (request, response, done) => {
      if (!(await slots.enter(done))) return refuseBusy(response);
      if (response.destroyed) return undefined;
      return answerMedia(commonplace, request, response, (address) => tickets.issue(address));
    },
  };
}

interface SentTicket {
  /** The address that it must open. */
  readonly address: string;
  readonly ticket: string;
}

/** The ticket that a request has in its address: a file is read with one, and nothing else done. */
export function ticketOf({ url = "", method = "", headers }: IncomingMessage): SentTicket | undefined {
  const { address, ticket } = partsOf(url);
  // An address that leaked is of no use to a page of another site.
  const site = headers["sec-fetch-site"] ?? "none";
  const isRead = method === "GET" || method === "HEAD";
  return ticket !== "" && isRead && /^(?:none|same-origin)$/.test(String(site)) ? { address, ticket } : undefined;
}

/** @param issue makes a ticket for an address */
export async function answerMedia(
  commonplace: Commonplace,
  request: IncomingMessage,
  response: ServerResponse,
  issue: (address: string) => string | Promise<string>,
): Promise<void> {
  try {
    if (request.method === "PUT") return await addImage(commonplace, request, response);
    const { address, path, vault } = partsOf(request.url ?? "");
    const facts = path === undefined ? undefined : await commonplace.mediaFacts(path, vault);
    if (facts === undefined) return refuse(response, 404, "There is no such file in the vault.");
    if (request.method === "POST") {
      const { type, kind, size } = facts;
      const url = `${address}${address.includes("?") ? "&" : "?"}ticket=${await issue(address)}`;
      return reply(response, 200, { url, type, kind, size } satisfies MediaAddress);
    }
    if (request.headers["if-none-match"] === tagOf(facts)) return void response.writeHead(304, headersOf(facts)).end();
    const file = await commonplace.openMedia(path!, vault);
    if (file === undefined) return refuse(response, 404, "There is no such file in the vault.");
    try {
      return await send(file, request, response);
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof Problem) || response.headersSent) throw error;
    return refuse(response, STATUS[error.code] ?? 400, error.message);
  }
}

/** Stores an image that the page sends. Only browsers send an Origin, and http.ts has checked it: no host can write this way. */
async function addImage(commonplace: Commonplace, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.origin === undefined) return refuse(response, 403, "Only the page may do this.");
  const { path: name = "", vault } = partsOf(request.url ?? "");
  const note = new URL(request.url ?? "", "http://page").searchParams.get("note") ?? "";
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!(length <= MAX_ADDED_BYTES)) {
    // Some clients read the answer only after they have sent everything.
    request.resume();
    return refuse(response, 413, `Send an image of at most ${MAX_ADDED_BYTES} bytes, with its length.`);
  }
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const bytes = Buffer.concat(parts);
  return reply(response, 200, { path: await commonplace.addImage({ note, name, bytes }, vault) });
}

const STATUS: Partial<Record<ProblemCode, number>> = { not_found: 404, denied: 403, timeout: 503 };

interface Parts {
  /** Without the ticket: what a ticket is good for. */
  readonly address: string;
  readonly ticket: string;
  /** The path of the file. */
  readonly path: string | undefined;
  /** The name of its vault, if it is not the default one. */
  readonly vault: string | undefined;
}

function partsOf(url: string): Parts {
  const [path = "", query = ""] = url.split("?", 2);
  const parameters = query.split("&").filter((part) => part !== "");
  const others = parameters.filter((part) => !isTicket(part));
  return {
    address: others.length === 0 ? path : `${path}?${others.join("&")}`,
    ticket: parameters.find(isTicket)?.slice("ticket=".length) ?? "",
    path: decoded(path.slice(MEDIA.length)),
    vault: new URLSearchParams(query).get("vault") ?? undefined,
  };
}

function isTicket(part: string): boolean {
  return part.startsWith("ticket=");
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

async function send(file: MediaFile, { headers, method }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size } = file;
  const tag = tagOf(file);
  const isSame = (headers["if-range"] ?? tag) === tag;
  const range = byteRange(isSame ? headers.range : undefined, size);
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${size}`);
    return refuse(response, 416, `The file has ${size} bytes.`);
  }
  const { start, end } = range ?? { start: 0, end: size };
  response.writeHead(range === undefined ? 200 : 206, {
    ...headersOf(file),
    "Content-Type": file.type,
    "Content-Length": end - start,
    ...(range !== undefined && { "Content-Range": `bytes ${start}-${end - 1}/${size}` }),
  });
  if (method === "HEAD") return void response.end();
  await writeAll(piecesOf(file, start, end), response);
}

function tagOf({ tag }: MediaFacts): string {
  return `"${tag}"`;
}

function headersOf(file: MediaFacts): Record<string, string> {
  return {
    ...HEADERS,
    "Content-Security-Policy": file.kind === "pdf" ? PDF_POLICY : SANDBOX,
    "Content-Disposition": disposition(file.kind === "other" ? "attachment" : "inline", file.path),
    "Last-Modified": new Date(file.modified).toUTCString(),
    ETag: tagOf(file),
  };
}

/** Throws if the file became shorter: the client must not take what it got for the whole. */
function* piecesOf(file: MediaFile, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end;) {
    const piece = file.read(at, Math.min(PIECE_BYTES, end - at));
    if (piece.length === 0) throw new Error(`${file.path} became shorter while it was sent.`);
    at += piece.length;
    yield piece;
  }
}

/** The name in ASCII, and as it is for everything newer than 2011. */
function disposition(kind: "inline" | "attachment", path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
