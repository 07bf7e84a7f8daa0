// What memory costs: a trace against the same call without one, 100,000 traces
// opened, loaded and searched, and how that grows.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LineClient } from "./measurement/line-client.ts";
import { goal, inTurns, median, ms, quantile, table, timed, times, report } from "./measurement/measure.ts";
import { callContext } from "../test/fixtures/call-context.ts";

const SIZES = [1000, 10_000, 100_000];
const ROUNDS = 60;
const CALLS_A_ROUND = 20;
const OPENED = 7;
const PROGRAM = join(import.meta.dirname, "..", "bin", "commonplace.js");

const contextOf = (sessionId: string, toolContext: string) =>
  callContext({
    sessionId,
    toolContext,
    sessionDescription: "A session of the benchmark",
    primaryGoal: "To know what a trace costs",
  });

async function serve(vault: string, home: string, ...more: string[]) {
  const client = new LineClient([PROGRAM, "--vault", vault, "--home", home, "--toolsets", "all", ...more]);
  await client.initialize();
  const call = async (name: string, sent: object, context = contextOf("bench", "To measure it")) => {
    const { result } = await client.request("tools/call", { name, arguments: { ...sent, context } });
    const { structuredContent, isError } = result as { structuredContent: object; isError?: boolean };
    if (isError) throw new Error(JSON.stringify(structuredContent));
    return structuredContent as Record<string, unknown>;
  };
  const bare = (name: string) => client.request("tools/call", { name, arguments: {} });
  return { call, bare, close: () => client.close(), memory: () => client.memory() };
}

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    await costOfATrace(home);
    await growth(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The same call, in turns, on two servers. */
async function costOfATrace(home: string): Promise<void> {
  const vault = join(home, "vault");
  mkdirSync(vault);
  writeFileSync(join(vault, "Note.md"), "# Note\n\nSome words.\n");
  const without = await serve(vault, join(home, "without"), "--memory", "off");
  const withTrace = await serve(vault, join(home, "with"), "--memory", "vault");
  const inARow =
    ({ call }: typeof without) =>
    async () => {
      const row: number[] = [];
      for (let i = 0; i < CALLS_A_ROUND; i++)
        row.push(await timed(() => call("contentManager_readContent", { filePath: "Note.md" })));
      return median(row);
    };
  const candidates = { "memory off": inARow(without), "with a trace": inARow(withTrace) };
  await inTurns(10, candidates);
  const measured = await inTurns(ROUNDS, candidates);
  const off = median(measured["memory off"]);
  const cost = median(measured["with a trace"]) - off;
  table(
    `Reading a note (${ROUNDS} rounds of ${CALLS_A_ROUND})`,
    ["", "p50", "p95", "of memory off"],
    Object.entries(measured).map(([name, row]) => [
      name,
      ms(median(row)),
      ms(quantile(row, 0.95)),
      times(median(row) / off),
    ]),
  );
  goal(cost < 1, `a trace costs a call less than 1 ms: ${ms(cost)}`);
  await Promise.all([without.close(), withTrace.close()]);
  const log = join(vault, ".commonplace", "memory");
  const lines = ROUNDS * CALLS_A_ROUND + 10 * CALLS_A_ROUND;
  const bytes = readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0) / lines;
  goal(bytes < 500, `a trace is a few hundred bytes: ${Math.round(bytes)}`);
}

const VERBS = ["Compare", "Rewrite", "Collect", "Check", "Summarise", "Plan", "Correct", "Move"];
const THINGS = ["budget", "garden", "lecture", "recipe", "invoice", "journey", "interview", "syllabus"];

/** As the log of some years would be: a session an hour or so, each with fifty traces. */
function writeLog(folder: string, traces: number): void {
  mkdirSync(folder, { recursive: true });
  const start = Date.now() - traces * 60_000;
  let lines: string[] = [];
  for (let i = 0; i < traces; i++) {
    const [verb, thing] = [VERBS[i % 8]!, THINGS[(i >> 3) % 8]!];
    const session = `session_${start}_${Math.floor(i / 50)}`;
    const moment = { v: 1, at: start + i * 60_000 };
    if (i % 50 === 0) {
      const set = { name: `${verb} the ${thing}`, goal: `A ${thing} that holds`, workspace: "default" };
      lines.push(JSON.stringify({ ...moment, id: `s${i}`, type: "session", of: session, set }));
    }
    const why = `${verb} the ${thing} of part ${i % 997} before the meeting in week ${i % 53}`;
    const rest = { session, workspace: "default", tool: "contentManager_replaceContent", why };
    lines.push(
      JSON.stringify({ ...moment, id: `t${i}`, type: "trace", ...rest, paths: [`${thing}/Part ${i % 997}.md`] }),
    );
    if (lines.length > 10_000 || i === traces - 1) {
      const month = new Date(moment.at).toISOString().slice(0, 7);
      appendFileSync(join(folder, `0badcafe-${month}.jsonl`), `${lines.join("\n")}\n`);
      lines = [];
    }
  }
}

