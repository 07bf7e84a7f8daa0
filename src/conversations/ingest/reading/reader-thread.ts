// The background thread: reads transcripts while the main one stores their
// events and reads others; or finishes the index. A separate program in the
// build; background-reader.ts and background-finish.ts start it.
import { parentPort, workerData } from "node:worker_threads";
import { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { loadSources } from "../../sources/sources.ts";
import { CONVERSATIONS } from "../../store/tables.ts";
import { ToolTexts } from "../../store/tool-texts/tool-texts.ts";
import type { FinishOrders } from "./background-finish.ts";
import { lengthOf, readShares, type FromThread, type SharedReadings } from "./background-reader.ts";
import { finishIndexing } from "../finish-indexing.ts";

/** Backpressure: characters that may be posted before the main thread has consumed them. */
const MAX_AHEAD = 2_500_000;
/** Characters, and messages, that are posted together: most are short, and to post one takes as long as to read it. */
const POSTED_TOGETHER = 100_000;
const MAX_TOGETHER = 50;

const given = workerData as SharedReadings | { readonly finish: FinishOrders };
let ahead = 0;
let resume = () => {};

async function postAll(shared: SharedReadings): Promise<void> {
  parentPort!.on("message", (consumed: number) => {
    ahead -= consumed;
    if (ahead < MAX_AHEAD) resume();
  });
  // The main thread terminates this one; nothing here can be left half done.
  const never = new AbortController().signal;
  let messages: FromThread[] = [];
  let length = 0;
  const post = () => {
    parentPort!.postMessage(messages);
    ahead += length;
    messages = [];
    length = 0;
  };
  for await (const read of readShares(await loadSources(), shared, shared.order, never)) {
    // One string costs less to post than many objects.
    const message: FromThread = read.kind === "end" ? read : { ...read, events: JSON.stringify(read.events()) };
    messages.push(message);
    length += lengthOf(message);
    if (length < POSTED_TOGETHER && messages.length < MAX_TOGETHER) continue;
    post();
    if (ahead >= MAX_AHEAD) await new Promise<void>((resolve) => (resume = resolve));
  }
  post();
  parentPort!.close();
}

function log(line: string): void {
  parentPort!.postMessage(line);
}

async function finish({ store, toolTextLimit }: FinishOrders): Promise<void> {
  const stopping = new AbortController();
  parentPort!.on("message", () => stopping.abort());
  const database = new IndexDatabase(store, log, CONVERSATIONS);
  const texts = new ToolTexts(database, store, toolTextLimit);
  try {
    await finishIndexing({ database, texts }, await loadSources(), stopping.signal);
  } finally {
    database.close();
    parentPort!.close();
  }
}

void ("readings" in given ? postAll(given) : finish(given.finish));
