// Looking something up in numbers that ascend: offsets, line starts.

/** The index of the last of the ascending numbers that is at most a value. */
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
