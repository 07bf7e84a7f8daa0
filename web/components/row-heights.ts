// The heights of very many rows, most of them estimated: finds the position of a
// row, and the row at a position, in logarithmic time (a Fenwick tree). Pure;
// used by the virtual list.

export class RowHeights {
  readonly #heights: Float64Array;
  /** The Fenwick tree: each index has the sum of the heights of a range that ends there. */
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

  /** The sum of the heights of all rows before this one. */
  topOf(index: number): number {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#sums[i]!;
    return sum;
  }

  /** @returns the difference to the previous height */
  set(index: number, height: number): number {
    const difference = height - this.#heights[index]!;
    this.#heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.#sums[i]! += difference;
    return difference;
  }

  /** The row at a distance from the top; the last row if the distance is beyond the end. */
  indexAt(distance: number): number {
    let index = 0;
    let remaining = distance;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const next = index + step;
      if (next > this.count || this.#sums[next]! > remaining) continue;
      index = next;
      remaining -= this.#sums[next]!;
    }
    return Math.min(index, Math.max(0, this.count - 1));
  }
}
