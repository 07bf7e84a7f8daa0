// Reads transcripts in a background thread, while this one stores their events.
// Used by refresh.ts if there is much to read.
import { Worker } from "node:worker_threads";
import { readTranscripts, type Read, type Reading } from "./transcript-reader.ts";
import type { ConversationSource } from "../../sources/source.ts";
import type { PreparedEvent } from "./part-preparation.ts";

type Events = Extract<Read, { readonly kind: "events" }>;
/** What the thread posts: the same, with the events as JSON. */
export type FromThread = Exclude<Read, Events> | (Omit<Events, "events"> & { readonly events: string });

/** The size of a message, for backpressure: this thread reports the size of what it has consumed. */
export function lengthOf(message: FromThread): number {
  return message.kind === "events" ? message.events.length : 0;
}

/**
 * Yields the same as `readTranscripts`. If the thread ends too early, this one
 * continues from the last checkpoint.
 * @param thread the built reader-thread.ts
 * @param readDuringStart bytes that this thread reads until the other is ready
 */
export async function* readInBackground(
  thread: string,
  sources: readonly ConversationSource[],
  readings: readonly Reading[],
  signal: AbortSignal,
  readDuringStart = 0,
): AsyncGenerator<Read> {
  const own = countWithin(readings, readDuringStart);
  const worker = new ReaderThread(thread, readings.slice(own));
  let done = own;
  let checkpoint: string | undefined;
  try {
    yield* readTranscripts(sources, readings.slice(0, own), signal);
    for await (const read of worker.reads(signal)) {
      yield { ...read, reading: read.reading + own };
      checkpoint = read.kind === "events" ? (read.checkpoint ?? checkpoint) : undefined;
      if (read.kind === "end") done = own + read.reading + 1;
    }
  } finally {
    await worker.stop();
  }
  if (done === readings.length) return;
  const [next, ...others] = readings.slice(done);
  const left = [{ ...next!, checkpoint: checkpoint ?? next!.checkpoint }, ...others];
  for await (const read of readTranscripts(sources, left, signal)) yield { ...read, reading: read.reading + done };
}

/** How many of the first readings fit into so many bytes. */
function countWithin(readings: readonly Reading[], bytes: number): number {
  let size = 0;
  const first = readings.findIndex(({ transcript }) => (size += transcript.size) > bytes);
  return first === -1 ? readings.length : first;
}

/** Without them the thread keeps garbage up to twice what it needs. If it runs out, this thread reads the rest. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

class ReaderThread {
  readonly #worker: Worker;
  readonly #messages: FromThread[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(thread: string, readings: readonly Reading[]) {
    // Anything it prints would mix with the messages that this process writes to stdout.
    this.#worker = new Worker(thread, {
      workerData: { readings },
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on("message", (messages: readonly FromThread[]) => {
      this.#messages.push(...messages);
      this.#wake?.();
    });
    this.#worker.on("error", this.#end);
    this.#worker.on("exit", this.#end);
  }

  readonly #end = (): void => {
    this.#isOver = true;
    this.#wake?.();
  };

  /** Ends when the thread does, for whatever reason. */
  async *reads(signal: AbortSignal): AsyncGenerator<Read> {
    signal.addEventListener("abort", this.#end);
    let consumed = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        const next = this.#messages.shift();
        if (next !== undefined) {
          consumed += lengthOf(next);
          if (this.#messages.length === 0) {
            this.#worker.postMessage(consumed);
            consumed = 0;
          }
          yield next.kind === "end" ? next : { ...next, events: () => JSON.parse(next.events) as PreparedEvent[] };
        } else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", this.#end);
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
