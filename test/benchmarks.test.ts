// bench/run.ts runs every file of bench/ as a benchmark; what they share is in
// folders below it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const BENCH = join(import.meta.dirname, "..", "bench");

it("every file of bench/ is a benchmark that npm run bench can run", () => {
  const files = readdirSync(BENCH).filter((name) => name.endsWith(".ts") && name !== "run.ts");
  expect(files.length).toBeGreaterThan(5);
  const wrong = files.filter(
    (name) => !/^export async function run\(\)/m.test(readFileSync(join(BENCH, name), "utf8")),
  );
  expect(wrong).toEqual([]);
});
