// The last lines of a run of the tests: its checks, what failed, the processor's
// time, and how many tests passed. Used by ../test.ts.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

export interface Row {
  readonly name: string;
  readonly state: "ok" | "FAILED" | "skipped";
  readonly seconds: number;
  readonly note?: string;
  /** The file with the results of a check that is made of tests. */
  readonly report?: string;
}

export interface RunFacts {
  readonly hasRealData: boolean;
  /** Undefined where the system does not say. */
  readonly processorSeconds: number | undefined;
  readonly wasStopped: boolean;
}

export function lastLines(rows: readonly Row[], { hasRealData, processorSeconds, wasStopped }: RunFacts): string {
  return [
    "",
    ...rows.map(
      ({ name, state, seconds, note }) =>
        `${state.padEnd(7)}  ${name.padEnd(21)} ${seconds.toFixed(1).padStart(6)} s${note ? `  ${note}` : ""}`,
    ),
    ...failuresOf(rows).map((failure) => `\n${failure}`),
    ...(hasRealData ? [] : ["\nSkipped without ../shared/data: the tests of real vaults, outlines and conversations."]),
    ...(processorSeconds === undefined ? [] : [`\nProcessor: ${processorSeconds.toFixed(0)} s, children included`]),
    ...(wasStopped ? ["Stopped before its end."] : []),
    countTests(rows),
  ].join("\n");
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Undefined if the check is not made of tests, or was killed before it could write it. */
function reportOf({ report }: Row): Report | undefined {
  return report !== undefined && existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
}

/** Files that failed with none of their tests: they could not be loaded, or prepared. */
function failedAsAWhole({ testResults }: Report): Report["testResults"] {
  return testResults.filter(
    ({ message, assertionResults }) => message && !assertionResults.some(({ status }) => status === "failed"),
  );
}

/** What failed, once more at the end: a log of CI may be kept by its last lines alone. */
function failuresOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const report = reportOf(row);
    if (report === undefined) return [];
    const tests = report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map((test) => `${fileOf(name)}: ${test.fullName}\n${beginningOf(test.failureMessages.join("\n"))}`),
    );
    const files = failedAsAWhole(report).map(({ name, message }) => `${fileOf(name)}\n${beginningOf(message)}`);
    return [...tests, ...files];
  });
}

function fileOf(name: string): string {
  return relative(process.cwd(), name);
}

function beginningOf(message: string): string {
  const lines = message.split("\n").filter((line) => !line.includes("node_modules"));
  return lines.slice(0, 6).join("\n").slice(0, 1_000);
}

/** A check that is not made of tests, and a file that failed as a whole, count as one. */
function countTests(rows: readonly Row[]): string {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const row of rows) {
    const report = reportOf(row);
    const failed = report === undefined ? 0 : report.numFailedTests + failedAsAWhole(report).length;
    counts.passed += report?.numPassedTests ?? (row.state === "ok" ? 1 : 0);
    counts.failed += row.state === "FAILED" ? Math.max(1, failed) : 0;
    counts.skipped += (report?.numPendingTests ?? 0) + (row.state === "skipped" ? 1 : 0);
  }
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}
