// How fast the search is, from 1,000 to 100,000 notes: against a scan of all
// files, a bare FTS5 load of the same text, and two peers, one that searches in
// memory and one that is an MCP server for vaults.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { devTool } from "../scripts/dev-tool.mjs";
import { LineClient } from "./measurement/line-client.ts";
import { noteText } from "./data/notes.ts";
import { wordAt } from "./data/words.ts";
import { goal, median, ms, quantile, table, timed, times } from "./measurement/measure.ts";
import { serve } from "./measurement/search-client.ts";

const SIZES = process.env["BENCH_LARGE"] ? [1000, 10_000, 100_000] : [1000, 10_000];
/** With more notes the peers need minutes and gigabytes. */
const MOST_FOR_PEERS = 10_000;
/** A server runs all day. The times before V8 has optimised anything are reported separately. */
const ROUNDS = 100;
const FIRST_ROUNDS = 30;

export async function run(): Promise<void> {
  const p50: number[] = [];
  for (const size of SIZES) {
    const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
    try {
      p50.push(await measure(home, size));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  const [, at10_000, at100_000] = p50;
  if (at10_000 !== undefined && at100_000 !== undefined)
    goal(
      at100_000 <= 4 * at10_000,
      `a query at 100,000 notes at most 4 times that at 10,000: ${times(at100_000 / at10_000)}`,
    );
  else console.log("         (BENCH_LARGE=1 adds 100,000 notes)");
}

/** Common and rare words, a phrase, a beginning of a word and a mistyped one, as people ask. */
function queriesFor(size: number): string[] {
  const phrase = noteText(size - 7)
    .split("\n")[2]!
    .split(" ")
    .slice(2, 5)
    .join(" ");
  const rare = wordAt(2345);
  return [
    `${wordAt(300)} ${wordAt(700)}`,
    rare,
    `"${phrase}"`,
    `${wordAt(40)} ${wordAt(5000)}`,
    `${rare.slice(0, 3)}${rare[4]}${rare[3]}${rare.slice(5)}`,
    wordAt(4321).slice(0, -2),
    `${wordAt(100)} ${wordAt(900)} ${wordAt(3000)}`,
  ];
}

interface Measured {
  readonly p50: number;
  readonly p95: number;
  /** Of the first rounds alone. */
  readonly firstP50: number;
}

async function mixed(queries: readonly string[], rounds: number, ask: (query: string) => unknown): Promise<Measured> {
  const row: number[] = [];
  for (let round = 0; round < rounds; round++) for (const query of queries) row.push(await timed(() => ask(query)));
  return { p50: median(row), p95: quantile(row, 0.95), firstP50: median(row.slice(0, FIRST_ROUNDS * queries.length)) };
}

async function measure(home: string, size: number): Promise<number> {
  const vault = join(home, "vault");
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  const paths = Array.from({ length: size }, (_, i) => join(vault, `Folder ${i % 200}`, `Note ${i}.md`));
  for (const [i, path] of paths.entries()) writeFileSync(path, noteText(i));
  const queries = queriesFor(size);

  const load = await timed(() => bareLoad(join(home, "bare.db"), paths));
  const scan = await mixed(queries, 1, (query) => plainScan(vault, query));

  let server = await serve(vault, home);
  const first = await timed(() => server.search(wordAt(500), 10));
  const memory = server.memory();
  const restarts: number[] = [];
  for (let i = 0; i < 5; i++) {
    await server.close();
    // Long enough for every one of them to look at the files again.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    restarts.push(
      await timed(async () => {
        server = await serve(vault, home);
        await server.search(wordAt(500), 10);
      }),
    );
  }
  const restart = median(restarts);
  const asked = await mixed(queries, ROUNDS, (query) => server.search(query, 10));
  const memoryAfter = server.memory();
  await server.close();
  for (const path of paths.slice(0, 100)) writeFileSync(path, `${readFileSync(path, "utf8")}changed outside\n`);
  server = await serve(vault, home);
  const changed = await timed(() => server.search("changed outside", 10));
  await server.close();
  const cache = join(home, "cache");
  const index = readdirSync(cache).reduce((sum, name) => sum + statSync(join(cache, name)).size, 0);

  const text = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  table(
    `${size.toLocaleString("en")} notes, ${(text / 1e6).toFixed(0)} MB`,
    ["", "", "against"],
    [
      ["first index, to its answer", ms(first), `${times(first / load)} a bare FTS5 load`],
      ["restart, nothing changed, to the answer", ms(restart), ""],
      ["after a restart, 100 changed", ms(changed), ""],
      ["query p50 over stdio", ms(asked.p50), `${times(scan.p50 / asked.p50)} faster than a scan of all files`],
      [
        `query p50, of the first ${FIRST_ROUNDS * queries.length}`,
        ms(asked.firstP50),
        `${times(scan.p50 / asked.firstP50)} faster than a scan of all files`,
      ],
      ["query p95 over stdio", ms(asked.p95), ""],
      ["memory after the first index", `${memory.toFixed(0)} MB`, ""],
      ["memory after the queries", `${memoryAfter.toFixed(0)} MB`, ""],
      ["index on disk", `${(index / 1e6).toFixed(1)} MB`, `${times(index / text)} the text`],
      ...(size <= MOST_FOR_PEERS
        ? [...inMemoryPeer(paths, queries, asked), await serverPeer(vault, queries, asked)]
        : []),
    ],
  );
  if (size === 10_000) {
    goal(first <= 2 * load, `first index at most 2 times a bare load: ${times(first / load)}`);
    goal(restart <= 200, `restart below 200 ms to the first answer: ${ms(restart)}`);
    goal(scan.p50 / asked.p50 >= 50, `a query at least 50 times faster than a scan: ${times(scan.p50 / asked.p50)}`);
    goal(Math.max(memory, memoryAfter) < 150, `below 150 MB of memory: ${Math.max(memory, memoryAfter).toFixed(0)} MB`);
  }
  return asked.p50;
}

function bareLoad(file: string, paths: readonly string[]): void {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode=WAL; CREATE VIRTUAL TABLE note USING fts5(text, content='', contentless_delete=1); BEGIN",
  );
  const insert = database.prepare("INSERT INTO note (rowid, text) VALUES (?, ?)");
  for (const [i, path] of paths.entries()) insert.run(i + 1, readFileSync(path, "utf8"));
  database.exec("COMMIT");
  database.close();
}

