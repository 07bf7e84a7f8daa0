import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../test/growth.ts";
import { readSource } from "./formats/recognise.ts";
import { outlineOf } from "./outline-of-rows.ts";

/** An OPML file, whose rows get their ids from outside. */
function outlineOfSize(size: number) {
  const source = readSource(Buffer.from(`<opml><body>${`<outline text="row"/>`.repeat(size)}</body></opml>`));
  const ids = Array.from({ length: size }, (_, row) => `id${row}`);
  return outlineOf(source, ids, { name: "Test.opml", path: null, version: "1" });
}

describe("a row's number", () => {
  it("is found by its id, at the first question and at the hundredth", () => {
    const outline = outlineOfSize(100);
    for (let row = 99; row >= 0; row--) {
      expect(outline.numberOf(`id${row}`)).toBe(row);
      expect(outline.numberOf(`no id${row}`)).toBeUndefined();
    }
  });

  it("is found in a time that does not grow with the rows", () => {
    expectLinearTime(
      outlineOfSize,
      (outline) => {
        for (let row = 0; row < outline.rowCount; row++) outline.numberOf(`id${row}`);
      },
      200_000,
    );
  });
});
