// Measuring and printing for every benchmark: medians that are stable on a shared
// machine, tables, goals.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A goal of a benchmark, with the figure of this run. */
export interface Goal {
  readonly met: boolean;
  readonly text: string;
}

let goals: Goal[] = [];

/** Returns the goals since the last call, for docs/internals/performance.md. */
export function collectedGoals(): Goal[] {
  const collected = goals;
  goals = [];
  return collected;
}

export function report(text: string): void {
  console.log(text);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Runs the candidates in turns, so that a busy moment of the machine hits all of them alike. */
export async function inTurns<Name extends string>(
  rounds: number,
  candidates: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(candidates) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(await candidates[name]());
  }
  return times;
}

export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds of the processor that this process takes for some work, its threads included. */
export async function worked(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  report(`\n${title}\n${line(head)}\n${rows.map(line).join("\n")}`);
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} x`;
/** Says whether a goal is met; benchmarks are no tests, so nothing fails. */
export function goal(met: boolean, text: string): void {
  report(`${met ? "met     " : "NOT MET "} ${text}`);
  goals.push({ met, text });
}

/** What each of these rounds took, in milliseconds. */
export async function repeated(rounds: number, work: (round: number) => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await work(round));
  return taken;
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
