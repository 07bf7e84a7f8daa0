// Checks that a function takes linear time, by comparing the CPU time for an
// input with that for one of four times its size. Used by every test that
// promises linear time; a limit in seconds would depend on the machine.

/** Four times the input takes 4 times as long in linear time, and 16 times in quadratic time. */
const STEP = 4;
const STEPS = 5;
const LIMIT = 8;

/** Shorter times are noise, and count as this long. */
const LEAST_MILLISECONDS = 1;

/** A busy machine only ever adds time, so the shortest of several runs counts; in doubt there are this many. */
const MOST_RUNS = 10;

/**
 * Throws if the CPU time of `work` grows clearly faster than its input. Sizes
 * grow up to `largest`, so that quadratic code fails before it takes minutes.
 */
export function expectLinearTime<Input>(
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
  largest: number,
): void {
  const shortest = new Map<number, number>();
  const measure = (size: number): number => {
    const time = Math.min(cpuMilliseconds(work, inputOf(size)), shortest.get(size) ?? Infinity);
    shortest.set(size, time);
    return time;
  };
  let size = Math.max(1, Math.floor(largest / STEP ** STEPS));
  for (let step = 0; step < STEPS; step++, size *= STEP) {
    let growth = Infinity;
    for (let run = 0; run < MOST_RUNS && growth >= LIMIT; run++) {
      const small = measure(size);
      growth = measure(size * STEP) / Math.max(small, LEAST_MILLISECONDS);
    }
    if (growth < LIMIT) continue;
    throw new Error(
      `Not linear: ${STEP} times the input, from ${size} to ${size * STEP}, took ${growth.toFixed(1)} times as long.`,
    );
  }
}

/** The same for a text that consists of one piece, repeated; `largest` is in characters. */
export function expectLinearTimeForText(piece: string, work: (text: string) => unknown, largest = 1_000_000): void {
  expectLinearTime((size) => piece.repeat(size / piece.length), work, largest);
}

function cpuMilliseconds<Input>(work: (input: Input) => unknown, input: Input): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
