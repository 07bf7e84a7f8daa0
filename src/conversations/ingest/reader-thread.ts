// The thread that reads units while another one stores what they told: the
// first reading of everything takes half the time so. A program of its own in
// the build; reading-aside.ts starts it.
import { parentPort, workerData } from "node:worker_threads";
import { lengthOf, type FromThread } from "./background-reader.ts";
import { readTranscripts, type Reading } from "./transcript-reader.ts";
import { loadSources } from "../sources/sources.ts";

/** Characters that may be told ahead of who takes them. */
const MOST_AHEAD = 4_000_000;

const { readings } = workerData as { readonly readings: readonly Reading[] };
let ahead = 0;
let goOn = () => {};
parentPort!.on("message", (taken: number) => {
  ahead -= taken;
  if (ahead < MOST_AHEAD) goOn();
});

async function tellAll(): Promise<void> {
  // Stopped from outside, at any moment: it holds nothing that could be left half done.
  const never = new AbortController().signal;
  for await (const read of readTranscripts(await loadSources(), readings, never)) {
    // One text costs less to hand over than many objects.
    const message: FromThread = read.kind === "end" ? read : { ...read, events: JSON.stringify(read.events()) };
    parentPort!.postMessage(message);
    ahead += lengthOf(message);
    if (ahead >= MOST_AHEAD) await new Promise<void>((resolve) => (goOn = resolve));
  }
  parentPort!.close();
}

void tellAll();
