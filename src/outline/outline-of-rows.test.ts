import { describe, expect, it, vi } from "vitest";
import { parseOutline } from "./formats/format-detection.ts";
import { outlineOf } from "./outline-of-rows.ts";

describe("a row's number", () => {
  it("is found by its id, without searching all ids for each of many lookups", () => {
    // An OPML file, whose rows get their ids from outside.
    const parsed = parseOutline(Buffer.from(`<opml><body>${`<outline text="row"/>`.repeat(500)}</body></opml>`));
    const ids = Array.from({ length: 500 }, (_, row) => `id${row}`);
    const looks = vi.spyOn(ids, "indexOf");
    const outline = outlineOf(parsed, ids, { name: "Test.opml", path: null, version: "1" });
    for (let row = 499; row >= 0; row--) {
      expect(outline.numberOf(`id${row}`)).toBe(row);
      expect(outline.numberOf(`no id${row}`)).toBeUndefined();
    }
    expect(looks.mock.calls.length).toBeLessThan(50);
  });
});
