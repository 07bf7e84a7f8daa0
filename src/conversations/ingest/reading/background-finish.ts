// Finishes the index in a background thread if there is much to read: the whole
// texts of tools take longer to redact and to compress than prose to index. The
// thread opens the store by itself, as another process would. Used by
// conversation-library.ts.
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ConversationSource } from "../../sources/source.ts";
import type { Log } from "../../../kernel/kernel.ts";
import { bytesToRead, finishIndexing, type FinishedStore } from "../finish-indexing.ts";

/** From so many bytes on. The thread takes a tenth of a second to start. */
const MUCH = 8_000_000;
/** Milliseconds for the thread to end its transaction. */
const MAX_END_LENGTH = 2_000;
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

/** The input of the thread. */
export interface FinishOrders {
  /** The file of the store. */
  readonly store: string;
  readonly toolTextLimit: number;
}

/** @param thread the built reader-thread.ts; without it, everything is done in this thread */
export async function finishInBackground(
  store: FinishedStore,
  orders: FinishOrders,
  sources: readonly ConversationSource[],
  { thread, log, signal }: { readonly thread: string | undefined; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  if (thread !== undefined && !store.database.isTemporary && bytesToRead(store.database) >= MUCH && existsSync(thread))
    await runThread(thread, orders, log, signal);
  signal.throwIfAborted();
  // Finishes the work of a thread that could not start, or failed.
  await finishIndexing(store, sources, signal);
}

/** Resolves when the thread has ended, for whatever reason. */
async function runThread(thread: string, finish: FinishOrders, log: Log, signal: AbortSignal): Promise<void> {
  // Anything it prints would mix with the messages that this process writes to stdout.
  const worker = new Worker(thread, {
    workerData: { finish },
    stdout: true,
    stderr: true,
    resourceLimits: RESOURCE_LIMITS,
  });
  worker.on("message", log);
  const ended = new Promise<void>((resolve) => {
    worker.on("error", () => resolve());
    worker.on("exit", () => resolve());
  });
  const stop = () => worker.postMessage("stop");
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) stop();
    await Promise.race([ended, aborted(signal).then(() => pause(MAX_END_LENGTH))]);
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
