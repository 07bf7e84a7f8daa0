// The background thread that reads transcripts while the main one stores their
// events: this halves the time of the first refresh. A separate program in the
// build; background-reader.ts starts it.
import { parentPort, workerData } from "node:worker_threads";
import { lengthOf, type FromThread } from "./background-reader.ts";
import { readTranscripts, type Reading } from "./transcript-reader.ts";
import { loadSources } from "../sources/sources.ts";

/** Backpressure: characters that may be posted before the main thread has consumed them. */
const MOST_AHEAD = 4_000_000;

const { readings } = workerData as { readonly readings: readonly Reading[] };
let ahead = 0;
let resume = () => {};
parentPort!.on("message", (consumed: number) => {
  ahead -= consumed;
  if (ahead < MOST_AHEAD) resume();
});

async function postAll(): Promise<void> {
  // The main thread terminates this one; nothing here can be left half done.
  const never = new AbortController().signal;
  for await (const read of readTranscripts(await loadSources(), readings, never)) {
    // One string costs less to post than many objects.
    const message: FromThread = read.kind === "end" ? read : { ...read, events: JSON.stringify(read.events()) };
    parentPort!.postMessage(message);
    ahead += lengthOf(message);
    if (ahead >= MOST_AHEAD) await new Promise<void>((resolve) => (resume = resolve));
  }
  parentPort!.close();
}

void postAll();
