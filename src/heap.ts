// How V8 keeps this process's memory: small in a server that is there all day,
// and not at the price of time while much is read at once.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A server from its first call on. */
let isServing = false;
let isSparing = false;
/** How much work of the kind that makes garbage is under way. */
let readings = 0;

/** Writes down what V8 has compiled by now, for the next start to begin with: see bin/compiled.js. */
export type KeepCompiled = (after: "start" | "call") => void;

/** How long after the first call all that it takes is compiled, in milliseconds. */
const SOON = 1_000;

/**
 * For a server that is there all day beside others. Left alone V8 lets the
 * garbage of many calls gather: 260 MB after 2,000 searches of 10,000 notes,
 * against 105, at the same speed. The start and the first call would be slower
 * by this, so it waits for them; and what is compiled is kept first, since that
 * is tied to V8's flags.
 */
export function spareMemorySoon(keepCompiled: KeepCompiled): void {
  isServing = true;
  const spare = () => {
    keepCompiled("call");
    isSparing = true;
    tellV8();
  };
  setTimeout(spare, SOON).unref();
}

function tellV8(): void {
  setFlagsFromString(isSparing && readings === 0 ? "--optimize-for-size" : "--no-optimize-for-size");
}

/** What a process may grow by, in bytes, before what is left over is collected. */
const MOST_GROWTH = 30_000_000;

/**
 * For work that makes garbage faster than any other. V8 would let its nursery
 * grow to 100 MB for it and never give that back: kept as it is at the start,
 * it costs no time and half of the memory. To spare more than that meanwhile
 * would cost a sixth of the time, so what is left over is collected at the end,
 * and whenever it has become too much.
 * @param work is given what to call after each step
 */
export async function whileReadingMuch<T>(work: (stepDone: () => void) => Promise<T>): Promise<T> {
  setFlagsFromString("--semi-space-growth-factor=1");
  if (!isServing) return work(() => {});
  readings++;
  tellV8();
  let most = process.memoryUsage.rss() + MOST_GROWTH;
  const stepDone = () => {
    if (process.memoryUsage.rss() < most) return;
    collectGarbage();
    // What is not given back is in use, or kept by the system for what comes next.
    most = Math.max(most, process.memoryUsage.rss() + MOST_GROWTH / 2);
  };
  try {
    return await work(stepDone);
  } finally {
    readings--;
    tellV8();
    collectGarbage();
  }
}

/** A function of V8 that only a context of its own is given. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
