// Has PDF files read by a process of its own (pdf-process.ts), one at a time and
// within limits of time and memory: a hostile file costs that process, and nothing else. The
// process is started by the first file, and ends after some seconds without one.
// Used by the index and by readContent.
import { type ChildProcess, fork } from "node:child_process";
import { dirname } from "node:path";
import { realPath } from "../../files/files.ts";
import type { ReadableBytes } from "../media/image-facts.ts";
import {
  IN_BACKGROUND,
  OUT_OF_TIME,
  type PdfFailure,
  type PdfMessage,
  type PdfPiece,
  type PdfRequest,
} from "./pdf-messages.ts";

export interface PdfText {
  /** How many pages the file has. */
  readonly total: number;
  /** The texts of the pages from the first that was asked for. */
  readonly pages: readonly string[];
  /** Why pages that were asked for are missing at the end; undefined if none are. */
  readonly problem?: "time" | "memory";
}

/** Nothing could be read. */
export class UnreadablePdf extends Error {
  readonly reason: PdfFailure | "time" | "memory" | "no process";

  constructor(reason: UnreadablePdf["reason"]) {
    super(`The PDF file could not be read: ${reason}`);
    this.reason = reason;
  }
}

interface PdfPart extends Omit<PdfRequest, "mostMilliseconds"> {
  /** The file, which stays open until its pages are returned. */
  readonly file: ReadableBytes;
}

export interface PdfReader {
  /** Throws UnreadablePdf. What could be read before the time is over is returned. */
  readonly read: (request: PdfPart, options?: { readonly signal?: AbortSignal | undefined }) => Promise<PdfText>;
  readonly close: () => void;
}

/** Milliseconds of the processor for one file. */
const TIME_LIMIT = 30_000;
/** Milliseconds by the clock, in the background and for a caller, who gives up after a minute. */
const MAX_WAIT = 10 * 60_000;
const CALLER_WAITS = 50_000;
/** Milliseconds after which an idle process ends: it has 120 MB. */
const IDLE = 5_000;
const PIECE_BYTES = 1024 * 1024;
/** Megabytes of the heap; pdf-process.ts limits the memory outside of it, too. */
const HEAP = 384;

interface Running {
  readonly child: ChildProcess;
  /** True if it has said that it can read files. */
  isReady: boolean;
}

interface Reading {
  /** It leaves the processor to others. */
  readonly isInBackground?: boolean;
  /** Other limits, for tests. */
  readonly timeLimit?: number;
}

/** @param program the built pdf-process.ts */
export function openPdfReader(
  program: string,
  { isInBackground = false, timeLimit = TIME_LIMIT }: Reading = {},
): PdfReader {
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const end = () => {
    clearTimeout(idle);
    running?.child.kill("SIGKILL");
    running = undefined;
  };

  const start = (): Running => {
    if (running !== undefined) return running;
    const started: Running = { child: startProcess(program, isInBackground), isReady: false };
    started.child.on("exit", () => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  };

  const readNow = ({ file, ...request }: PdfPart, signal: AbortSignal | undefined): Promise<PdfText> => {
    clearTimeout(idle);
    const current = start();
    const { child } = current;
    const { promise, resolve, reject } = Promise.withResolvers<PdfText>();
    let total: number | undefined;
    const pages: string[] = [];
    const finish = () => {
      if (total === undefined) reject(new UnreadablePdf("damaged"));
      else resolve({ total, pages });
      idle = setTimeout(end, IDLE).unref();
    };
    const fail = (reason: UnreadablePdf["reason"]) => {
      end();
      const isPartial = (reason === "time" || reason === "memory") && total !== undefined && pages.length > 0;
      if (isPartial) resolve({ total: total!, pages, problem: reason });
      else reject(new UnreadablePdf(reason));
    };
    const receive = (message: PdfMessage) => {
      if ("ready" in message) current.isReady = true;
      else if ("total" in message) ({ total } = message);
      else if ("page" in message) pages.push(message.text);
      else if ("failure" in message) {
        reject(new UnreadablePdf(message.failure));
        idle = setTimeout(end, IDLE).unref();
      } else finish();
    };
    // It ran out of memory, or the guard in it ended it.
    const exit = (_: number | null, ended: NodeJS.Signals | null) =>
      fail(ended === OUT_OF_TIME ? "time" : current.isReady ? "memory" : "no process");
    const noProcess = () => fail("no process");
    const abort = () => {
      end();
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => fail("time"), isInBackground ? MAX_WAIT : CALLER_WAITS);
    signal?.addEventListener("abort", abort);
    child.on("message", receive).on("exit", exit).on("error", noProcess);
    const over = new AbortController();
    const send = async () => {
      for (let at = 0; at < file.size && !over.signal.aborted;) {
        const piece = file.read(at, PIECE_BYTES);
        if (piece.length === 0) break;
        at += piece.length;
        // A failure here ends the process, which is noticed.
        await new Promise<void>((resolve) => child.send({ piece } satisfies PdfPiece, () => resolve()));
      }
      if (!over.signal.aborted)
        child.send({ ...request, mostMilliseconds: timeLimit } satisfies PdfRequest, (error) => error && noProcess());
    };
    send().catch(reject);
    return promise.finally(() => {
      over.abort();
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      child.off("message", receive).off("exit", exit).off("error", noProcess);
    });
  };

  return {
    read: (request, { signal } = {}) => {
      const reading = last.then(() => {
        signal?.throwIfAborted();
        return readNow(request, signal);
      });
      last = reading.catch(() => {});
      return reading;
    },
    close: end,
  };
}

/** The path as it is if nothing is there: then the process does not start. */
function realPathOf(program: string): string {
  try {
    return realPath(program);
  } catch {
    return program;
  }
}

function startProcess(program: string, isInBackground: boolean): ChildProcess {
  const { SystemRoot } = process.env;
  const child = fork(program, isInBackground ? [IN_BACKGROUND] : [], {
    execArgv: [
      `--max-old-space-size=${HEAP}`,
      "--permission",
      // Permissions are for real paths.
      `--allow-fs-read=${dirname(realPathOf(program))}`,
      "--allow-worker",
      "--no-warnings",
    ],
    // Nothing else of the environment is needed. A program of Electron is Node only if it is asked to be.
    env: { ELECTRON_RUN_AS_NODE: "1", ...(SystemRoot !== undefined && { SystemRoot }) },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  // While a file is read, its time limit keeps the program running; an idle process does not.
  child.on("error", () => {});
  child.unref();
  child.channel?.unref();
  return child;
}
