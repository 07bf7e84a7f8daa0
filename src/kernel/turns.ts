// Time slices for long loops: code that loops over all files of a vault asks after
// each file whether its slice is over, and then lets the process answer other
// calls.
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that may be interrupted wherever it yields. */
export type Steps<T = void> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** How long other calls may be delayed, in milliseconds. */
const TURN = 10;

export class Turns {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  /** @param signal aborts the work */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  isOver(): boolean {
    return performance.now() - this.#began > TURN;
  }

  /** Runs steps, and yields to other work in between. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (this.isOver()) await this.next();
    }
  }

  /** Yields to other work. Throws the signal's reason if it is aborted. */
  async next(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
