import { describe, expect, it } from "vitest";
import type { Change, History } from "./git/history.ts";
import { nearnessOf } from "./nearness.ts";

/** Newest first, each with the files of one commit. */
function historyOf(...commits: readonly (readonly string[])[]): History {
  const changes = commits.map((files, i): Change => ({ files, age: { commits: i, days: 0 } }));
  return { commits: [], activity: new Map(), changes };
}

const times = (count: number, ...files: readonly string[]) => Array.from({ length: count }, () => files);

const NOTHING: ReadonlySet<string> = new Set();

describe("a file is near to what is being worked on", () => {
  it("the more often it changed together with that, wherever it is", () => {
    const other = ["q/other.md"];
    const near = nearnessOf(
      historyOf(["a/work.ts"], other, ["a/work.ts", "b/often.sql"], ["a/work.ts", "b/often.sql", "c/once.css"], other),
      NOTHING,
    );
    expect(near("b/often.sql")).toBeGreaterThan(near("c/once.css"));
    expect(near("c/once.css")).toBeGreaterThan(0);
    expect(near("d/never.ts")).toBe(0);
  });

  it("the less, the longer ago that was worked on, down to nothing", () => {
    const near = nearnessOf(historyOf(["a/1.ts"], ["b/1.ts"], ["c/1.ts"], ...times(30, "d/1.ts")), NOTHING);
    const beside = ["a/x.ts", "b/x.ts", "c/x.ts"].map(near);
    expect(beside).toEqual(beside.toSorted((a, b) => b - a));
    expect(new Set(beside).size).toBe(3);
    const later = nearnessOf(historyOf(...times(30, "a/1.ts"), ["b/1.ts"]), NOTHING);
    expect(later("b/x.ts")).toBe(0);
  });

  it("in its folder, and half as near right above it, not below it", () => {
    const near = nearnessOf(historyOf(["a/b/work.ts"]), NOTHING);
    expect(near("a/beside.ts")).toBeCloseTo(near("a/b/beside.ts") / 2);
    expect(near("a/b/c/below.ts")).toBe(0);
    expect(near("top.ts")).toBe(0);
  });

  it("if it shares its name, as a test does with its source, but not a name that every folder has", () => {
    const near = nearnessOf(historyOf(["src/work.ts", "src/index.ts"]), NOTHING);
    expect(near("test/work.test.ts")).toBeGreaterThan(0);
    expect(near("test/index.ts")).toBe(0);
  });

  it("by changes that are not committed yet, before all that is", () => {
    const history = historyOf(["a/last.ts"], ["b/now.ts", "c/with-it.ts"], ["a/last.ts"]);
    const near = nearnessOf(history, new Set(["b/now.ts"]));
    expect(near("b/beside.ts")).toBeGreaterThanOrEqual(near("a/beside.ts"));
    expect(near("c/with-it.ts")).toBeGreaterThan(nearnessOf(history, NOTHING)("c/with-it.ts"));
    expect(nearnessOf(historyOf(), new Set(["x/y.ts"]))("x/z.ts")).toBeGreaterThan(0);
  });

  it("from 0 to 1, and not by a commit that changed everything", () => {
    const everything = Array.from({ length: 101 }, (_, i) => `all/${i}.ts`);
    const hot = historyOf(...times(50, "a/x.ts", "a/x.test.ts"), everything);
    const near = nearnessOf(hot, new Set(["a/x.ts"]));
    expect(near("a/x.test.ts")).toBeGreaterThan(0.7);
    expect(near("a/x.test.ts")).toBeLessThanOrEqual(1);
    expect(nearnessOf(historyOf(everything), NOTHING)("all/1.ts")).toBe(0);
  });
});
