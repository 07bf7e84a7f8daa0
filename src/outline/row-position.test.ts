import { describe, expect, it } from "vitest";
import { outlineOf } from "../../test/fixtures/outlines.ts";
import { positionFor, type RequestedPosition } from "./row-position.ts";

const outline = outlineOf([
  { topic: "a", children: [{ topic: "a1" }, { topic: "a2", children: [{ topic: "a2x" }] }, { topic: "a3" }] },
  { topic: "b" },
]);
const position = (requested: Partial<RequestedPosition>, movedId?: string) =>
  positionFor(outline, { position: "last", ...requested }, movedId);

describe("the position of a row", () => {
  it.each<[string, Partial<RequestedPosition>, ReturnType<typeof position>]>([
    ["the end of the top level where nothing is named", {}, { parentId: null, index: 2 }],
    ["the beginning of the top level", { position: "first" }, { parentId: null, index: 0 }],
    ["after the parent's last child", { parentId: "a" }, { parentId: "a", index: 3 }],
    ["before the parent's first child", { parentId: "a", position: "first" }, { parentId: "a", index: 0 }],
    ["in a row without children", { parentId: "b" }, { parentId: "b", index: 0 }],
    ["before a sibling", { parentId: "a", siblingId: "a2", relativePosition: "before" }, { parentId: "a", index: 1 }],
    ["after a sibling", { parentId: "a", siblingId: "a2", relativePosition: "after" }, { parentId: "a", index: 2 }],
    [
      "beside a sibling, whatever the position",
      { position: "first", siblingId: "a2", relativePosition: "after" },
      { parentId: "a", index: 2 },
    ],
    ["in the parent of a sibling that is named alone", { siblingId: "a2x" }, { parentId: "a2", index: 1 }],
    ["at the top beside a sibling there", { siblingId: "a", relativePosition: "after" }, { parentId: null, index: 1 }],
  ])("is %s", (_, requested, expected) => {
    expect(position(requested)).toEqual(expected);
  });

  it("does not count the moved row", () => {
    expect(position({ parentId: "a" }, "a1")).toEqual({ parentId: "a", index: 2 });
    expect(position({ siblingId: "a3", relativePosition: "before" }, "a1")).toEqual({ parentId: "a", index: 1 });
    expect(position({ siblingId: "a1", relativePosition: "before" }, "a3")).toEqual({ parentId: "a", index: 0 });
  });

  it.each<[string, Partial<RequestedPosition>, string | undefined, object]>([
    ["a parent that is not there", { parentId: "z" }, undefined, { code: "row_not_found" }],
    ["a sibling that is not there", { siblingId: "z" }, undefined, { code: "row_not_found" }],
    ["a sibling elsewhere", { parentId: "b", siblingId: "a1" }, undefined, { code: "invalid" }],
    ["itself as the parent", { parentId: "a" }, "a", { code: "invalid" }],
    ["a row below itself as the parent", { parentId: "a2x" }, "a", { code: "invalid" }],
    ["a sibling below itself", { siblingId: "a2x", relativePosition: "after" }, "a", { code: "invalid" }],
    ["itself as the sibling", { siblingId: "a1", relativePosition: "after" }, "a1", { code: "invalid" }],
  ])("is refused for %s", (_, requested, movedId, problem) => {
    expect(() => position(requested, movedId)).toThrow(expect.objectContaining(problem));
  });
});
