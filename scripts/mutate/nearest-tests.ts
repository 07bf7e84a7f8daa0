// Finds the unit tests that load a source file, nearest first: its own test, those
// of its folder and of its room, then others, each by the number of imports
// between them. Used by ../mutate.ts.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UNIT } from "../../test/tiers.ts";

/** No types; but imports that wait until they are needed, and what a worker runs. */
const IMPORT =
  /(?:^|\n)(?:import|export)(?! type\b)[^"';]*?from "(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)|new URL\("(\.[^"]+)"/g;

export class NearestTests {
  /** By file, the files that import it. */
  readonly #importers = new Map<string, string[]>();
  readonly #tests: ReadonlySet<string>;

  constructor(root: string) {
    const filesOf = (patterns: string | readonly string[]) =>
      globSync(patterns, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    this.#tests = new Set(filesOf(UNIT));
    for (const file of filesOf(["src/**/*.ts", "web/**/*.{ts,tsx}", "test/**/*.ts", "eval/**/*.ts", "scripts/**/*.ts"]))
      for (const [, ...found] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
        const imported = join(
          dirname(file),
          found.find((path) => path !== undefined)!,
        ).replaceAll("\\", "/");
        const importers = this.#importers.get(imported);
        if (importers === undefined) this.#importers.set(imported, [file]);
        else importers.push(file);
      }
  }

  /** @param most the number of tests that a survivor may cost */
  of(file: string, most: number): string[] {
    const own = file.replace(/\.ts$/, ".test.ts");
    const distances = new Map([[file, 0]]);
    for (const [at, distance] of distances)
      for (const importer of this.#importers.get(at) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1);
    const [folder, room] = [dirname(file), file.split("/", 2).join("/")];
    const rank = (test: string) => {
      if (test === own) return -1;
      return distances.get(test)! + (dirname(test) === folder ? 0 : test.startsWith(`${room}/`) ? 100 : 1_000);
    };
    const found = [...distances.keys()].filter((each) => this.#tests.has(each));
    if (this.#tests.has(own) && !found.includes(own)) found.push(own);
    return found.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, most);
  }
}
