import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../../test/growth.ts";
import { occurrences } from "./occurrences.ts";

function naive(text: string, wanted: string): number[] {
  return Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
}

describe("the places of a text in another", () => {
  it("are those that a naive search finds, of short and of long ones", () => {
    const pieces = fc.array(fc.constantFrom("a", "b", "ab", "aab"), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(pieces, pieces, fc.constantFrom(1, 300), (around, piece, times) => {
        const wanted = `${piece}b`.repeat(times);
        const text = around + wanted + around + wanted.slice(1) + wanted;
        expect([...occurrences(text, wanted)]).toEqual(naive(text, wanted));
      }),
      { numRuns: 200, seed: 17 },
    );
  });

  it("are found in linear time if a long text repeats itself", () => {
    const note = (size: number) => `${"x".repeat(size)}\n${"x".repeat(size)}`;
    expectLinearTime(note, (text) => [...occurrences(text, text.slice(0, text.length >> 1))], 200_000);
  });
});
