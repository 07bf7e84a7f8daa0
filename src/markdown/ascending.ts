// Binary search in ascending numbers: offsets, line starts. Used where offsets of
// one text are mapped to those of another, and by search/.

/** The index of the last number that is not greater than the value. */
export function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
