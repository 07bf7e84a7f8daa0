// Time slices for long loops: code that loops over all files of a vault asks after
// each file whether its slice is over, and then lets the process answer other
// calls.
import { setImmediate as nextTurn } from "node:timers/promises";

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

  /** Yields to other work. Throws the signal's reason if it is aborted. */
  async next(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
