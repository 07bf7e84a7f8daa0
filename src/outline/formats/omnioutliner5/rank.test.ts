import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRanks, parseRank, ranksBetween } from "./rank.ts";

const order = (a: string, b: string) => compareRanks(parseRank(a)!, parseRank(b)!);

describe("ranks", () => {
  it("sort as in OmniOutliner", () => {
    const ranks = ["00fe", "00ff", "", "00003f", "0001", "00013f", "0002"];
    expect(ranks.toReversed().toSorted(order)).toEqual(ranks);
  });

  it("treat a missing byte as 0", () => {
    expect(order("", "0000")).toBe(0);
    expect(order("00", "000000ff")).toBeGreaterThan(0);
  });

  it("begin with the empty rank, and count up and down in the second byte", () => {
    expect(ranksBetween(undefined, undefined, 3)).toEqual(["", "0001", "0002"]);
    expect(ranksBetween("0002", undefined, 2)).toEqual(["0003", "0004"]);
    expect(ranksBetween(undefined, "", 2)).toEqual(["00fe", "00ff"]);
    expect(ranksBetween("00ff", undefined, 2)).toEqual(["", "0001"]);
  });

  it("continue in the first byte after 127 siblings, with no byte above 7f", () => {
    const ranks = ranksBetween(undefined, undefined, 20_000);
    expect(ranks.slice(126, 130)).toEqual(["007e", "007f", "01", "0101"]);
    expect(ranks.every((rank) => /^(?:[0-7][0-9a-f])*$/.test(rank))).toBe(true);
  });

  it("between two others have one more byte, the middle of the range", () => {
    expect(ranksBetween("0001", "0002", 1)).toEqual(["00013f"]);
    expect(ranksBetween("00053f", "0006", 1)).toEqual(["00055f"]);
    expect(ranksBetween("00ff", "", 1)).toEqual(["00ff3f"]);
  });

  it("stay short for a thousand rows between two others", () => {
    const ranks = ranksBetween("0001", "0002", 1_000);
    expect(ranks.toSorted(order)).toEqual(ranks);
    expect(Math.max(...ranks.map((rank) => rank.length))).toBeLessThanOrEqual(10);
  });

  it("can be found for any sequence of insertions", () => {
    const places = fc.array(
      fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), count: fc.integer({ min: 1, max: 5 }) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(places, (additions) => {
        const ranks: string[] = [];
        for (const { at, count } of additions) {
          const index = Math.floor(at * ranks.length);
          ranks.splice(index, 0, ...ranksBetween(ranks[index - 1], ranks[index], count));
        }
        for (let at = 1; at < ranks.length; at++) expect(order(ranks[at - 1]!, ranks[at]!)).toBeLessThan(0);
      }),
    );
  });

  it("are rejected if they are not hex bytes", () => {
    for (const text of ["0", "xy", "00 1", "-1"]) expect(parseRank(text)).toBeUndefined();
  });
});
