// How good the ranking of a project's files is, and how fast: the files that
// each past commit went on to change, ranked as of its parent, against chance
// and modification times; and 1,000 to 100,000 files against git alone.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Project } from "../src/project/project.ts";
import { LineClient } from "./measurement/line-client.ts";
import { randomNumbers } from "./data/words.ts";
import { goal, inTurns, median, ms, table, timed, times } from "./measurement/measure.ts";

const CHECKOUT = join(import.meta.dirname, "..");
/** The more, the less luck: of 60, each first place that is found or missed weighs 0.017. */
const COMMITS = 200;
const FEWEST_COMMITS = 30;
const SIZES = process.env["BENCH_LARGE"] ? [1000, 10_000, 100_000] : [1000, 10_000];

const ENVIRONMENT = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (folder: string, args: readonly string[], input?: string): string =>
  execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e9,
    env: ENVIRONMENT,
    input,
    stdio: ["pipe", "pipe", "ignore"],
  });

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    const own = join(home, "own");
    git(home, ["clone", "--quiet", "--shared", CHECKOUT, own]);
    await evaluate("this repository", own);
    const made = newRepository(join(home, "made"), 400, 200);
    await evaluate("a generated repository", made);
    for (const size of SIZES) await measure(home, size);
    if (SIZES.length < 3) console.log("         (BENCH_LARGE=1 adds 100,000 files)");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Trial {
  readonly size: number;
  /** Places from 1, by way of ranking. */
  readonly places: Readonly<Record<"ours" | "newest" | "chance", readonly number[]>>;
}

/** Ranks the files of each commit's parent, and finds the ranks of those that the commit changes. */
async function evaluate(name: string, folder: string): Promise<void> {
  const commits = git(folder, ["log", "--no-merges", "--format=%H", "HEAD"]).trim().split("\n");
  const trials: Trial[] = [];
  for (const commit of commits.slice(0, -1)) {
    if (trials.length === COMMITS) break;
    const touched = git(folder, [
      "diff-tree",
      "-r",
      "-z",
      "--no-renames",
      "--name-only",
      "--diff-filter=MD",
      `${commit}^`,
      commit,
    ]);
    const paths = touched.split("\0").slice(0, -1);
    if (paths.length === 0) continue;
    git(folder, ["checkout", "--quiet", "--force", "--detach", `${commit}^`]);
    const question = { endings: [], most: Number.POSITIVE_INFINITY, byScore: true };
    const { files } = await new Project(folder, async () => new Map()).files(question);
    const newest = byModification(folder, files);
    const chance = shuffled(files, trials.length + 1);
    const places = (ranking: readonly string[]) => paths.flatMap((path) => ranking.indexOf(path) + 1 || []);
    trials.push({
      size: files.length,
      places: { ours: places(files), newest: places(newest), chance: places(chance) },
    });
  }
  report(
    name,
    trials.filter(({ places }) => places.ours.length > 0),
  );
}

/** A work tree that grew with its history has the time of the last commit on each file; a fresh clone would not. */
function byModification(folder: string, files: readonly string[]): string[] {
  const times = new Map<string, number>();
  let time = 0;
  for (const line of git(folder, [
    "-c",
    "core.quotePath=false",
    "log",
    "--no-renames",
    "--name-only",
    "--format=%x01%ct",
  ]).split("\n")) {
    if (line.startsWith("\u0001")) time = Number(line.slice(1));
    else if (line !== "") times.set(line, Math.max(time, times.get(line) ?? 0));
  }
  return files.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || (a < b ? -1 : 1));
}

function shuffled(files: readonly string[], seed: number): string[] {
  const random = randomNumbers(seed);
  return files
    .map((file) => [random(), file] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, file]) => file);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard error of a mean: what luck makes of it. */
function errorOf(values: readonly number[]): string {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) / values.length).toFixed(3);
}

function report(name: string, trials: readonly Trial[]): void {
  const rowOf = (way: keyof Trial["places"]) => ({
    reciprocal: mean(trials.map(({ places }) => 1 / Math.min(...places[way]))),
    percentile: mean(trials.map(({ places, size }) => mean(places[way].map((place) => 1 - (place - 1) / (size - 1))))),
    inTwenty: mean(trials.map(({ places }) => places[way].filter((place) => place <= 20).length / places[way].length)),
  });
  const rows = { ours: rowOf("ours"), newest: rowOf("newest"), chance: rowOf("chance") };
  table(
    `The files that ${trials.length} commits of ${name} went on to change (${trials.at(-1)?.size} to ${trials[0]?.size} files)`,
    ["", "MRR", "mean percentile", "in the first 20"],
    Object.entries(rows).map(([way, row]) => [
      { ours: "list_project_files", newest: "newest first", chance: "chance" }[way]!,
      row.reciprocal.toFixed(3),
      row.percentile.toFixed(3),
      row.inTwenty.toFixed(3),
    ]),
  );
  goal(trials.length >= FEWEST_COMMITS, `at least ${FEWEST_COMMITS} commits: ${trials.length}`);
  for (const [other, label] of [
    ["chance", "chance"],
    ["newest", "modification time"],
  ] as const) {
    const isBetter = rows.ours.reciprocal > rows[other].reciprocal && rows.ours.percentile > rows[other].percentile;
    const ahead = trials.map(({ places }) => 1 / Math.min(...places.ours) - 1 / Math.min(...places[other]));
    goal(isBetter, `higher than by ${label}, by both measures (MRR by ${mean(ahead).toFixed(3)} ± ${errorOf(ahead)})`);
  }
}

