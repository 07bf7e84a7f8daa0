import { describe, expect, it } from "vitest";
import { rowsOfText } from "./indented-text.ts";

describe("rows of an indented text", () => {
  it("are children of the closest line above that is indented less", () => {
    expect(rowsOfText("a\n  b\n    c\n  d\n\ne\n")).toMatchObject([
      { topic: "a", children: [{ topic: "b", children: [{ topic: "c" }] }, { topic: "d" }] },
      { topic: "e", children: [] },
    ]);
  });

  it("may be indented by tabs, by spaces, and unevenly", () => {
    expect(rowsOfText("a\r\n\tb\r\n    c\r\n   d")).toMatchObject([
      { topic: "a", children: [{ topic: "b" }, { topic: "c" }, { topic: "d" }] },
    ]);
    expect(rowsOfText("    a\n  b")).toMatchObject([{ topic: "a" }, { topic: "b" }]);
  });

  it("are an empty list for an empty text", () => {
    expect(rowsOfText(" \n\t\n")).toEqual([]);
  });
});
