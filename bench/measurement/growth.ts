// Measures calls on a vault of 10,000 notes and of ten times or a tenth as many,
// against the goals that both share: below 20 ms once warm, and at most linear
// growth. Used by the benchmarks of queries and tasks.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goal, ms, times } from "./measure.ts";

const SIZES = process.env["BENCH_LARGE"] ? [10_000, 100_000] : [1_000, 10_000];

/**
 * @param what "a warm query"
 * @param measure gets a folder for a vault and the number of notes, and returns medians in milliseconds
 */
export async function measureGrowth(
  what: string,
  measure: (home: string, size: number) => Promise<number[]>,
): Promise<void> {
  const medians: number[][] = [];
  for (const size of SIZES) {
    const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
    try {
      medians.push(await measure(home, size));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  const at10_000 = medians[SIZES.indexOf(10_000)]!;
  goal(Math.max(...at10_000) < 20, `${what} over 10,000 notes below 20 ms: at most ${ms(Math.max(...at10_000))}`);
  const [small, large] = medians.map((row) => row.reduce((sum, time) => sum + time, 0));
  const [few, many] = SIZES as [number, number];
  goal(large! / small! <= many / few, `${many} notes at most ${many / few} times ${few}: ${times(large! / small!)}`);
  if (many < 100_000) console.log("         (BENCH_LARGE=1 goes to 100,000 notes)");
}

/** Writes notes into 200 folders of a vault. @returns the vault's folder */
export function writeNotes(home: string, size: number, textOf: (i: number) => string): string {
  const vault = join(home, "vault");
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  for (let i = 0; i < size; i++) writeFileSync(join(vault, `Folder ${i % 200}`, `Note ${i}.md`), textOf(i));
  return vault;
}
