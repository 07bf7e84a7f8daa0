// Reads the text of PDF files, in a process of its own: a program of its own in the
// build, started by pdf-reader.ts, without permission to write files or to start
// programs. A file may be made to use up all memory or never to end. A thread of
// the main process could be ended for that, but V8 ends the whole process for
// most ways to run out of memory (6 of 11 that were tried).
import { on } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import { readBytes } from "../../files/files.ts";
import { pageText, type TextItem } from "./page-text.ts";
import {
  IN_BACKGROUND,
  OUT_OF_TIME,
  type PdfFailure,
  type PdfMessage,
  type PdfPiece,
  type PdfRequest,
} from "./pdf-messages.ts";

/** Bytes of memory of the whole process, in and out of the heap. */
const MAX_MEMORY = 640 * 1024 * 1024;
/** Milliseconds between two looks of the guard. */
const LOOK_EVERY = 20;
/** Milliseconds without a sign of life after which the guard ends the process, if the program that would do it is gone. */
const MAX_SILENCE = 15 * 60_000;

/** The guard's view of the main thread: signs of life, and when the processor time of a file is over; 0 between files. */
const BEAT = 0;
const TIME_OVER = 1;

if (isMainThread) void serve(new Int32Array(new SharedArrayBuffer(8)));
else guard(new Int32Array(workerData as SharedArrayBuffer));

/** Milliseconds of the processor that this process has used. */
function timeUsed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A thread that is not held up by what the main one does. */
function guard(shared: Int32Array): void {
  let last = -1;
  let since = Date.now();
  setInterval(() => {
    const beat = Atomics.load(shared, BEAT);
    if (beat !== last) since = Date.now();
    last = beat;
    const over = Atomics.load(shared, TIME_OVER);
    if (process.memoryUsage.rss() > MAX_MEMORY) process.kill(process.pid, "SIGKILL");
    else if ((over > 0 && timeUsed() > over) || Date.now() - since > MAX_SILENCE)
      process.kill(process.pid, OUT_OF_TIME);
  }, LOOK_EVERY);
}

async function serve(shared: Int32Array): Promise<void> {
  if (process.argv.includes(IN_BACKGROUND)) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  new Worker(new URL(import.meta.url), { workerData: shared.buffer }).unref();
  setInterval(() => Atomics.add(shared, BEAT, 1), 1_000).unref();
  process.on("disconnect", () => process.exit());
  // Requests that come before the library is loaded wait.
  const messages = on(process, "message") as AsyncIterable<[PdfPiece | PdfRequest]>;
  let pieces: Uint8Array[] = [];
  const library = await loadLibrary();
  send({ ready: true });
  for await (const [message] of messages) {
    if ("piece" in message) {
      pieces.push(message.piece);
      continue;
    }
    Atomics.store(shared, TIME_OVER, timeUsed() + message.mostMilliseconds);
    const bytes = new Uint8Array(Buffer.concat(pieces));
    pieces = [];
    const last = await answer(library, bytes, message);
    Atomics.store(shared, TIME_OVER, 0);
    send(last);
  }
}

function send(message: PdfMessage): void {
  process.send!(message);
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

async function loadLibrary() {
  // The browser's worker is part of this file, so nothing is loaded.
  // @ts-expect-error the package declares no types for it
  const worker: unknown = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  Object.assign(globalThis, { pdfjsWorker: worker });
  return import("pdfjs-dist/legacy/build/pdf.mjs");
}

async function answer(library: Library, bytes: Uint8Array, request: PdfRequest): Promise<PdfMessage> {
  try {
    await readPages(library, bytes, request);
    return { end: true };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): PdfFailure {
  return (error as Error | undefined)?.name === "PasswordException" ? "encrypted" : "damaged";
}

async function readPages(
  library: Library,
  bytes: Uint8Array,
  { from, mostCharacters, mostPages }: PdfRequest,
): Promise<void> {
  const loading = library.getDocument({
    data: bytes,
    BinaryDataFactory: PackedMaps,
    cMapPacked: true,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    verbosity: 0,
  } as Parameters<Library["getDocument"]>[0]);
  try {
    const document = await loading.promise;
    const { numPages } = document;
    send({ total: numPages });
    let characters = 0;
    for (let number = from; number <= Math.min(numPages, from + mostPages - 1); number++) {
      const text = await textOf(document, number);
      send({ page: number, text });
      characters += text.length;
      if (characters >= mostCharacters) break;
    }
  } finally {
    await loading.destroy();
  }
}

type PdfDocument = Awaited<ReturnType<Library["getDocument"]>["promise"]>;

/** Empty for a page that cannot be read: the others may be. */
async function textOf(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return pageText(items as readonly TextItem[]);
  } catch {
    return "";
  }
}

/** The character maps of Chinese, Japanese and Korean fonts, which the build packs into one file: see scripts/build.ts. */
class PackedMaps {
  static #maps: ReadonlyMap<string, Uint8Array> | undefined;

  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    PackedMaps.#maps ??= readMaps();
    const map = kind === "cMapUrl" ? PackedMaps.#maps.get(filename) : undefined;
    if (map === undefined) throw new Error(`There is no ${filename}.`);
    return map;
  }
}

function readMaps(): ReadonlyMap<string, Uint8Array> {
  const packed = brotliDecompressSync(readBytes(join(import.meta.dirname, "pdf-character-maps.br")));
  const end = packed.indexOf(0);
  const lengths = JSON.parse(packed.toString("utf8", 0, end)) as readonly (readonly [name: string, length: number])[];
  let at = end + 1;
  return new Map(
    lengths.map(([name, length]) => {
      const map = new Uint8Array(packed.subarray(at, at + length));
      at += length;
      return [name, map];
    }),
  );
}
