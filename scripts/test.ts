// npm run check: the checks that take seconds, and the unit tests.
// npm test: tier 1 of test/tiers.ts. It uses what this machine has, and installs
// nothing. Arguments go to the test runner: `npm test -- src/tools`.
// npm run test:all: tier 2, which is everything else. It installs what it needs.
// npm run test:long: the campaigns of test/campaign.ts in their long form.
// Every check runs to its end; the last line says how many passed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNode } from "../bin/older-node.js";
import { findChromium, findOrInstallChromium } from "./chromium.mjs";
import { devTool } from "./dev-tool.mjs";
import { installNode, RELEASES } from "./node-releases.mjs";
import { findNginx, findOrInstallNginx } from "./nginx.mjs";
import { findOrInstallPostgresql, findPostgresql } from "./postgresql.mjs";
import { Failure } from "./steps.mjs";
import { findOrInstallWine, findWine } from "./windows/wine.mjs";
import { lastLines, type Row } from "./test/last-lines.ts";
import { REAL_DATA } from "../test/samples.ts";
import { TIER_1 } from "../test/tiers.ts";

/**
 * What runs on other releases of Node too: a sample of what the program gets from
 * Node. All other tests would fail on every release alike.
 */
const ON_OTHER_RELEASES = {
  "test/e2e/package/package.test.ts": "start, arguments, standard streams, compiled code",
  "test/e2e/protocol/http.test.ts": "the HTTP server",
  "test/e2e/background-reader.test.ts": "threads and processes",
  "test/e2e/files/foreign-stores.test.ts": "SQLite, and databases of other programs",
  "test/e2e/described-examples.test.ts": "every tool: files, locks, stores, full text",
};

/** The same in `npm test`, on the oldest release, if it is on this machine. */
const ON_OLDEST = ["test/e2e/package/package.test.ts"];

/** Programs that some tests need, with the folder of these tests, the dearest last. */
const TEST_PROGRAMS = [
  { name: "Chromium", folder: "test/page/", find: findChromium, install: findOrInstallChromium },
  { name: "PostgreSQL", folder: "test/postgres/", find: findPostgresql, install: findOrInstallPostgresql },
  { name: "nginx", folder: "test/postgres/http/", find: findNginx, install: findOrInstallNginx },
  { name: "Wine", folder: "test/e2e/windows/", find: findWine, install: findOrInstallWine },
];

const CAMPAIGNS = /\/campaign\.ts"/;

/** Projects of vitest.config.ts. */
const UNIT_TESTS = ["unit", "isolated", "measured"].map((name) => `--project=${name}`);
const PROGRAM_TESTS = ["programs", "shared", "measured-programs"].map((name) => `--project=${name}`);

/** Bytes that the temporary files of the unit tests may take together, several times over. */
const ENOUGH_MEMORY = 4 * 1024 ** 3;

const ROOT = join(import.meta.dirname, "..");

const folder = mkdtempSync(join(tmpdir(), "commonplace-report-"));
const rows: Row[] = [];

let running: ReturnType<typeof spawn> | undefined;
let wasStopped = false;
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const)
  process.on(signal, () => {
    wasStopped = true;
    // Ctrl-C reaches it by itself.
    if (signal !== "SIGINT") running?.kill(signal);
  });

const [task, ...asked] = process.argv.slice(2);
switch (task) {
  case "check":
    await checkSource();
    await checkTests("unit tests", [...UNIT_TESTS, ...asked], withFilesInMemory(process.env));
    break;
  case "test":
    for (const { name, folder: tests, find } of TEST_PROGRAMS)
      if (find() === undefined && Object.keys(TIER_1).some((file) => file.startsWith(tests)))
        console.log(`There is no ${name} here: the tests in ${tests} that need it are skipped.`);
    await checkSource();
    if (asked.length > 0) await checkTests("tests", asked, process.env);
    else {
      await checkTests("unit tests", UNIT_TESTS, withFilesInMemory(process.env));
      await checkTests("program tests", PROGRAM_TESTS, inTier("1"));
      await checkOnOldest();
    }
    break;
  case "test:all":
    {
      const skipped = installTestPrograms();
      await checkTests("tests", asked, asked.length > 0 ? process.env : inTier("2"));
      if (asked.length > 0) break;
      if (skipped.length > 0) await checkTests("skipped by npm test", skipped, process.env);
      await checkOnOtherReleases();
    }
    break;
  case "test:long":
    await checkTests(
      "long tests",
      asked.length > 0 ? asked : testsOf(["src/**/*.test.ts", "test/**/*.test.ts"], CAMPAIGNS),
      { ...process.env, COMMONPLACE_LONG_TESTS: "1" },
    );
    break;
}

console.log(lastLines(rows, { hasRealData: existsSync(REAL_DATA), processorSeconds: processorSeconds(), wasStopped }));
rmSync(folder, { recursive: true });
process.exitCode = wasStopped || rows.some(({ state }) => state === "FAILED") ? 1 : 0;

async function checkSource(): Promise<void> {
  await check("types", types(".", "types"));
  await check("types of the page", types("web", "types-of-the-page"));
  await check("lint", [devTool("oxlint")]);
  await check("format", [devTool("oxfmt"), "--check"]);
}

