// A process of the tests that prints `ready` once it works and, unless it is
// killed, a report in JSON at its end. Used by the tests of indexes and stores
// that several processes share.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";

interface ReportingChild<R> {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ready: Promise<void>;
  /** Undefined if it was killed before its end. */
  readonly report: Promise<R | undefined>;
}

export function reportOf<R>(child: ChildProcessWithoutNullStreams): ReportingChild<R> {
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ready = (async () => {
    while (!output.includes("ready")) await once(child.stdout, "data");
  })();
  const report = once(child, "close").then(() => {
    expect(errors).toBe("");
    const line = output.split("\n").find((each) => each.startsWith("{"));
    return line === undefined ? undefined : (JSON.parse(line) as R);
  });
  return { child, ready, report };
}
