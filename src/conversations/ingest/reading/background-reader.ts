// Reads transcripts in a background thread and in this one, which also stores
// their events. Documents and databases are left to the thread, which takes them
// first: they are read as a whole, and V8 lets tens of megabytes of such buffers
// pile up in each thread. Of folders with logs alone the thread takes the first
// that is left, and this one the last whenever it has nothing to store. Used by
// refresh.ts if there is much to read.
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { readTranscripts, type Read, type Reading } from "./transcript-reader.ts";
import type { ConversationSource } from "../../sources/source.ts";
import type { PreparedEvent } from "./part-preparation.ts";

type Events = Extract<Read, { readonly kind: "events" }>;
/** The thread's messages: the same, with the events as JSON. */
export type FromThread = Exclude<Read, Events> | (Omit<Events, "events"> & { readonly events: string });

/** The size of a message, for backpressure: this thread reports the size of what it has consumed. */
export function lengthOf(message: FromThread): number {
  return message.kind === "events" ? message.events.length : 0;
}

/** The input of the thread. */
export interface SharedReadings {
  readonly readings: readonly Reading[];
  /** The first readings of each share: one folder, which one thread reads in its order. */
  readonly shares: readonly number[];
  /** The shares, as the thread takes them. */
  readonly order: readonly number[];
  /** One per share: 1 if a thread has taken it. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** Returns whether this thread may read the share: the other one has not taken it. */
function takes({ taken }: SharedReadings, share: number): boolean {
  return Atomics.compareExchange(taken, share, 0, 1) === 0;
}

/** Takes share after share in this order, and reads those that the other thread has not taken. */
export async function* readShares(
  sources: readonly ConversationSource[],
  shared: SharedReadings,
  order: Iterable<number>,
  signal: AbortSignal,
): AsyncGenerator<Read> {
  for (const share of order) {
    if (!takes(shared, share)) continue;
    const from = shared.shares[share]!;
    const readings = shared.readings.slice(from, shared.shares[share + 1]);
    for await (const read of readTranscripts(sources, readings, signal))
      yield { ...read, reading: read.reading + from };
  }
}

/**
 * Yields the same as `readTranscripts`, folders in another order. If the thread ends too early, this one continues from
 * the last checkpoint.
 * @param thread the built reader-thread.ts
 */
export async function* readInBackground(
  thread: string,
  sources: readonly ConversationSource[],
  readings: readonly Reading[],
  signal: AbortSignal,
): AsyncGenerator<Read> {
  const shares = sharesOf(readings);
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * shares.length));
  const hasOnlyLogs = (share: number) =>
    readings.slice(shares[share], shares[share + 1]).every(({ transcript }) => transcript.path.endsWith(".jsonl"));
  const { logs = [], others = [] } = Object.groupBy(shares.keys(), (share) => (hasOnlyLogs(share) ? "logs" : "others"));
  const shared = { readings, shares, order: [...others, ...logs], taken };
  const ended = new Set<number>();
  const checkpoints = new Map<number, string>();
  const noteThat = (read: Read): Read => {
    if (read.kind === "end") {
      ended.add(read.reading);
      checkpoints.delete(read.reading);
    } else if (read.checkpoint !== undefined) checkpoints.set(read.reading, read.checkpoint);
    return read;
  };
  const worker = new ReaderThread(thread, shared, signal);
  try {
    const own = readShares(sources, shared, logs.toReversed(), signal);
    for (let isOwnOver = false; ;) {
      signal.throwIfAborted();
      const read = worker.next();
      if (read !== undefined) yield noteThat(read);
      else if (!isOwnOver) {
        const { done, value } = await own.next();
        if (done) isOwnOver = true;
        else yield noteThat(value);
      } else if (worker.isOver) break;
      else await worker.message();
    }
  } finally {
    await worker.stop();
  }
  for (const [i, reading] of readings.entries()) {
    if (ended.has(i)) continue;
    const left = { ...reading, checkpoint: checkpoints.get(i) ?? reading.checkpoint };
    for await (const read of readTranscripts(sources, [left], signal)) yield { ...read, reading: i };
  }
}

function sharesOf(readings: readonly Reading[]): number[] {
  const folders = readings.map(({ transcript }) => dirname(transcript.path));
  return [...folders.keys()].filter((i) => i === 0 || folders[i] !== folders[i - 1]);
}

/** Without them the thread keeps garbage up to twice what it needs. If it runs out, this thread reads the rest. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

class ReaderThread {
  readonly #worker: Worker;
  readonly #messages: FromThread[] = [];
  #consumed = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(thread: string, workerData: SharedReadings, signal: AbortSignal) {
    // Anything it prints would mix with the messages that this process writes to stdout.
    this.#worker = new Worker(thread, { workerData, stdout: true, stderr: true, resourceLimits: RESOURCE_LIMITS });
    this.#worker.on("message", (messages: readonly FromThread[]) => {
      this.#messages.push(...messages);
      this.#wake?.();
    });
    this.#worker.on("error", this.#end);
    this.#worker.on("exit", this.#end);
    signal.addEventListener("abort", this.#end, { once: true });
  }

  readonly #end = (): void => {
    this.#isOver = true;
    this.#wake?.();
  };

  /** Returns whether it has ended, for whatever reason, and everything that it has read was consumed. */
  get isOver(): boolean {
    return this.#isOver && this.#messages.length === 0;
  }

  /** Undefined if there is nothing to be consumed yet, or no more. */
  next(): Read | undefined {
    const next = this.#messages.shift();
    if (next === undefined) return undefined;
    this.#consumed += lengthOf(next);
    if (this.#messages.length === 0) {
      this.#worker.postMessage(this.#consumed);
      this.#consumed = 0;
    }
    return next.kind === "end" ? next : { ...next, events: () => JSON.parse(next.events) as PreparedEvent[] };
  }

  /** Resolves when there is something to be consumed, or no more. */
  async message(): Promise<void> {
    if (this.#messages.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
