import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { DEFINED_CONSTANTS } from "./scripts/program-constants.ts";
import { CheapestFirst } from "./test/cheapest-first.ts";
import { PROGRAMS, SHARED, TIER, TIER_1, UNIT } from "./test/tiers.ts";
import { WORKERS } from "./test/turns.ts";

/** Those of these test files whose text this matches. */
const matching = (files: readonly string[], text: RegExp) =>
  files.filter((file) => text.test(readFileSync(join(import.meta.dirname, file), "utf8")));
const filesOf = (patterns: readonly string[]) =>
  globSync(patterns, { cwd: import.meta.dirname }).map((file) => file.replaceAll("\\", "/"));

const UNITS = TIER === "2" ? [] : filesOf(UNIT);
const PROGRAMS_OF_TIER = filesOf(PROGRAMS).filter((file) => TIER === undefined || file in TIER_1 === (TIER === "1"));

// Wall-clock time, the memory of a process and the tasks of a window depend on
// what else runs: these tests run one at a time, after all others. Those of growth
// (test/growth.ts) compare the least CPU time of several runs, and need not.
const MEASURES = /memoryUsage\(|peakMemory|memory\(\)|memoryOf|performance\.now\(\) -|longest-task/;
const MEASURED = matching(UNITS, MEASURES);
const MEASURED_PROGRAMS = matching(PROGRAMS_OF_TIER, MEASURES);
const SHARED_PROGRAMS = PROGRAMS_OF_TIER.filter((file) => matchesGlob(file, SHARED));

// Tests that replace modules, functions, the clock or variables for the whole
// process run in one of their own; one module graph serves all others.
const REPLACES = /\bvi\.|simulated-file-systems|syncBuiltinESMExports|process\.(?:env\b|chdir|umask|on\()/;
const ISOLATED = matching(UNITS, REPLACES).filter((file) => !MEASURED.includes(file));

const ALONE = { maxWorkers: 1, sequence: { groupOrder: 1 } };
const PACKED = { globalSetup: ["test/processes/packed-program.ts"] };

function project(name: string, test: NonNullable<TestProjectInlineConfiguration["test"]>) {
  return { extends: true as const, test: { name, maxWorkers: WORKERS, ...test } };
}

const without = (files: readonly string[], ...others: (readonly string[])[]) =>
  files.filter((file) => !others.flat().includes(file));

export default defineConfig({
  define: DEFINED_CONSTANTS,
  test: {
    // It would order the files by what the last run on this machine saw.
    cache: false,
    sequence: { sequencer: CheapestFirst },
    // A limit only ends what hangs: on a busy machine a test of 3 s takes a minute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    setupFiles: ["test/each-file.ts"],
    // What a browser shows is waited for; a busy machine is slow to show it.
    expect: { poll: { timeout: 120_000 } },
    projects: [
      project("programs", { include: without(PROGRAMS_OF_TIER, MEASURED_PROGRAMS, SHARED_PROGRAMS), ...PACKED }),
      project("shared", {
        include: without(SHARED_PROGRAMS, MEASURED_PROGRAMS),
        globalSetup: ["test/postgres/cluster.ts", ...PACKED.globalSetup],
      }),
      project("unit", { include: without(UNITS, ISOLATED, MEASURED), isolate: false }),
      project("isolated", { include: ISOLATED }),
      project("measured-programs", { include: MEASURED_PROGRAMS, ...PACKED, ...ALONE }),
      project("measured", { include: MEASURED, ...ALONE }),
    ],
  },
});
