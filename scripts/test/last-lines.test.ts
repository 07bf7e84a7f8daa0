import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { lastLines, type Row } from "./last-lines.ts";

const FACTS = { hasRealData: true, processorSeconds: 12.6, wasStopped: false };
const last = (rows: readonly Row[], facts = {}) => lastLines(rows, { ...FACTS, ...facts }).split("\n");

/** A check of tests with these results. */
function tests(results: object, state: Row["state"] = "ok"): Row {
  const report = join(temporaryFolder(), "report.json");
  writeFileSync(report, JSON.stringify(results));
  return { name: "unit tests", state, seconds: 61.25, report };
}

const passed = { status: "passed", fullName: "a note is read", failureMessages: [] };
const failed = {
  status: "failed",
  fullName: "a note is written",
  failureMessages: ["AssertionError: 1 is not 2\n at node_modules/x.js\n at src/note.test.ts:3:4"],
};
const ONE_FAILED = {
  numPassedTests: 7,
  numFailedTests: 1,
  numPendingTests: 2,
  testResults: [{ name: join(process.cwd(), "src/note.test.ts"), message: "", assertionResults: [passed, failed] }],
};

it("the last lines of a run end with its processor time and its counts", () => {
  const lines = last([
    { name: "types", state: "ok", seconds: 1 },
    tests({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 2, testResults: [] }),
    { name: "tests on Node 22", state: "skipped", seconds: 0, note: "it is not here" },
  ]);
  expect(lines).toEqual([
    "",
    "ok       types                    1.0 s",
    "ok       unit tests              61.3 s",
    "skipped  tests on Node 22         0.0 s  it is not here",
    "",
    "Processor: 13 s, children included",
    "8 passed, 0 failed, 3 skipped",
  ]);
});

it("the last lines of a run repeat what failed, and end with the counts as well", () => {
  const lines = last([tests(ONE_FAILED, "FAILED")]);
  expect(lines.slice(2)).toEqual([
    "",
    "src/note.test.ts: a note is written",
    "AssertionError: 1 is not 2",
    " at src/note.test.ts:3:4",
    "",
    "Processor: 13 s, children included",
    "7 passed, 1 failed, 2 skipped",
  ]);
});

it("the last lines of a run name files that could not be loaded, each of which is a failure", () => {
  const broken = { name: join(process.cwd(), "src/a.test.ts"), message: "No such file", assertionResults: [] };
  const lines = last([tests({ ...ONE_FAILED, testResults: [...ONE_FAILED.testResults, broken] }, "FAILED")]);
  expect(lines).toContain("src/a.test.ts");
  expect(lines.at(-1)).toBe("7 passed, 2 failed, 2 skipped");
});

it("the last lines of a run count a check without results of tests as one", () => {
  const killed: Row = { name: "unit tests", state: "FAILED", seconds: 1, report: join(temporaryFolder(), "none.json") };
  expect(last([killed, { name: "lint", state: "FAILED", seconds: 1 }], { wasStopped: true }).slice(-2)).toEqual([
    "Stopped before its end.",
    "0 passed, 2 failed, 0 skipped",
  ]);
});

it("the last lines of a run say what it lacked: real data, and a system that measures processor time", () => {
  expect(last([], { hasRealData: false, processorSeconds: undefined })).toEqual([
    "",
    "",
    "Skipped without ../shared/data: the tests of real vaults, outlines and conversations.",
    "0 passed, 0 failed, 0 skipped",
  ]);
});
