// A list of numbers that grows without an object for each: where the parts of
// 100,000 rows are in a file. Used by the scanners of the formats.

export class NumberList {
  #numbers: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#numbers = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length < this.#numbers.length) this.#numbers[this.length++] = value;
    else this.extend(1, value);
  }

  /** Adds so many numbers. @returns where the first of them is */
  extend(count: number, value: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.#numbers.length) {
      const larger = new Int32Array(Math.max(this.length, 2 * this.#numbers.length));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.fill(value, start, this.length);
    return start;
  }

  get(at: number): number {
    return this.#numbers[at]!;
  }

  set(at: number, value: number): void {
    this.#numbers[at] = value;
  }

  /** The numbers. The room for more stays with them: to copy them would take twice their memory. */
  finish(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
