// The samples of tests: those in test/samples were made for the tests. Real data
// beside the checkout is optional: scripts/test.ts says what was skipped without
// it.
import { existsSync, readdirSync } from "node:fs";
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

const realOutlines = realData("outlines");

/** Documents of every format, those that were made for the tests and real ones; a name of its own for each. */
export const OUTLINES = [
  ...documentsIn(join(SAMPLES, "outlines")).map((name) => ({ name, folder: join(SAMPLES, "outlines"), of: name })),
  ...(realOutlines.isHere ? documentsIn(realOutlines.folder) : []).map((name) => ({
    name,
    folder: realOutlines.folder,
    of: `${name} ${REAL}`,
  })),
];

/** Documents of a version that is not read. */
export const OLD_OUTLINES = [
  { path: join(SAMPLES, "outlines", "version2.ooutline"), of: "the sample", isHere: true },
  { path: join(realOutlines.folder, "version2-plist.ooutline"), of: `a real one ${REAL}`, isHere: realOutlines.isHere },
];

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(?:ooutline|oo3|opml)$/.test(name) && !name.startsWith("version2"));
}
