// npm test: every check there is, each to its end, and a summary. Arguments go
// to the test runner, and then the tests run on this Node alone: `npm test -- src/tools`.
// npm run check: the checks that take seconds, and the unit tests.
// npm run test:long: the campaigns of test/campaign.ts in their long form.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { findNode } from "../bin/older-node.js";
import { findOrInstallChromium } from "./chromium.mjs";
import { devTool } from "./dev-tool.mjs";
import { prepareNodeInstall, npmCommand, RELEASES } from "./node-releases.mjs";
import { findOrInstallNginx } from "./nginx.mjs";
import { findOrInstallPostgresql } from "./postgresql.mjs";
import { findOrInstallWine } from "./windows/wine.mjs";
import { REAL_DATA } from "../test/samples.ts";

interface Row {
  readonly name: string;
  readonly state: "ok" | "FAILED" | "skipped";
  readonly seconds: number;
  readonly note?: string;
}

/**
 * What runs on other releases of Node too: the tests of what the program gets
 * from Node, and one that calls every tool. All others would fail on every
 * release alike.
 */
const ON_OTHER_RELEASES = [
  // Start, arguments, standard streams, terminals, signals.
  "e2e/package/package",
  "e2e/package/code-cache",
  "e2e/commands/command-line",
  "e2e/commands/output",
  "e2e/protocol/bad-input",
  "e2e/protocol/bursts",
  // The HTTP server.
  "e2e/protocol/http",
  "e2e/protocol/media",
  "e2e/protocol/ports",
  "e2e/protocol/serving",
  // Threads, processes, compression.
  "e2e/background-reader",
  "e2e/background-finish",
  "e2e/files/pdf-search",
  "e2e/commands/import",
  // Files that are opened, watched, locked and replaced.
  "e2e/files/own-files",
  "e2e/files/refused-home",
  "faults/killed-readers",
  "faults/memory",
  "faults/processes",
  // SQLite: stores, full text, databases of other programs.
  "e2e/files/foreign-stores",
  "e2e/recall",
  "e2e/search",
  // Every tool.
  "e2e/described-examples",
].map((name) => `test/${name}.test.ts`);

const CAMPAIGNS = /\/campaign\.ts"/;

/** Projects of vitest.config.ts. */
const UNIT_TESTS = ["unit", "isolated", "measured"].map((name) => `--project=${name}`);

/** Bytes that the temporary files of the unit tests may take together, several times over. */
const ENOUGH_MEMORY = 4 * 1024 ** 3;

const folder = mkdtempSync(join(tmpdir(), "commonplace-report-"));
const rows: Row[] = [];
const reports: string[] = [];

const [task, ...asked] = process.argv.slice(2);
if (task === "test:long") {
  const env = { ...process.env, COMMONPLACE_LONG_TESTS: "1" };
  check(
    "long tests",
    vitest(asked.length > 0 ? asked : testsOf(["src/**/*.test.ts", "test/**/*.test.ts"], CAMPAIGNS)),
    env,
  );
} else {
  if (task === "test") installTestPrograms();
  check("types", types(".", "types"));
  check("types of the page", types("web", "types-of-the-page"));
  check("lint", [devTool("oxlint")]);
  check("format", [devTool("oxfmt"), "--check"]);
  if (task === "check") check("unit tests", vitest([...UNIT_TESTS, ...asked]), withFilesInMemory(process.env));
  else check("tests", vitest(asked));
  if (task === "test" && asked.length === 0) checkOnOtherReleases();
}

console.log("");
for (const { name, state, seconds, note } of rows) {
  console.log(`${state.padEnd(7)}  ${name.padEnd(21)} ${seconds.toFixed(1).padStart(6)} s${note ? `  ${note}` : ""}`);
}
for (const failure of failures()) console.log(`\n${failure}`);
console.log(`\n${countTests()}`);
rmSync(folder, { recursive: true });
process.exitCode = rows.some(({ state }) => state === "FAILED") ? 1 : 0;

