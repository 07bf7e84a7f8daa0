// A list of numbers that grows without an object for each: where the parts of
// 100,000 rows are in a file. Used by the scanners of the formats.

export class NumberList {
  #numbers: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#numbers = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = value;
  }

  get(at: number): number {
    return this.#numbers[at]!;
  }

  set(at: number, value: number): void {
    this.#numbers[at] = value;
  }

  /** The numbers, without the room for more. */
  finish(): Int32Array {
    return this.#numbers.slice(0, this.length);
  }
}
