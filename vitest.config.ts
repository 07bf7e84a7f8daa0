import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { DEFINED_CONSTANTS } from "./scripts/program-constants.ts";

// Vitest's default on two cores is one worker. Most tests wait for a process that
// they have started, so that two would leave the cores idle for a part of the time.
const WORKERS = 3;

const UNIT = ["{src,eval,web,scripts}/**/*.test.ts", "test/*.test.ts"];
const PROGRAMS = ["test/*/**/*.test.ts"];
/** Those of the shared store, which need a running PostgreSQL. */
const SHARED = ["test/postgres/**/*.test.ts"];

/** Those of these test files whose text this matches. */
const matching = (files: readonly string[], text: RegExp) =>
  globSync(files, { cwd: import.meta.dirname }).filter((file) =>
    text.test(readFileSync(join(import.meta.dirname, file), "utf8")),
  );

// Wall-clock time and the memory of a process depend on what else runs: these
// tests run one at a time, after all others. Those of growth (test/growth.ts)
// compare the least CPU time of several runs, and need not.
const MEASURES = /memoryUsage\(|peakMemory|memory\(\)|memoryOf|performance\.now\(\) -/;
const MEASURED = matching(UNIT, MEASURES);
const MEASURED_PROGRAMS = matching(PROGRAMS, MEASURES);

// Tests that replace modules, functions, the clock or variables for the whole
// process run in one of their own; one module graph serves all others.
const REPLACES = /\bvi\.|simulated-file-systems|syncBuiltinESMExports|process\.(?:env\b|chdir|umask|on\()/;
const ISOLATED = matching(UNIT, REPLACES).filter((file) => !MEASURED.includes(file));

const ALONE = { maxWorkers: 1, sequence: { groupOrder: 1 } };
const PACKED = { globalSetup: ["test/processes/packed-program.ts"] };

function project(name: string, test: NonNullable<TestProjectInlineConfiguration["test"]>) {
  return { extends: true as const, test: { name, maxWorkers: WORKERS, ...test } };
}

export default defineConfig({
  define: DEFINED_CONSTANTS,
  test: {
    // It would order the files by what the last run on this machine saw.
    cache: false,
    // The end-to-end tests start processes; two cores start them slowly.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ["test/end-of-file.ts"],
    // What a browser shows is waited for; a busy machine is slow to show it.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      project("programs", { include: PROGRAMS, exclude: [...MEASURED_PROGRAMS, ...SHARED], ...PACKED }),
      project("shared", { include: SHARED, globalSetup: ["test/postgres/cluster.ts", ...PACKED.globalSetup] }),
      project("unit", { include: UNIT, exclude: [...ISOLATED, ...MEASURED], isolate: false }),
      project("isolated", { include: ISOLATED }),
      project("measured-programs", { include: MEASURED_PROGRAMS, ...PACKED, ...ALONE }),
      project("measured", { include: MEASURED, ...ALONE }),
    ],
  },
});
