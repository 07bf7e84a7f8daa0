// `npm start` installs what package.json lists and no more; what tests, checks
// and benchmarks need besides is listed in test/package.json.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };

interface Locked {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, "..");
const PACKAGES: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(ROOT, "package-lock.json"), "utf8"),
).packages;
const IMPORT = /(?:from|import\(|import) ?"((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]*)?"/g;

/** The names of these packages and of all that they depend on. */
function withDependencies(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const { dependencies, optionalDependencies } = PACKAGES[`node_modules/${name}`] ?? {};
    if (!found.has(name)) waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
    found.add(name);
  }
  return found;
}

it("builds from the packages of package.json alone", () => {
  const sources = globSync(["src/**/*.ts", "web/**/*.{ts,tsx}", "scripts/build.ts"], {
    cwd: ROOT,
  }).filter((file) => !file.endsWith(".test.ts"));
  const imported = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT)].map(([, name]) => name!),
  );
  expect(imported).toContain("preact");
  expect([...new Set(imported)].filter((name) => !(name in packageJson.devDependencies))).toEqual([]);
});

it("installs few packages to build", () => {
  const names = withDependencies(Object.keys(packageJson.devDependencies));
  expect(names).toContain("zod");
  // Optional ones of other systems included, most of them esbuild's; 14 are the editor of notes, 14 the client of the shared store.
  expect(names.size).toBeLessThan(79);
});

it("publishes a package without dependencies", () => {
  expect(Object.keys(packageJson)).not.toContain("dependencies");
});

it("locks packages by their contents, not by the address they came from", () => {
  const addresses = Object.entries(PACKAGES).filter(([, { resolved, link }]) => resolved !== undefined && !link);
  expect(addresses).toEqual([]);
});
