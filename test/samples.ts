// Where tests find samples: those in test/samples were made for the tests. Real
// data beside the checkout is an addition: scripts/test.ts says what was skipped
// without it, by the mark in the names of these tests.
import { existsSync } from "node:fs";
import { join } from "node:path";

export const SAMPLES = join(import.meta.dirname, "samples");

export const REAL_DATA = join(import.meta.dirname, "..", "..", "shared", "data");

/** In the name of every test that needs real data. */
export const REAL = "(real data)";

/** A folder of real data, which may be missing. */
export function realData(...names: readonly string[]): { readonly folder: string; readonly isHere: boolean } {
  const folder = join(REAL_DATA, ...names);
  return { folder, isHere: existsSync(folder) };
}

/** Homes with conversations of several programs, and how many there are of each. */
export const HOMES = [
  {
    of: "the sample home",
    folder: join(SAMPLES, "home"),
    isHere: true,
    isReal: false,
    found: { "claude-code": 3, cursor: 3, windsurf: 0, codex: 1, gemini: 1 },
  },
  {
    of: `the real home ${REAL}`,
    ...realData("conversations", "home"),
    isReal: true,
    found: { "claude-code": 10, cursor: 31, windsurf: 0, codex: 1, gemini: 1 },
  },
];