/** What there is without an index: list the notes, read each, look for the words. */
function plainScan(vault: string, query: string): string[] {
  const words = query.startsWith('"') ? [query.slice(1, -1)] : query.split(" ");
  return readdirSync(vault).flatMap((folder) =>
    readdirSync(join(vault, folder)).filter((name) => {
      const text = readFileSync(join(vault, folder, name), "utf8").toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  );
}

function inMemoryPeer(paths: readonly string[], queries: readonly string[], ours: Measured): string[][] {
  const before = process.memoryUsage().rss;
  const search = new MiniSearch({ fields: ["name", "text"] });
  const started = performance.now();
  for (const [id, path] of paths.entries()) search.add({ id, name: path, text: readFileSync(path, "utf8") });
  const loaded = performance.now() - started;
  const row: number[] = [];
  for (const query of [...queries, ...queries]) {
    const asked = performance.now();
    search.search(query, { prefix: true, fuzzy: 0.2, combineWith: "AND" });
    row.push(performance.now() - asked);
  }
  const memory = (process.memoryUsage().rss - before) / 1e6;
  return [
    ["minisearch: load at each start", ms(loaded), `${memory.toFixed(0)} MB of memory`],
    ["minisearch: query p50 in memory", ms(median(row)), `${times(median(row) / ours.p50)} ours over stdio`],
  ];
}

async function serverPeer(vault: string, queries: readonly string[], ours: Measured): Promise<string[]> {
  const client = new LineClient([devTool("@bitbonsai/mcpvault"), vault]);
  await client.initialize();
  const { p50 } = await mixed(queries, 1, (query) =>
    client.request("tools/call", { name: "search_notes", arguments: { query, limit: 10 } }),
  );
  await client.close();
  return ["mcpvault: query p50 over stdio", ms(p50), `${times(p50 / ours.p50)} ours`];
}
