// The faults of an expression, as sentences: while it is read, and while
// it is evaluated for one file. Used by everything in bases/.

/** Characters of a message: it may repeat a name or a text of any length. */
const MAX_MESSAGE_LENGTH = 300;

class Fault extends Error {
  constructor(message: string) {
    super(message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…`);
  }
}

/** The expression cannot be read: no file can be evaluated. */
export class ExpressionFault extends Fault {}

/** The expression has no value for this file; it may have one for others. */
export class EvaluationFault extends Fault {}

/** The expression costs too much: evaluation stops for all files. */
export class TooCostly extends Error {}

/**
 * Bounds the work of one query, in steps: an operation, a function call, a
 * character of a pattern, 64 characters of text. A million steps take about 30 ms.
 */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new TooCostly("The expressions take too long: too many steps. Simplify them, or filter more first.");
  }
}
