import { describe, expect, it } from "vitest";
import { byteRange } from "./byte-range.ts";

describe("the range of a request", () => {
  it.each([
    ["bytes=0-0", 10, { start: 0, end: 1 }],
    ["bytes=2-5", 10, { start: 2, end: 6 }],
    ["bytes=2-", 10, { start: 2, end: 10 }],
    ["bytes=2-999999999999999999999", 10, { start: 2, end: 10 }],
    ["bytes=-3", 10, { start: 7, end: 10 }],
    ["bytes=-30", 10, { start: 0, end: 10 }],
    ["Bytes= 1 - 2", 10, { start: 1, end: 3 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=99999999999999999999-", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=-1", 0, "unsatisfiable"],
    [undefined, 10, undefined],
    ["bytes=-", 10, undefined],
    ["bytes=5-2", 10, undefined],
    ["bytes=0-1,3-4", 10, undefined],
    ["lines=0-1", 10, undefined],
    ["bytes=a-b", 10, undefined],
    ["bytes=1.5-2", 10, undefined],
  ] as const)("%s of %i bytes is %j", (header, size, range) => {
    expect(byteRange(header, size)).toEqual(range);
  });
});
