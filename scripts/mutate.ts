// npm run mutate -- FOLDER [--seed S] [--count N]: puts random small faults into
// the source below a folder, one at a time and in memory, and prints those that
// no near unit test sees, with the tests that ran. mutate/mutants.ts lists the
// faults, and mutate/nearest-tests.ts the tests, of which --tests limits the number.
//
// The same seed on the same commit chooses the same mutants; without one it is
// the commit's hash. `--at FILE:LINE` takes all mutants of a line instead. A mutant
// without the end of a test for two minutes counts as seen, and so does one that
// the types refuse: they are asked after the nearest tests, in a copy of the source.
// The rooms shared/ are left out: their tests are test/postgres, with a server.
import { execFileSync, fork, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { devTool } from "./dev-tool.mjs";
import { type Mutant, mutantsOf, mutated } from "./mutate/mutants.ts";
import { NearestTests } from "./mutate/nearest-tests.ts";
import type { Order, Report } from "./mutate/test-runner.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    count: { type: "string", default: "40" },
    at: { type: "string" },
    tests: { type: "string", default: "24" },
  },
});
const seed = values.seed ?? execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
const folder = positionals[0] ?? values.at?.split(":")[0];
if (folder === undefined) throw new Error("Name a folder of the source: npm run mutate -- src/journal");

/** Tests of the first round: most mutants are seen by the nearest. */
const FIRST = 3;
/** Milliseconds without the end of any test: it does not end. */
const PATIENCE = 120_000;