/**
 * A history as real ones are: a few files change often, work stays in one
 * folder for a while, a lock file changes now and then, and every fiftieth
 * commit reformats everything.
 */
function newRepository(folder: string, size: number, commits: number): string {
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", folder], { env: ENVIRONMENT });
  const random = randomNumbers(size);
  const folders = Math.max(4, Math.round(size / 25));
  const paths = Array.from({ length: size }, (_, i) => `src/part${i % folders}/file${i}.ts`);
  paths[0] = "package.json";
  paths[1] = "package-lock.json";
  paths[2] = "README.md";
  const lines: string[] = [];
  const add = (n: number, touched: readonly string[]) => {
    lines.push(
      "commit refs/heads/main",
      `committer A <a@example.com> ${1_700_000_000 + n * 7200} +0000`,
      "data 1",
      "c",
    );
    for (const path of touched) {
      const text =
        path === "package.json" ? `{"name": "made", "version": "1.0.${n}"}` : `// ${path}\nexport const n = ${n};\n`;
      lines.push(`M 100644 inline ${path}`, `data ${text.length}`, text);
    }
    lines.push("");
  };
  add(0, paths);
  let part = 0;
  for (let n = 1; n <= commits; n++) {
    if (random() < 0.15) part = Math.floor(random() * folders);
    const within = paths.filter((path) => path.startsWith(`src/part${part}/`));
    const pick = (from: readonly string[]) => from[Math.floor(from.length * random() ** 2)]!;
    const touched = new Set(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(within.length > 0 ? within : paths)),
    );
    if (random() < 0.2) touched.add(pick(paths));
    if (random() < 0.1) touched.add("package-lock.json").add("package.json");
    add(n, n % 50 === 0 && size <= 10_000 ? paths : [...touched]);
  }
  git(folder, ["fast-import", "--quiet"], lines.join("\n"));
  git(folder, ["reset", "--quiet", "--hard", "main"]);
  return folder;
}

/** git by itself, its output taken in as a program would. */
function bareGit(folder: string, args: readonly string[]): Promise<number> {
  return timed(
    () =>
      new Promise((resolve) => {
        const child = spawn("git", args, { cwd: folder, env: ENVIRONMENT, stdio: ["ignore", "pipe", "ignore"] });
        child.stdout.on("data", () => {});
        child.on("close", resolve);
      }),
  );
}

async function serve(folder: string, home: string): Promise<LineClient> {
  const client = new LineClient([
    join(CHECKOUT, "bin", "commonplace.js"),
    "--project",
    folder,
    "--home",
    join(home, "home"),
  ]);
  await client.initialize();
  await call(client, "get_server_version");
  return client;
}

const call = (client: LineClient, name: string) => client.request("tools/call", { name, arguments: {} });

async function firstCall(folder: string, home: string, name: string): Promise<number> {
  const client = await serve(folder, home);
  const time = await timed(() => call(client, name));
  await client.close();
  return time;
}

const row = (label: string, measured: readonly number[], against: readonly number[]): string[] => [
  label,
  ms(median(measured)),
  times(median(measured) / median(against)),
];

async function measure(home: string, size: number): Promise<void> {
  const folder = newRepository(join(home, `size-${size}`), size, 300);
  // git looks at files that are as young as its index again and again.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  git(folder, ["update-index", "--refresh"]);
  const rounds = size > 10_000 ? 5 : 11;
  const listing = ["ls-files", "-co", "--exclude-standard", "-z"];
  const first = await inTurns(rounds, {
    git: async () => (await bareGit(folder, listing)) + (await bareGit(folder, ["log", "--name-only", "--format=%H"])),
    files: () => firstCall(folder, home, "list_project_files"),
    info: () => firstCall(folder, home, "get_project_info"),
  });
  const client = await serve(folder, home);
  await call(client, "list_project_files");
  await call(client, "get_project_info");
  const edited = join(folder, git(folder, ["ls-files", "src"]).split("\n")[0]!);
  let edits = 0;
  const next = await inTurns(2 * rounds, {
    git: () => bareGit(folder, ["status", "--porcelain=v2", "--branch", "-z"]),
    files: () => timed(() => call(client, "list_project_files")),
    info: () => timed(() => call(client, "get_project_info")),
    edited: async () => {
      writeFileSync(edited, `// ${edits++}\n`);
      return timed(() => call(client, "list_project_files"));
    },
  });
  const memory = client.memory();
  await client.close();
  table(
    `${size.toLocaleString("en")} files (${memory.toFixed(0)} MB)`,
    ["", "p50", "of git"],
    [
      row("git ls-files and git log", first.git, first.git),
      row("list_project_files, first call", first.files, first.git),
      row("get_project_info, first call", first.info, first.git),
      row("git status", next.git, next.git),
      row("list_project_files, next call", next.files, next.git),
      row("list_project_files, a file edited in between", next.edited, next.git),
      row("get_project_info, next call", next.info, next.git),
    ],
  );
  for (const name of ["files", "info"] as const) {
    const ratios = { first: median(first[name]) / median(first.git), next: median(next[name]) / median(next.git) };
    const tool = { files: "list_project_files", info: "get_project_info" }[name];
    goal(ratios.first <= 3, `${tool}, first: at most 3 times git ls-files and git log: ${times(ratios.first)}`);
    goal(ratios.next <= 1.3, `${tool}, next: at most 1.3 times git status: ${times(ratios.next)}`);
  }
}
