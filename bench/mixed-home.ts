// How fast the conversations of every program together are taken in and found: a
// mixed home against a plain parse of the same files in the same run, a refresh of
// many files, queries over stdio, and what each program costs alone.
// BENCH_MB=60 is a quick look, which is not recorded; BENCH_LARGE=1 adds 1,500 MB.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeManyFiles, makeMixedHome, makeProgram, PROGRAMS, projectsIn } from "./data/mixed-home.ts";
import { queryAt, wordAt } from "./data/words.ts";
import { goal, median, ms, quantile, repeated, table, timed, times } from "./measurement/measure.ts";
import { bytesOf, filesBelow, parsePlainly } from "./measurement/plain-parse.ts";
import { serveRecall, type RecallServer } from "./measurement/recall-client.ts";

const MB = 1_000_000;
const QUICK = Number(process.env["BENCH_MB"] ?? 0);
const SIZES = QUICK > 0 ? [QUICK] : process.env["BENCH_LARGE"] ? [350, 1500] : [350];
const FILES = 5_000;
/** Of each program alone. Of the few of a quick look, half of the cost is code that is not yet optimised. */
const ALONE_MB = QUICK > 0 ? 20 : 60;

export async function run(): Promise<void> {
  for (const size of SIZES) await inFolder((folder) => measureHome(folder, size));
  await inFolder(measureRefresh);
  await measureEachProgram();
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Cost {
  readonly wall: number;
  /** What was computed in that time, by all threads; NaN where it is not known. */
  readonly computed: number;
}

/** The better of two. */
async function costOfPlainParse(files: readonly string[]): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < 2; round++) {
    const before = process.cpuUsage();
    const wall = await timed(() => parsePlainly(files));
    const { user, system } = process.cpuUsage(before);
    costs.push({ wall, computed: (user + system) / 1000 });
  }
  return costs.toSorted((a, b) => a.computed - b.computed)[0]!;
}

async function costOf(server: RecallServer, work: () => Promise<unknown>): Promise<Cost> {
  const before = server.processorTime();
  const wall = await timed(work);
  return { wall, computed: server.processorTime() - before };
}

const firstIndex = (server: RecallServer) => costOf(server, () => server.recall({ fast_mode: false }));

/** The full text of what tools gave is indexed after the rest: a question for it waits until it is. */
const completion = (server: RecallServer) =>
  costOf(server, () => server.recall({ search_query: wordAt(900), include_tools: true }));

async function measureHome(folder: string, size: number): Promise<void> {
  const home = join(folder, "home");
  const prose = makeMixedHome(home, size * MB);
  const files = filesBelow(home);
  const bytes = bytesOf(files);
  const plain = await costOfPlainParse(files);
  const server = await serveRecall(home, join(folder, "ours"), projectsIn(home));
  const first = await firstIndex(server);
  const rest = await completion(server);
  const peak = server.peakMemory();
  const refresh = await costOfRefresh(server);
  const before = server.processorTime();
  const asked = await repeated(100, (i) => timed(() => server.recall({ search_query: queryAt(i), since: "all" })));
  const computed = (server.processorTime() - before) / asked.length;
  const memory = server.memory();
  await server.close();
  const whole = { wall: first.wall + rest.wall, computed: first.computed + rest.computed };
  const row = (name: string, { wall, computed }: Cost) => [
    name,
    ms(wall),
    times(wall / plain.wall),
    ms(computed),
    times(computed / plain.computed),
  ];
  table(
    `a mixed home: ${Math.round(bytes / MB)} MB of ${PROGRAMS.length} programs in ${files.length} files, ${((100 * prose) / bytes).toFixed(1)} % prose`,
    ["", "", "against a plain parse", "computed", "against a plain parse"],
    [
      row("JSON.parse of every line, document and row", plain),
      row("first index", first),
      row("until tools' texts are kept too", whole),
      ["refresh without change", ms(refresh), "", "", ""],
      ["query, p50 over stdio", ms(median(asked)), "", ms(computed), ""],
      // Once in two seconds a query first looks for changes: if queries take long, that is every twentieth or more.
      ["query, p95", ms(quantile(asked, 0.95)), "", "", ""],
      ["memory: most", `${peak?.toFixed(0) ?? "?"} MB`, "", "", ""],
      ["memory: after", `${memory.toFixed(0)} MB`, "", "", ""],
    ],
  );
  goal(
    first.wall <= 1.5 * plain.wall,
    // Two threads compute: on a machine with nothing else to do it takes half of that, or a little more.
    `first index at most 1.5 times a plain parse: ${times(first.wall / plain.wall)}; ${times(first.computed / plain.computed)} of the computing, ${times(first.computed / plain.computed / 2)} for each of two cores`,
  );
  const limit = size > 350 ? 15 : 10;
  goal(median(asked) < limit, `p50 below ${limit} ms over stdio: ${ms(median(asked))}`);
  if (peak !== undefined) goal(peak < 250, `memory below 250 MB: ${peak.toFixed(0)} MB`);
}

