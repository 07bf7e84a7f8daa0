// Long work in turns: whoever loops over all files of a vault asks after each
// one whether its turn is over, and lets the process answer other calls then.
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long other calls may well wait, in milliseconds. */
const TURN = 10;

export class Turns {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  /** @param signal of the caller: the work ends where it has given up */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  isOver(): boolean {
    return performance.now() - this.#began > TURN;
  }

  /** Lets others have their turn. Throws the signal's reason if the caller has given up. */
  async next(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
