// Imports an archive of conversations that the page sends. It is stored in a
// private temporary file of the data folder, a piece at a time, and removed
// afterwards, whatever happens. The answer is a line of JSON for each per cent, and
// the result in the last one. Used by http.ts.
import { closeSync, readdirSync, rmSync, write } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Commonplace } from "../../app/app.ts";
import type { Imported } from "../../conversations/conversations.ts";
import { createOwnFile, makeOwnFolder } from "../../files/files.ts";
import { isRunning, nodeCrypto, Problem } from "../../kernel/kernel.ts";
import { refuse, reply } from "./replies.ts";

/** Bytes: archives with years of pictures have one to two thousand million. */
const MAX_BYTES = 4_000_000_000;
const TYPE = "application/octet-stream";
/** Its beginning keeps it out of backups. */
const PREFIX = ".commonplace-upload-";

/** A line of the answer. */
export type ImportLine =
  | { readonly done: number; readonly total: number }
  | { readonly result: Imported; readonly summary: string }
  | { readonly error: { readonly message: string; readonly hint?: string | undefined } };

interface ArchiveUploads {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Breaks off the import in progress, and waits until its file is removed. */
  readonly close: () => Promise<void>;
}

export function openArchiveUploads(commonplace: Commonplace, mostBytes = MAX_BYTES): ArchiveUploads {
  const { settings } = commonplace;
  const closing = new AbortController();
  let current: Promise<void> | undefined;

  const importFrom = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    const signal = AbortSignal.any([closing.signal, gone.signal]);
    // Ends the wait for what the client has not sent yet.
    signal.addEventListener("abort", () => request.destroy());
    try {
      const result = await withTemporaryFile(settings.folders.data, async (path, file) => {
        await store(request, file, mostBytes);
        return commonplace.importArchive(path, { name: "The file", signal, onProgress: progressTo(response) });
      });
      const { importSummary } = await import("../../conversations/conversations.ts");
      finish(response, 200, { result, summary: importSummary(result) });
    } catch (error) {
      if (signal.aborted) return void response.destroy();
      const problem = error instanceof Problem ? error : await unforeseen(error);
      if (problem === undefined) throw error;
      const { code, message, hint } = problem;
      finish(response, code === "too_large" ? 413 : 400, { error: { message, hint } });
      // Some clients read the answer only after they have sent everything.
      request.resume();
    }
  };

  return {
    answer: async (request, response) => {
      if (request.headers["content-type"] !== TYPE)
        return refuse(response, 415, `Unsupported media type: send ${TYPE}.`);
      if (settings.readOnly) return refuse(response, 403, "Nothing is imported while the server is read-only.");
      if (Number(request.headers["content-length"] ?? 0) > mostBytes)
        return refuse(response, 413, tooLarge(mostBytes).message);
      if (current !== undefined)
        return refuse(response, 409, "Another archive is being imported. Try again when it is done.");
      current = importFrom(request, response).finally(() => (current = undefined));
      return current;
    },
    close: async () => {
      closing.abort();
      await current?.catch(() => {});
    },
  };
}

/** @param work gets the path of a new file, and its descriptor */
async function withTemporaryFile<T>(folder: string, work: (path: string, file: number) => Promise<T>): Promise<T> {
  makeOwnFolder(folder);
  removeLeftovers(folder);
  const path = join(folder, `${PREFIX}${process.pid}-${nodeCrypto().randomBytes(6).toString("hex")}`);
  const file = createOwnFile(path);
  try {
    return await work(path, file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Removes the folders of servers that were killed during an import. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const id = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    // This process has no other upload, so a file with its id is from one before it.
    if (id === process.pid || (id > 0 && !isRunning(id))) rmSync(join(folder, name), { force: true });
  }
}

const writeTo = promisify(write);

async function store(request: IncomingMessage, file: number, mostBytes: number): Promise<void> {
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    for (let at = 0; at < part.length;) at += (await writeTo(file, part, at)).bytesWritten;
  }
}

function tooLarge(mostBytes: number): Problem {
  return new Problem(
    "too_large",
    `The file is larger than ${mostBytes / 1e9} GB: unpack it, and import its conversations.json.`,
  );
}

function progressTo(response: ServerResponse): (done: number, total: number) => void {
  let last = 0;
  return (done, total) => {
    const percent = Math.floor((100 * done) / total);
    if (percent <= last || done >= total) return;
    last = percent;
    if (!response.headersSent) response.writeHead(200, HEADERS);
    response.write(lineOf({ done, total }));
  };
}

const HEADERS = {
  "Content-Type": "application/x-ndjson",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** The status is sent with the first line of progress, if there was one. */
function finish(response: ServerResponse, status: number, line: ImportLine): void {
  if (response.headersSent) response.end(lineOf(line));
  else reply(response, status, line);
}

function lineOf(line: ImportLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Words a refusal by the disk or the database. */
async function unforeseen(error: unknown): Promise<Problem | undefined> {
  return (await import("../../sqlite/sqlite.ts")).unforeseenProblem(error);
}
