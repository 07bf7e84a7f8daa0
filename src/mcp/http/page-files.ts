// Serves the files of the page, which the build puts beside the program. Every
// view of the page has an address of its own and gets the same document. Used by
// http.ts.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { readBytes } from "../../files/files.ts";
import { compress, encodingFor, type Encoding } from "./compression.ts";

const DOCUMENT = "index.html";
const ASSETS = "/assets/";
/** The first segment of the path of each view; / is a view too. */
const VIEWS = new Set([
  "search",
  "note",
  "folder",
  "outline",
  "conversation",
  "activity",
  "graph",
  "tasks",
  "status",
  "begin",
]);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * Only our own files are loaded or run, even if a note contains HTML: no inline
 * script, no other host, and no text is parsed as HTML. Images, audio, video and
 * PDF of the vault come from /media/ (media.ts), under rules of their own.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "media-src 'self'",
  "frame-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  // Updates of the program show at once; unchanged files are not sent again.
  "Cache-Control": "no-cache",
  Vary: "Accept, Accept-Encoding",
};

interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly tag: string;
  readonly compressed: Map<string, Promise<Buffer>>;
}

interface PageFiles {
  /** Answers if the path is one of the page's. @returns whether it was */
  readonly answer: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;
  /** Answers a browser that asks for a document where there is none: the page says so. @returns whether it was one */
  readonly answerMissing: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

/** Whom the server is for: the page leaves out what the members of a shared store do not have. */
type Audience = "person" | "members";
/** The place in the document that says so. */
const SAYS_AUDIENCE = 'name="commonplace-serves" content="person"';

/** Nothing is read before the first request. */
export function openPageFiles(folder: string, audience: Audience): PageFiles {
  const kept = new Map<string, PageFile>();
  const fileNamed = (name: string): PageFile | undefined => {
    // Only names from the listing are served, so no path can lead elsewhere.
    if (kept.size === 0)
      for (const found of readdirSync(folder)) kept.set(found, readPageFile(join(folder, found), audience));
    return kept.get(name);
  };
  return {
    answer: async (request, response, path) => {
      const name = nameFor(path, request.headers.accept);
      const file = name === undefined ? undefined : fileNamed(name);
      if (file === undefined) return false;
      await send(file, request, response);
      return true;
    },
    answerMissing: async (request, response) => {
      const file = fileNamed(DOCUMENT);
      if (file === undefined || !isForDocument(request)) return false;
      await send(file, request, response, 404);
      return true;
    },
  };
}

/** Returns whether a path belongs to the page, even if there is no such file. */
export function isPageAddress(path: string): boolean {
  return path.startsWith(ASSETS) || isView(path);
}

function nameFor(path: string, accept = ""): string | undefined {
  if (path.startsWith(ASSETS)) return path.slice(ASSETS.length);
  return isView(path) && accept.includes("text/html") ? DOCUMENT : undefined;
}

function isForDocument({ method = "", headers: { accept = "" } }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && accept.includes("text/html");
}

function isView(path: string): boolean {
  const [, view = ""] = path.split("/");
  return path === "/" || (path.startsWith("/") && VIEWS.has(view));
}

function readPageFile(path: string, audience: Audience): PageFile {
  const read = readBytes(path, { followsLinks: true });
  const bytes = path.endsWith(DOCUMENT) ? documentFor(read.toString("utf8"), audience) : read;
  const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { bytes, type: TYPES[extname(path)] ?? "application/octet-stream", tag, compressed: new Map() };
}

function documentFor(text: string, audience: Audience): Buffer {
  return Buffer.from(text.replace(SAYS_AUDIENCE, SAYS_AUDIENCE.replace("person", audience)));
}

async function send(
  file: PageFile,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  status = 200,
): Promise<void> {
  const common = { ...HEADERS, ETag: file.tag };
  if (status === 200 && headers["if-none-match"] === file.tag) {
    response.writeHead(304, common).end();
    return;
  }
  // A font is compressed already.
  const encoding = file.type === TYPES[".woff2"] ? undefined : encodingFor(headers["accept-encoding"]);
  const body = encoding === undefined ? file.bytes : await compressed(file, encoding);
  response.writeHead(status, {
    ...common,
    "Content-Type": file.type,
    "Content-Length": body.length,
    ...(encoding !== undefined && { "Content-Encoding": encoding }),
  });
  response.end(method === "HEAD" ? undefined : body);
}

/** Cached for each file and encoding. */
function compressed(file: PageFile, encoding: Encoding): Promise<Buffer> {
  let result = file.compressed.get(encoding);
  if (result === undefined) {
    result = compress(file.bytes, encoding);
    file.compressed.set(encoding, result);
  }
  return result;
}