async function check(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  report?: string,
): Promise<void> {
  if (wasStopped) return;
  const started = performance.now();
  running = spawn(process.execPath, args, { stdio: "inherit", env });
  const [status] = (await once(running, "exit")) as [number | null];
  const seconds = (performance.now() - started) / 1000;
  rows.push({ name, state: status === 0 ? "ok" : "FAILED", seconds, ...(report !== undefined && { report }) });
}

/** @param args of the test runner */
function checkTests(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const report = join(folder, `${rows.length}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return check(name, [devTool("vitest"), "run", ...reporters, ...args], env, report);
}

function inTier(tier: "1" | "2"): NodeJS.ProcessEnv {
  return { ...process.env, COMMONPLACE_TIER: tier };
}

/** Of this process and of all that it has waited for, theirs included; undefined where only Linux would know it. */
function processorSeconds(): number | undefined {
  if (process.platform !== "linux") return undefined;
  // After the name of the program, which may contain anything: utime, stime, cutime and cstime in hundredths.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
}

/**
 * Temporary files in memory, where Linux has room for them: the unit tests write
 * 40,000 files and sync many of them, a third of their CPU time on a disk.
 * Program tests use the disk.
 */
function withFilesInMemory(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const place = "/dev/shm";
  if (env["TMPDIR"] !== undefined || !existsSync(place)) return env;
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < ENOUGH_MEMORY) return env;
  const inMemory = mkdtempSync(join(place, "commonplace-check-"));
  // Some tests run programs as another user.
  chmodSync(inMemory, 0o755);
  process.on("exit", () => rmSync(inMemory, { recursive: true, force: true }));
  return { ...env, TMPDIR: inMemory };
}

/** Only what changed since the last check is checked again: 1 to 3 s of CPU time instead of 8. */
function types(project: string, name: string): string[] {
  return [devTool("typescript"), "-p", project, "--incremental", "--tsBuildInfoFile", `node_modules/.made-${name}`];
}

/** Says first what it will install. @returns the tests of tier 1 that were skipped without it */
function installTestPrograms(): string[] {
  const missing = TEST_PROGRAMS.filter(({ folder: tests, find }) => find() === undefined && mayRun(tests));
  if (missing.length > 0)
    console.log(
      `Missing here, and installed if this is root on Debian: ${missing.map(({ name }) => name).join(", ")}.`,
    );
  return missing.flatMap(({ name, folder: tests, install }) => {
    if (install() !== undefined) return Object.keys(TIER_1).filter((file) => file.startsWith(tests));
    console.log(`There is no ${name} here: the tests in ${tests} that need it are skipped.`);
    return [];
  });
}

/** Whether tests of this folder are among those that were asked for. */
function mayRun(tests: string): boolean {
  return asked.length === 0 || asked.some((path) => path.startsWith(tests) || tests.startsWith(path));
}

async function checkOnOldest(): Promise<void> {
  const [release] = RELEASES?.tested ?? [];
  if (release === undefined) return;
  const name = `tests on Node ${release}`;
  const node = findRelease(release);
  if (node !== undefined) await checkOn(node, name, ON_OLDEST);
  else
    rows.push({ name, state: "skipped", seconds: 0, note: "it is not on this machine; npm run test:all installs it" });
}

async function checkOnOtherReleases(): Promise<void> {
  for (const release of RELEASES?.tested ?? []) {
    const name = `tests on Node ${release}`;
    const node = await findOrInstallNode(release);
    if (node !== undefined) await checkOn(node, name, Object.keys(ON_OTHER_RELEASES));
    // In CI an untested release is a failure: its log may go unread.
    else
      rows.push({
        name,
        state: process.env["CI"] ? "FAILED" : "skipped",
        seconds: 0,
        note: "it could not be installed",
      });
  }
}

async function checkOn(node: string, name: string, files: readonly string[]): Promise<void> {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`scripts/test.ts lists tests that do not exist: ${missing.join(", ")}`);
  await checkTests(name, files, { ...process.env, COMMONPLACE_TEST_NODE: node });
}

/** Those of these test files whose text this matches. */
function testsOf(files: readonly string[], text: RegExp): string[] {
  return globSync(files).filter((file) => text.test(readFileSync(file, "utf8")));
}

/** @returns the program of that release, installed into `.node/` if need be; undefined without a network */
async function findOrInstallNode(release: string): Promise<string | undefined> {
  const place = placeOf(release);
  try {
    return await installNode(place, release, `Installing Node ${release} into ${place}, to test with.`);
  } catch (error) {
    // Without a message it was stopped.
    if (!(error instanceof Failure) || error.message === "") throw error;
    console.error(error.message);
    return undefined;
  }
}

function findRelease(release: string): string | undefined {
  const node = findNode(join(ROOT, placeOf(release)));
  if (node === undefined) return undefined;
  return spawnSync(node, ["--version"], { encoding: "utf8" }).stdout === `v${release}\n` ? node : undefined;
}

function placeOf(release: string): string {
  return join(".node", "releases", release);
}
