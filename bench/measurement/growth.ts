// Measures calls on a vault of 1,000 notes and of ten times as many, against the goals
// that tasks and queries share: below 20 ms once warm at 10,000 notes, and at most
// linear growth. bench/large-vault.ts goes on to 100,000.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BASE, livedNote } from "../data/lived-notes.ts";
import { goal, ms, times } from "./measure.ts";
import type { Taken } from "./warm-calls.ts";

const SIZES = [1_000, 10_000];
/** Milliseconds, once warm, with 10,000 notes. */
const LIMIT = 20;

/** By the clock, the p95 of a machine that others use says more about them. */
const GOALS = [
  ["p50 of the processor time", "processor"],
  ["p95 of the processor time", "processorP95"],
  ["p50 by the clock", "p50"],
  ["p95 by the clock", "p95"],
] as const;

/** What each call took over stdio and in the process itself. */
export interface Measured {
  readonly overStdio: readonly Taken[];
  readonly inProcess: readonly Taken[];
}

/**
 * @param what "a warm query"
 * @param measure gets an empty folder and the number of notes
 */
export async function measureGrowth(
  what: string,
  measure: (home: string, size: number) => Promise<Measured>,
): Promise<void> {
  const all = new Map<number, Measured>();
  for (const size of SIZES) all.set(size, await inNewFolder((home) => measure(home, size)));
  goalsOf(what, all.get(10_000)!);
  // On a shared machine the time of a call says more about others than about this one.
  const computed = (size: number) => all.get(size)!.overStdio.reduce((sum, { processor }) => sum + processor, 0);
  for (const [i, many] of SIZES.entries()) {
    const few = SIZES[i - 1];
    if (few === undefined) continue;
    const growth = computed(many) / computed(few);
    goal(growth <= many / few, `processor time: ${many} notes at most ${many / few} times ${few}: ${times(growth)}`);
  }
}

/** Whether the slowest of these calls keeps to the limit, by the processor and by the clock. */
export function goalsOf(what: string, { overStdio, inProcess }: Measured): void {
  for (const [where, taken] of [["over stdio", overStdio] as const, ["in process", inProcess] as const]) {
    if (taken.length === 0) continue;
    for (const [name, value] of GOALS) {
      const most = Math.max(...taken.map((each) => each[value]));
      goal(most < LIMIT, `${what} ${where}, 10,000 notes: ${name} below ${LIMIT} ms: at most ${ms(most)}`);
    }
  }
}

/** Runs with a temporary folder, which is removed after it. */
export async function inNewFolder<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Writes notes into 200 folders of a vault, and a base. @returns the vault's folder */
export function writeNotes(home: string, size: number, name = "vault"): string {
  const vault = join(home, name);
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  for (let i = 0; i < size; i++) writeFileSync(join(vault, `Folder ${i % 200}`, `Note ${i}.md`), livedNote(i));
  writeFileSync(join(vault, "Books.base"), BASE);
  return vault;
}
