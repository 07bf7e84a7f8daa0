// How V8 keeps this process's memory: small in a server that is there all day,
// and not at the price of time.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A server from its first call on. */
let isServing = false;
/** The nursery, where V8 puts what is new, is large enough. */
let isGrown = false;
/** How much work of the kind that makes garbage is under way. */
let readings = 0;

/** Writes down what V8 has compiled by now, for the next start to begin with: see bin/compiled.js. */
export type KeepCompiled = (after: "start" | "call") => void;

/** How long after the first call all that it takes is compiled, in milliseconds. */
const SOON = 1_000;

/**
 * For a server that is there all day.
 * @returns keeps what is compiled by now: under V8's flags of the start, to which it is tied
 */
export function beginServing(keepCompiled: KeepCompiled): () => void {
  isServing = true;
  limitNursery();
  const keep = () => {
    tellV8(...BY_ITSELF);
    keepCompiled("call");
    spareMemory();
  };
  setTimeout(keep, SOON).unref();
  return keep;
}

/** In bytes. In a smaller one what a call needs until its end is moved about and kept too long, which takes a tenth of its time. */
const LARGEST_NURSERY = 8_000_000;

/**
 * Left alone V8 lets the nursery grow to 100 MB, never gives that back, and
 * lets garbage gather besides: 260 MB of memory after 2,000 searches of 10,000
 * notes, against 110.
 */
function limitNursery(): void {
  isGrown = false;
  watching ??= new PerformanceObserver(lookAtNursery);
  watching.observe({ entryTypes: ["gc"] });
}

/**
 * Called at every call too: under load the observer hears of a collection only
 * when the next ones have made the nursery four times as large. 10,000 calls
 * over 500 connections peak at 170 MB instead of 260.
 */
export function lookAtNursery(): void {
  if (isGrown) return;
  const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  if (nursery === undefined || nursery.space_size < LARGEST_NURSERY) return;
  watching?.disconnect();
  isGrown = true;
  spareMemory();
}

let watching: InstanceType<typeof PerformanceObserver> | undefined;

function spareMemory(): void {
  const [growth, garbage] = BY_ITSELF;
  tellV8(isGrown ? 1 : growth, isGrown && readings === 0 ? 30 : garbage);
}

/** What V8 would do without being told. */
const BY_ITSELF = [2, 0] as const;

/**
 * @param growth of the nursery, each time that it is too small
 * @param garbage that may gather, in percent of what is in use; 0 for as much as V8 thinks
 */
function tellV8(growth: number, garbage: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  setFlagsFromString(`--heap-growing-percent=${garbage}`);
}

/** What a process may grow by, in bytes, before what is left over is collected. */
const MOST_GROWTH = 30_000_000;

/**
 * For work that makes garbage faster than any other: what is left over is
 * collected whenever it has become too much, and all of it at the end.
 * @param work is given what to call after each step
 */
export async function whileReadingMuch<T>(work: (stepDone: () => void) => Promise<T>): Promise<T> {
  readings++;
  if (!isGrown) limitNursery();
  spareMemory();
  try {
    return await work(isServing ? collectWhenGrown() : () => {});
  } finally {
    if (isServing) collectGarbage("last-resort");
    readings--;
    if (readings === 0) limitNursery();
    spareMemory();
  }
}

function collectWhenGrown(): () => void {
  let most = process.memoryUsage.rss() + MOST_GROWTH;
  return () => {
    if (process.memoryUsage.rss() < most) return;
    collectGarbage("regular");
    // What is not given back is in use, or kept by the system for what comes next.
    most = Math.max(most, process.memoryUsage.rss() + MOST_GROWTH / 2);
  };
}

type Collect = (options: { readonly type: "major"; readonly flavor: "regular" | "last-resort" }) => void;

/** A function of V8 that only a context of its own is given. */
let collect: Collect | undefined;

/** @param flavor the regular one is fast, the last resort gives most back */
function collectGarbage(flavor: "regular" | "last-resort"): void {
  collect ??= exposed();
  collect({ type: "major", flavor });
}

/** For no longer than it takes: what is compiled is tied to V8's flags. */
function exposed(): Collect {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return gc;
}
