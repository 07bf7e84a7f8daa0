// Checks that work takes linear time, by comparing the CPU time for an input
// with that for one of four times its size. Used by every test that promises
// linear time; a limit in seconds would depend on the machine.
import { vi } from "vitest";
import { repeats } from "./campaign.ts";

// The time limit of a test is in seconds: on a busy machine it must not be what fails.
vi.setConfig({ testTimeout: 600_000 });

/** Four times the input takes 4 times as long in linear time, and 16 times in quadratic time. */
const STEP = 4;
const STEPS = 5;
const LIMIT = 8;

/** Smaller inputs are not looked at. */
const SMALLEST = 8;

/** Shorter times are noise, and count as this long. */
const LEAST_MILLISECONDS = 1;

/** A busy machine only ever adds time, so the shortest of several runs counts; in doubt there are this many. */
const MAX_RUNS = 10;

/**
 * Throws if the CPU time of `work` grows clearly faster than its input. Sizes
 * grow up to `largest`, so that quadratic code fails before it takes minutes.
 */
export function expectLinearTime<Input>(
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
  largest: number,
): void {
  const comparison = compareSizes(largest);
  for (let next = comparison.next(0); !next.done;) {
    const input = inputOf(next.value);
    const before = process.cpuUsage();
    work(input);
    next = comparison.next(millisecondsSince(before));
  }
}

const MAX_TEXT_SIZE = repeats({ short: 300_000, long: 1_000_000 });

/** The same for a text that consists of one piece, repeated; `largest` is in characters. */
export function expectLinearTimeForText(piece: string, work: (text: string) => unknown, largest = MAX_TEXT_SIZE): void {
  expectLinearTime((size) => piece.repeat(size / piece.length), work, largest);
}

/** The same for work that is asynchronous; nothing else may run in this process in the same time. */
export async function expectLinearTimeAsync(work: (size: number) => Promise<unknown>, largest: number): Promise<void> {
  const comparison = compareSizes(largest);
  for (let next = comparison.next(0); !next.done;) {
    const before = process.cpuUsage();
    await work(next.value);
    next = comparison.next(millisecondsSince(before));
  }
}

/** For work that would take far longer if it were done wrongly; nothing else may run in this process in the same time. */
export async function processorSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return millisecondsSince(before) / 1000;
}

/** Yields the sizes to measure, and is given the milliseconds that each took. */
function* compareSizes(largest: number): Generator<number, void, number> {
  const shortest = new Map<number, number>();
  const sizes = Array.from({ length: STEPS + 1 }, (_, step) => Math.floor(largest / STEP ** (STEPS - step)));
  for (const [step, size] of sizes.entries()) {
    const larger = sizes[step + 1];
    if (larger === undefined || size < SMALLEST) continue;
    let growth = Infinity;
    for (let run = 0; run < MAX_RUNS && growth >= LIMIT; run++) {
      // Again also for the size that was the larger one of the step before: its first run may have been a slow one.
      for (const each of [size, larger]) shortest.set(each, Math.min(yield each, shortest.get(each) ?? Infinity));
      growth = shortest.get(larger)! / Math.max(shortest.get(size)!, LEAST_MILLISECONDS);
    }
    if (growth < LIMIT) continue;
    throw new Error(
      `Not linear: ${STEP} times the input, from ${size} to ${larger}, took ${growth.toFixed(1)} times as long.`,
    );
  }
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
