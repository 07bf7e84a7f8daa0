// Hashes of overlapping stretches of one text, such as all that is nested below each
// item of a list. Used by note-facts.ts.
import { quickHash } from "../kernel/kernel.ts";

/** Longer stretches are hashed by their beginning and by a hash of all that costs the same for any length. */
const MAX_HASHED = 2_000;

/** Any odd number has an inverse modulo 2^32, by which the hash of a stretch follows from those of two prefixes. */
const BASES = [0x01000193, 0x2c1b3c6d] as const;

/** Returns the hash of a stretch of the text, without the white space at its end. */
export function stretchHasher(text: string): (start: number, end: number) => string {
  const trimmed = new Map<number, number>();
  let prefixes: readonly Prefixes[] | undefined;
  return (start, end) => {
    let last = trimmed.get(end);
    if (last === undefined) trimmed.set(end, (last = trimmedEnd(text, end)));
    const to = Math.max(start, last);
    if (to - start <= MAX_HASHED) return quickHash(text.slice(start, to));
    prefixes ??= BASES.map((base) => prefixesOf(text, base));
    const whole = prefixes.map((each) => hashOf(each, start, to)).join(" ");
    return quickHash(`${text.slice(start, start + MAX_HASHED)} ${to - start} ${whole}`);
  };
}

function trimmedEnd(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charAt(at - 1).trim() === "") at--;
  return at;
}

/** Hashes of each prefix of the text: the sum of its characters, each times a power of the base. */
interface Prefixes {
  readonly sums: Int32Array;
  readonly inverse: number;
}

function prefixesOf(text: string, base: number): Prefixes {
  const sums = new Int32Array(text.length + 1);
  let factor = 1;
  for (let i = 0; i < text.length; i++) {
    sums[i + 1] = sums[i]! + Math.imul(text.charCodeAt(i) + 1, factor);
    factor = Math.imul(factor, base);
  }
  return { sums, inverse: inverseOf(base) };
}

function hashOf({ sums, inverse }: Prefixes, start: number, end: number): number {
  return Math.imul(sums[end]! - sums[start]!, power(inverse, start));
}

/** By Newton: each step doubles the bits that are right. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let left = exponent, square = base; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}
