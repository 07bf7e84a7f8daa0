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