function check(name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  rows.push({ name, state: status === 0 ? "ok" : "FAILED", seconds: (performance.now() - started) / 1000 });
}

/**
 * Temporary files in memory, where Linux has room for them: the unit tests write
 * 40,000 files and sync many of them, a third of their CPU time on a disk.
 * `npm test` runs the same tests on the disk.
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

function vitest(args: readonly string[]): string[] {
  const report = join(folder, `${reports.length}.json`);
  reports.push(report);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return [devTool("vitest"), "run", ...reporters, ...args];
}

function installTestPrograms(): void {
  if (findOrInstallChromium() === undefined)
    console.log("There is no Chromium here: the tests of the page are skipped.");
  if (findOrInstallPostgresql() === undefined)
    console.log("There is no PostgreSQL here: the tests of the shared store are skipped.");
  if (findOrInstallNginx() === undefined)
    console.log("There is no nginx here: the tests of servers behind a proxy are skipped.");
  // Wine takes half a minute to install: only if its tests will run.
  if (
    asked.length === 0 ||
    asked.some((path) => path.startsWith("test/e2e/windows") || "test/e2e/windows".startsWith(path))
  )
    if (findOrInstallWine() === undefined)
      console.log("There is no Wine here: the tests on Windows' Node are skipped.");
}

function checkOnOtherReleases(): void {
  const missing = ON_OTHER_RELEASES.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`scripts/test.ts lists tests that do not exist: ${missing.join(", ")}`);
  for (const release of RELEASES?.tested ?? []) {
    const name = `tests on Node ${release}`;
    const node = findOrInstallNode(release);
    if (node !== undefined) check(name, vitest(ON_OTHER_RELEASES), { ...process.env, COMMONPLACE_TEST_NODE: node });
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

/** Those of these test files whose text this matches. */
function testsOf(files: readonly string[], text: RegExp): string[] {
  return globSync(files).filter((file) => text.test(readFileSync(file, "utf8")));
}

/** @returns the program of that release, from `.node/` where it was installed before; undefined without a network */
function findOrInstallNode(release: string): string | undefined {
  const place = join(".node", "releases", release);
  const root = join(import.meta.dirname, "..");
  const isRight = (node: string | undefined) =>
    node !== undefined && spawnSync(node, ["--version"], { encoding: "utf8" }).stdout === `v${release}\n`;
  if (!isRight(findNode(join(root, place)))) {
    console.log(`Installing Node ${release} into ${place}, to test with.`);
    const [command, ...first] = npmCommand();
    const shell = command.endsWith(".cmd");
    spawnSync(command, [...first, ...prepareNodeInstall(place, release)], { cwd: root, stdio: "inherit", shell });
  }
  const node = findNode(join(root, place));
  return isRight(node) ? node : undefined;
}

/** What failed, once more at the end: a log of CI may be kept by its last lines alone. */
function failures(): string[] {
  const found: string[] = [];
  for (const report of reports.filter((file) => existsSync(file))) {
    for (const { name, message, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
      const file = relative(process.cwd(), name);
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === "failed") found.push(`${file}: ${fullName}\n${beginningOf(failureMessages.join("\n"))}`);
      // A file that could not be loaded has no tests.
      if (message) found.push(`${file}\n${beginningOf(message)}`);
    }
  }
  return found;
}

function beginningOf(message: string): string {
  const lines = message.split("\n").filter((line) => !line.includes("node_modules"));
  return lines.slice(0, 6).join("\n").slice(0, 1_000);
}

function countTests(): string {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    try {
      const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
      counts.passed += numPassedTests;
      counts.failed += numFailedTests;
      counts.skipped += numPendingTests;
    } catch {
      return "The tests did not run to their end.";
    }
  }
  const sum = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  if (existsSync(REAL_DATA)) return sum;
  return `${sum}\nSkipped without ../shared/data: the tests of real vaults, outlines and conversations.`;
}
