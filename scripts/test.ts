// npm test: every check there is, each to its end, and a summary. Arguments go
// to the test runner: `npm test -- src/tools`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bringChromium } from "./chromium.mjs";
import { devTool } from "./dev-tool.mjs";
import { bringWine } from "./wine.mjs";

const folder = mkdtempSync(join(tmpdir(), "commonplace-report-"));
const report = join(folder, "report.json");

if (bringChromium() === undefined) console.log("There is no Chromium here: the tests of the page are skipped.");
// Wine takes half a minute to bring, so that it is brought only where its tests are asked for.
const asked = process.argv.slice(2);
if (asked.length === 0 || asked.some((path) => "test/e2e/windows.test.ts".includes(path)))
  if (bringWine() === undefined) console.log("There is no Wine here: the tests on Windows' Node are skipped.");

const checks: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["types", [devTool("typescript")]],
  ["types of the page", [devTool("typescript"), "-p", "web"]],
  ["lint", [devTool("oxlint")]],
  ["format", [devTool("oxfmt"), "--check"]],
  [
    "tests",
    [
      devTool("vitest"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
  ],
];

const rows = checks.map(([name, args]) => {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { name, ok: status === 0, seconds };
});

console.log("");
for (const { name, ok, seconds } of rows) {
  console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(17)} ${seconds.padStart(6)} s`);
}
console.log(`\n${countTests()}`);
rmSync(folder, { recursive: true });
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

function countTests(): string {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
    return `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  } catch {
    return "The tests did not run to their end.";
  }
}