async function measureRefresh(folder: string): Promise<void> {
  const home = join(folder, "home");
  makeManyFiles(home, FILES);
  const files = filesBelow(home).length;
  const server = await serveRecall(home, join(folder, "ours"), projectsIn(home));
  await server.recall({ fast_mode: false });
  await server.recall({ search_query: wordAt(900), include_tools: true });
  const refresh = await costOfRefresh(server);
  await server.close();
  const title = `${FILES.toLocaleString("en")} short transcripts of ${PROGRAMS.length} programs, ${files.toLocaleString("en")} files`;
  table(title, ["", ""], [["refresh without change", ms(refresh)]]);
  goal(
    refresh < 150,
    `refresh without change of ${PROGRAMS.length} sources and 5,000 files below 150 ms: ${ms(refresh)}`,
  );
}

/** What a query takes longer that first looks for changes. */
async function costOfRefresh(server: RecallServer): Promise<number> {
  const query = { limit: 1, search_query: wordAt(900) };
  const refreshed = await repeated(20, () => timed(() => server.recall({ ...query, fast_mode: false })));
  const asked = await repeated(20, () => timed(() => server.recall(query)));
  return median(refreshed) - median(asked);
}

const perMegabyte = (value: number, bytes: number) => ((MB * value) / bytes).toFixed(1);

async function measureEachProgram(): Promise<void> {
  const nothing = await inFolder((folder) => costAlone(folder, undefined));
  const costs = [];
  for (const program of PROGRAMS) costs.push({ program, ...(await inFolder((folder) => costAlone(folder, program))) });
  const rows = costs
    .map(({ program, bytes, plain, first, whole }) => {
      const [index, complete] = [first - nothing.first, whole - nothing.whole];
      return { program, bytes, plain, index, complete, ratio: index / plain };
    })
    .toSorted((a, b) => b.ratio - a.ratio)
    .map(({ program, bytes, plain, index, complete, ratio }) => [
      program,
      (bytes / MB).toFixed(1),
      perMegabyte(plain, bytes),
      perMegabyte(index, bytes),
      times(ratio),
      perMegabyte(complete, bytes),
      times(complete / plain),
    ]);
  table(
    `each program alone: milliseconds computed for a megabyte, without what an empty home takes (${ms(nothing.first)})`,
    ["", "MB", "plain parse", "first index", "", "with tools' texts", ""],
    rows,
  );
}

async function costAlone(folder: string, program: string | undefined) {
  const home = join(folder, "home");
  mkdirSync(home);
  if (program !== undefined) makeProgram(home, program, ALONE_MB * MB);
  const files = filesBelow(home);
  const plain = await costOfPlainParse(files);
  const server = await serveRecall(home, join(folder, "ours"), projectsIn(home));
  const first = await firstIndex(server);
  const rest = await completion(server);
  await server.close();
  return {
    bytes: bytesOf(files),
    plain: plain.computed,
    first: first.computed,
    whole: first.computed + rest.computed,
  };
}
