// How fast conversations are taken in and found: stores with the shape of real
// ones against a plain JSON.parse of every line in the same run, what a refresh
// costs, what a query costs over stdio, and what the index weighs.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { goal, median, ms, quantile, repeated, table, timed, times } from "./measurement/measure.ts";
import { serveRecall } from "./measurement/recall-client.ts";
import { makeTranscripts, type Store } from "./data/transcripts.ts";
import { queryAt, wordAt } from "./data/words.ts";

const MB = 1_000_000;
const SIZES = process.env["BENCH_LARGE"] ? [50 * MB, 350 * MB, 1500 * MB] : [50 * MB, 350 * MB];

export async function run(): Promise<void> {
  for (const size of SIZES) {
    const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
    try {
      await measure(home, size);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  if (SIZES.length < 3) console.log("         (BENCH_LARGE=1 adds 1,500 MB)");
}

async function measure(home: string, size: number): Promise<void> {
  const store = makeTranscripts(home, size);
  const plain = Math.min(await timed(() => parseEveryLine(store)), await timed(() => parseEveryLine(store)));
  const client = await serveRecall(home, join(home, "ours"));
  const first = await timed(() => client.recall({ fast_mode: false }));
  // What is left then is packing, and the full text of what tools gave: a question for those waits for them.
  const settled = await timed(() => client.recall({ search_query: wordAt(900), include_tools: true }));
  const peak = client.peakMemory();
  const unchanged = await repeated(20, () =>
    timed(() => client.recall({ fast_mode: false, limit: 1, search_query: wordAt(900) })),
  );
  const query = await repeated(20, () => timed(() => client.recall({ limit: 1, search_query: wordAt(900) })));
  const refresh = median(unchanged) - median(query);
  const newest = store.files.at(-1)!;
  const appended = await repeated(10, () => {
    appendFileSync(newest, `${line(newest)}\n`);
    return timed(() => client.recall({ fast_mode: false, limit: 1, search_query: wordAt(900) }));
  });
  const asked = await repeated(100, (i) => timed(() => client.recall({ search_query: queryAt(i), since: "all" })));
  const memory = client.memory();
  await client.close();
  const { index, texts } = sizesIn(join(home, "ours", "data", "conversations.db"));
  table(
    `${Math.round(store.bytes / MB)} MB in ${store.files.length} files, ${((100 * store.prose) / store.bytes).toFixed(1)} % prose`,
    ["", "", "against a plain parse"],
    [
      ["JSON.parse of every line", ms(plain), times(1)],
      ["first index", ms(first), times(first / plain)],
      ["until tools' texts are kept too", ms(settled), times((first + settled) / plain)],
      ["refresh without change", ms(refresh), ""],
      ["refresh after one line, and a query", ms(median(appended)), ""],
      ["query, p50 over stdio", ms(median(asked)), ""],
      ["query, p95", ms(quantile(asked, 0.95)), ""],
      ["memory: most, and after", `${peak?.toFixed(0) ?? "?"}, ${memory.toFixed(0)} MB`, ""],
      ["index", `${(index / MB).toFixed(1)} MB`, `${(index / store.prose).toFixed(2)} x the prose`],
      ["tools' texts, whole", `${(texts / MB).toFixed(1)} MB`, ""],
    ],
  );
  goal(
    refresh < (50 * Math.max(1000, store.files.length)) / 1000,
    `refresh without change below 50 ms at 1,000 files: ${ms(refresh)} at ${store.files.length}`,
  );
  goal(median(asked) < 10, `p50 below 10 ms over stdio: ${ms(median(asked))}`);
  goal(index < 3 * store.prose, `index below 3 times the prose: ${times(index / store.prose)}`);
  if (peak !== undefined) goal(peak < 250, `memory below 250 MB: ${peak.toFixed(0)} MB`);
}

/** Bytes of the store, and of the whole texts of tools in it. */
function sizesIn(file: string): { readonly index: number; readonly texts: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  const texts = Number(database.prepare("SELECT sum(size) AS bytes FROM tool_block").get()!["bytes"]);
  database.close();
  return { index: statSync(file).size - texts, texts };
}

/** The simplest reader: parses every line. */
function parseEveryLine({ files }: Store): number {
  let records = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(10, start);
      JSON.parse(bytes.toString("utf8", start, end));
      records++;
      start = end + 1;
    }
  }
  return records;
}

let lines = 0;

/** One more message, as Claude Code would write it. */
function line(file: string): string {
  const first = JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0]!);
  return JSON.stringify({ ...first, uuid: `appended-${++lines}`, timestamp: new Date().toISOString() });
}
