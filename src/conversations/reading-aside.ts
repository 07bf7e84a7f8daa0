// Has units read by a thread beside this one, which stores what they tell
// meanwhile. Used by refresh.ts where there is much to read.
import { Worker } from "node:worker_threads";
import { readUnits, type Read, type Reading } from "./reading-units.ts";
import type { ConversationSource } from "./source.ts";
import type { PreparedTold } from "./store/preparing.ts";

type Told = Extract<Read, { readonly kind: "told" }>;
/** What the thread posts: the same, with what was told as JSON. */
export type FromThread = Exclude<Read, Told> | (Omit<Told, "told"> & { readonly told: string });

/** How much room a message takes; what has been taken is told to the thread in these terms. */
export function lengthOf(message: FromThread): number {
  return message.kind === "told" ? message.told.length : 0;
}

/**
 * Tells the same as `readUnits`. Where the thread ends too early, this one goes
 * on from the last checkpoint.
 * @param thread the program of reading-thread.ts
 */
export async function* readAside(
  thread: string,
  sources: readonly ConversationSource[],
  readings: readonly Reading[],
  signal: AbortSignal,
): AsyncGenerator<Read> {
  let done = 0;
  let checkpoint: string | undefined;
  for await (const read of readByThread(thread, readings, signal)) {
    yield read;
    checkpoint = read.kind === "told" ? (read.checkpoint ?? checkpoint) : undefined;
    if (read.kind === "end") done = read.reading + 1;
  }
  if (done === readings.length) return;
  const [next, ...others] = readings.slice(done);
  const left = [{ ...next!, checkpoint: checkpoint ?? next!.checkpoint }, ...others];
  for await (const read of readUnits(sources, left, signal)) yield { ...read, reading: read.reading + done };
}

/** Ends with the thread, however that ends. */
async function* readByThread(thread: string, readings: readonly Reading[], signal: AbortSignal): AsyncGenerator<Read> {
  const messages: FromThread[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  // What it might print would go between the messages of this process.
  const worker = new Worker(thread, { workerData: { readings }, stdout: true, stderr: true });
  const over = () => {
    isOver = true;
    wake?.();
  };
  worker.on("message", (message: FromThread) => {
    messages.push(message);
    wake?.();
  });
  worker.on("error", over);
  worker.on("exit", over);
  signal.addEventListener("abort", over);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = messages.shift();
      if (next !== undefined) {
        worker.postMessage(lengthOf(next));
        yield next.kind === "end" ? next : { ...next, told: () => JSON.parse(next.told) as PreparedTold[] };
      } else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener("abort", over);
    await worker.terminate();
  }
}
