// Heights of rows, compared with a plain sum.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowHeights } from "./row-heights.ts";

describe("row heights", () => {
  it("give the position of every row, and the row at every position, as a plain sum does", () => {
    const changes = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 90 })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 }), changes, (first, set) => {
        const plain = [...first];
        const heights = new RowHeights(first.length, (i) => first[i]!);
        for (const [at, height] of set) {
          if (at >= plain.length) continue;
          expect(heights.set(at, height)).toBe(height - plain[at]!);
          plain[at] = height;
        }
        let top = 0;
        for (const [i, height] of plain.entries()) {
          expect(heights.topOf(i)).toBe(top);
          expect(heights.indexAt(top)).toBe(i);
          expect(heights.indexAt(top + height - 1)).toBe(i);
          top += height;
        }
        expect(heights.total).toBe(top);
        expect(heights.indexAt(top + 1000)).toBe(plain.length - 1);
      }),
    );
  });

  it("are zero in total for an empty list", () => {
    const none = new RowHeights(0, () => 30);
    expect([none.total, none.count]).toEqual([0, 0]);
  });
});