async function growth(home: string): Promise<void> {
  const rows: string[][] = [];
  const loads: number[] = [];
  const searches: number[] = [];
  const opens: number[] = [];
  const scans: number[] = [];
  for (const size of SIZES) {
    const vault = join(home, `vault-${size}`);
    mkdirSync(vault);
    writeLog(join(vault, ".commonplace", "memory"), size);
    const folder = join(home, `home-${size}`);
    const first = await serve(vault, folder);
    const folding = await timed(() => first.call("memoryManager_loadSession", {}));
    await first.close();
    // The first memory call of a new process with an existing index. The two calls before it take the cost of loading code.
    const opening = await many(Array.from({ length: OPENED }), async () => {
      const another = await serve(vault, folder);
      await another.bare("get_server_version");
      await another.bare("history");
      const took = await timed(() => another.call("memoryManager_loadSession", {}));
      await another.close();
      return took;
    });
    const server = await serve(vault, folder);
    const listed = await server.call("memoryManager_listSessions", { limit: 100 });
    const ids = (listed["data"] as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
    const load = await many(ids, (targetSessionId) => server.call("memoryManager_loadSession", { targetSessionId }));
    const queries = VERBS.flatMap((verb, i) => [
      `${verb} ${THINGS[i]}`,
      `part ${i * 101}`,
      `${THINGS[i]!.slice(0, 4)}`,
      `${verb} lecutre`,
    ]);
    const found = await many(queries, (query) => server.call("vaultLibrarian_searchMemory", { query }));
    const workspace = await many(ids.slice(0, 30), () => server.call("memoryManager_loadWorkspace", { id: "default" }));
    const scan = await many(queries.slice(0, 8), (query) =>
      timed(() => scanned(join(vault, ".commonplace", "memory"), query)),
    );
    loads.push(median(load));
    searches.push(median(found));
    opens.push(median(opening));
    scans.push(median(scan));
    const cached = readdirSync(join(folder, "cache")).reduce(
      (sum, name) => sum + statSync(join(folder, "cache", name)).size,
      0,
    );
    rows.push([
      String(size),
      ms(folding),
      ms(median(opening)),
      ms(median(load)),
      ms(quantile(load, 0.95)),
      ms(median(workspace)),
      ms(median(found)),
      ms(quantile(found, 0.95)),
      `${(cached / 1e6).toFixed(1)} MB`,
      `${Math.round(server.memory())} MB`,
    ]);
    await server.close();
  }
  table(
    "With so many traces",
    ["traces", "first fold", "open", "load p50", "p95", "workspace", "search p50", "p95", "index", "memory"],
    rows,
  );
  const last = SIZES.length - 1;
  const [scan, load, found, opened] = [scans[last]!, loads[last]!, searches[last]!, opens[last]!];
  report(`         reading all files for some words: ${ms(scan)}`);
  goal(load < scan / 20, `loading a session among 100,000 traces: ${ms(load)}, ${times(load / scan)} of reading all`);
  goal(found < scan / 3, `searching them: ${ms(found)}, ${times(found / scan)} of reading all`);
  goal(opened < scan / 5, `a process that opens them: ${ms(opened)}, ${times(opened / scan)} of reading all`);
  goal(load < 3 * loads[0]!, `loading hardly grows with them: ${times(load / loads[0]!)} of the time with 1,000`);
}

/** The search without an index: every line of every file. */
function scanned(folder: string, query: string): number {
  const words = query.toLowerCase().split(" ");
  return readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .filter((line) => {
      const { why = "" } = line === "" ? {} : (JSON.parse(line) as { why?: string });
      return words.every((word) => why.toLowerCase().includes(word));
    }).length;
}

/** The times of each; or what the work says they were. */
async function many<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number[]> {
  const row: number[] = [];
  for (const item of items) {
    let returned: unknown;
    const took = await timed(async () => (returned = await work(item)));
    row.push(typeof returned === "number" ? returned : took);
  }
  return row;
}
