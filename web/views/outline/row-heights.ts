// The heights of very many rows, most of them only guessed: where a row is, and
// which row is at a place, in logarithmic time (a Fenwick tree). Pure; used by the
// virtual list.

export class RowHeights {
  readonly #heights: Float64Array;
  /** At each index the sum of the heights of a stretch that ends there. */
  readonly #sums: Float64Array;

  constructor(count: number, heightOf: (index: number) => number) {
    this.#heights = Float64Array.from({ length: count }, (_, index) => heightOf(index));
    this.#sums = new Float64Array(count + 1);
    for (let i = 1; i <= count; i++) {
      this.#sums[i]! += this.#heights[i - 1]!;
      const next = i + (i & -i);
      if (next <= count) this.#sums[next]! += this.#sums[i]!;
    }
  }

  get count(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.topOf(this.count);
  }

  heightOf(index: number): number {
    return this.#heights[index]!;
  }

  /** The sum of the heights of the rows before it. */
  topOf(index: number): number {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#sums[i]!;
    return sum;
  }

  /** @returns by how much the row is higher than was thought */
  set(index: number, height: number): number {
    const difference = height - this.#heights[index]!;
    this.#heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.#sums[i]! += difference;
    return difference;
  }

  /** The row at a distance from the top; the last one below the end. */
  indexAt(distance: number): number {
    let index = 0;
    let left = distance;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const next = index + step;
      if (next > this.count || this.#sums[next]! > left) continue;
      index = next;
      left -= this.#sums[next]!;
    }
    return Math.min(index, Math.max(0, this.count - 1));
  }
}
