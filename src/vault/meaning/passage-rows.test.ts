// The block of vectors against plain lists, through random additions and removals.
import { describe, expect, it } from "vitest";
import { SCALE } from "../../search/search.ts";
import { PassageRows } from "./passage-rows.ts";

const DIMENSIONS = 12;

interface PlainPassage {
  readonly start: number;
  readonly end: number;
  readonly vector: readonly number[];
}

function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function bytesOf(passages: readonly PlainPassage[]): Uint8Array {
  const bytes = Buffer.alloc(passages.length * (8 + DIMENSIONS));
  for (const [i, { start, end, vector }] of passages.entries()) {
    bytes.writeUInt32LE(start, i * (8 + DIMENSIONS));
    bytes.writeUInt32LE(end, i * (8 + DIMENSIONS) + 4);
    for (const [k, value] of vector.entries()) bytes.writeInt8(value, i * (8 + DIMENSIONS) + 8 + k);
  }
  return bytes;
}

function distanceTo(centre: readonly number[], vector: readonly number[]): number {
  return Math.hypot(...vector.map((value, i) => value / SCALE - centre[i]!));
}

/** Everything that the rows say, by document. */
function contentOf(rows: PassageRows, direction: Int32Array) {
  const products = rows.productsWith(direction);
  return new Map(
    [...rows.documents].map(([document, { first, count }]) => [
      document,
      Array.from({ length: count }, (_, i) => ({
        ...rows.placeOf(first + i),
        product: products[first + i],
        distance: rows.distanceOf(first + i),
      })),
    ]),
  );
}

/** The same from plain lists. */
function plainContent(
  documents: ReadonlyMap<number, readonly PlainPassage[]>,
  direction: Int32Array,
  centre: readonly number[],
) {
  return new Map(
    [...documents].map(([document, passages]) => [
      document,
      passages.map(({ start, end, vector }) => ({
        start,
        end,
        product: vector.reduce((sum, value, i) => sum + value * direction[i]!, 0),
        distance: expect.closeTo(distanceTo(centre, vector), 5) as number,
      })),
    ]),
  );
}

describe("the rows of passages", () => {
  it.each([1, 2, 3, 4])(
    "have the products, places and distances of all passages, whatever was added, replaced and removed (%i)",
    (seed) => {
      const random = numbersFrom(seed);
      const rows = new PassageRows(DIMENSIONS);
      const plain = new Map<number, readonly PlainPassage[]>();
      let centre: readonly number[] = Array.from({ length: DIMENSIONS }, () => 0);
      for (let round = 0; round < 120; round++) {
        const document = random(25);
        if (random(4) === 0) {
          rows.remove(document);
          plain.delete(document);
        } else {
          // None, one, a few, and more than are multiplied at once.
          const passages = Array.from({ length: random(7) }, () => ({
            start: random(1e9),
            end: random(2 ** 32),
            vector: Array.from({ length: DIMENSIONS }, () => random(255) - 127),
          }));
          if (random(5) === 0) rows.reserve(random(40));
          rows.add(document, bytesOf(passages));
          plain.set(document, passages);
        }
        if (random(10) === 0) {
          centre = Array.from({ length: DIMENSIONS }, () => random(100) / 100 - 0.5);
          rows.centreOn(Float32Array.from(centre));
        }
        const direction = Int32Array.from({ length: DIMENSIONS }, () => random(8193) - 4096);
        expect(contentOf(rows, direction)).toEqual(plainContent(plain, direction, centre));
        expect(rows.size).toBe([...plain.values()].flat().length);
      }
    },
  );

  it("have the sum of each document and the mean of all", () => {
    const rows = new PassageRows(DIMENSIONS);
    const vectorOf = (value: number) => Array.from({ length: DIMENSIONS }, (_, i) => value + i);
    const passage = (value: number) => ({ start: 0, end: 1, vector: vectorOf(value) });
    rows.add(1, bytesOf([passage(1), passage(10)]));
    rows.add(2, bytesOf([passage(100)]));
    rows.add(3, bytesOf([]));
    expect([...rows.sumOf(1)!]).toEqual(vectorOf(1).map((value, i) => value + vectorOf(10)[i]!));
    expect(rows.sumOf(3)).toBeUndefined();
    expect(rows.sumOf(4)).toBeUndefined();
    rows.remove(2);
    const mean = vectorOf(5.5).map((value) => expect.closeTo(value / SCALE, 5) as number);
    expect([...rows.mean()]).toEqual(mean);
  });

  it("take no more memory than their passages need, once documents are gone", () => {
    const rows = new PassageRows(DIMENSIONS);
    const one = bytesOf([{ start: 0, end: 1, vector: Array.from({ length: DIMENSIONS }, () => 1) }]);
    for (let document = 0; document < 100; document++) rows.add(document, one);
    const direction = new Int32Array(DIMENSIONS);
    expect(rows.productsWith(direction).length).toBeLessThanOrEqual(152);
    for (let document = 10; document < 100; document++) rows.remove(document);
    expect(rows.productsWith(direction).length).toBeLessThanOrEqual(16);
  });
});