// What tests leave behind when a mutant is ended is removed with this folder.
const temporary = mkdtempSync(join(tmpdir(), "commonplace-mutants-"));
let runner: ChildProcess | undefined;
process.on("exit", () => {
  endRunner();
  rmSync(temporary, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

function endRunner(): void {
  // The processes of its tests are in its group.
  if (runner?.pid !== undefined && runner.exitCode === null && runner.signalCode === null)
    process.kill(-runner.pid, "SIGKILL");
  runner = undefined;
}

async function startedRunner(): Promise<ChildProcess> {
  if (runner !== undefined) return runner;
  runner = fork(join(root, "scripts", "mutate", "test-runner.ts"), {
    cwd: root,
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await answerOf(runner);
  return runner;
}

/** Undefined if the child is silent for too long, or has ended. */
function answerOf(child: ChildProcess, order?: Order): Promise<Report | undefined> {
  return new Promise((resolve) => {
    const onSilence = () => done(undefined);
    let timer = setTimeout(onSilence, PATIENCE);
    const onMessage = (said: Report | "alive") => {
      if (said !== "alive") return done(said);
      clearTimeout(timer);
      timer = setTimeout(onSilence, PATIENCE);
    };
    const done = (report: Report | undefined) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onSilence);
      resolve(report);
    };
    child.on("message", onMessage).on("exit", onSilence);
    if (order !== undefined) child.send(order);
  });
}

const usual = new Map<string, boolean>();

/** Whether a test passes without a mutant: one that fails anyway sees nothing. */
async function passes(test: string): Promise<boolean> {
  if (!usual.has(test)) {
    const report = await answerOf(await startedRunner(), { file: test, source: undefined, tests: [test] });
    if (report === undefined) endRunner();
    usual.set(test, report !== undefined && report.failed === undefined);
    if (usual.get(test) === false)
      console.log(`Left out, since it fails without a mutant: ${test} (${report?.failed})`);
  }
  return usual.get(test)!;
}

/** What sees the mutant; undefined if nothing does. The types cost less than the tests that are further away. */
async function seenBy(mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
  return (
    (await seenByTest(mutant, tests.slice(0, FIRST))) ??
    (isSeenByTypes(mutant) ? "the types" : await seenByTest(mutant, tests.slice(FIRST)))
  );
}

async function seenByTest(mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
  const source = mutated(readFileSync(join(root, mutant.file), "utf8"), mutant);
  for (let rest = tests; ;) {
    rest = rest.filter((test) => usual.get(test) !== false);
    if (rest.length === 0) return undefined;
    const report = await answerOf(await startedRunner(), { file: mutant.file, source, tests: rest });
    if (report === undefined) {
      endRunner();
      return "its limit of time";
    }
    const { failed, broken } = report;
    if (broken !== undefined) throw new Error(broken);
    if (failed === undefined) return undefined;
    if (!tests.includes(failed) || (await passes(failed))) return failed;
  }
}

/** A copy of what is checked by types, made for the first survivor. */
let copy: string | undefined;

function isSeenByTypes(mutant: Mutant): boolean {
  const source = readFileSync(join(root, mutant.file), "utf8");
  if (copy === undefined) {
    copy = join(temporary, "copy");
    const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    for (const name of [...include, "web", ...globSync("*.json", { cwd: root })])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const before = faultsOfTypes(copy);
    if (before.length > 0) throw new Error(`Without a mutant, the types find: ${before.join("\n")}`);
  }
  const file = join(copy, mutant.file);
  writeFileSync(file, mutated(source, mutant));
  const faults = faultsOfTypes(copy);
  writeFileSync(file, source);
  return faults.length > 0;
}

function faultsOfTypes(cwd: string): string[] {
  const tsc = [devTool("typescript"), "-p", ".", "--incremental", "--tsBuildInfoFile", ".types"];
  const { stdout } = spawnSync(process.execPath, tsc, { cwd, encoding: "utf8" });
  // A fault could be written so that nothing is unused or out of reach.
  return stdout.split("\n").filter((line) => /error TS(?!6133|6196|6198|7027|2872|2873)/.test(line));
}

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(text: string): () => number {
  let state = createHash("sha256").update(text).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function chosenMutants(): { readonly chosen: readonly Mutant[]; readonly all: number } {
  const files = folder!.endsWith(".ts") ? [folder!] : globSync(`${folder}/**/*.ts`, { cwd: root });
  const isLeftOut = (file: string) =>
    /\.test\.ts$|\.d\.ts$/.test(file) || (file.includes("/shared/") && !folder!.includes("shared"));
  const sources = files.map((file) => file.replaceAll("\\", "/")).filter((file) => !isLeftOut(file));
  const all = sources.toSorted().flatMap((file) => mutantsOf(file, readFileSync(join(root, file), "utf8")));
  if (values.at !== undefined) {
    const [file, line] = values.at.split(":");
    return { chosen: all.filter((one) => one.file === file && one.line === Number(line)), all: all.length };
  }
  const random = randomFrom(seed);
  const shuffled = all.map((mutant) => ({ mutant, place: random() })).toSorted((a, b) => a.place - b.place);
  return { chosen: shuffled.slice(0, Number(values.count)).map(({ mutant }) => mutant), all: all.length };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 100);

const nearest = new NearestTests(root);
const { chosen, all } = chosenMutants();
console.log(`${chosen.length} of ${all} mutants of ${folder}, seed ${seed}`);
const counts = { tests: 0, time: 0, types: 0, survived: 0 };
for (const [i, mutant] of chosen.entries()) {
  const { file, line, before, after } = mutant;
  const tests = nearest.of(file, Number(values.tests));
  const seen = await seenBy(mutant, tests);
  console.log(
    `${i + 1} ${seen === undefined ? "SURVIVED" : "seen"} ${file}:${line}  ${oneLine(before)}  →  ${oneLine(after)}  ${seen ?? `(${tests.join(", ")})`}`,
  );
  counts[
    seen === undefined ? "survived" : seen === "the types" ? "types" : seen === "its limit of time" ? "time" : "tests"
  ]++;
}
console.log(
  `${counts.tests} seen by tests, ${counts.time} by their limit of time, ${counts.types} by the types; ${counts.survived} survived.`,
);
process.exit(counts.survived > 0 ? 1 : 0);
