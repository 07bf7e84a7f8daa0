// Edits of rows, and the places where rows can go.
import { describe, expect, it } from "vitest";
import { applyEdit, type RowEdit } from "./row-edits.ts";
import { dropBetween, placeBelow, placeTowards, type Direction } from "./row-places.ts";
import { Rows } from "./row-tree.ts";
import { rowsOf, textOf } from "./sample-rows.ts";

const ROWS = new Rows(rowsOf("a\n  b\n    c\n  d\ne\n  f"));

const edited = (edit: RowEdit, rows = ROWS) => {
  const after = applyEdit(rows, edit);
  return after && textOf(after.all);
};
const towards = (id: string, direction: Direction) => {
  const place = placeTowards(ROWS, id, direction);
  return place && edited({ kind: "move", id, place });
};

describe("a row", () => {
  it("is indented below its previous sibling, after that one's children", () => {
    expect(towards("d", "in")).toBe("a\n  b\n    c\n    d\ne\n  f");
    expect(towards("e", "in")).toBe("a\n  b\n    c\n  d\n  e\n    f");
    expect(towards("b", "in")).toBeUndefined();
    expect(towards("a", "in")).toBeUndefined();
  });

  it("is outdented to right after its parent, with all below it", () => {
    expect(towards("b", "out")).toBe("a\n  d\nb\n  c\ne\n  f");
    expect(towards("c", "out")).toBe("a\n  b\n  c\n  d\ne\n  f");
    expect(towards("a", "out")).toBeUndefined();
  });

  it("goes up and down among its siblings", () => {
    expect(towards("d", "up")).toBe("a\n  d\n  b\n    c\ne\n  f");
    expect(towards("b", "down")).toBe("a\n  d\n  b\n    c\ne\n  f");
    expect(towards("e", "up")).toBe("e\n  f\na\n  b\n    c\n  d");
    expect(towards("f", "up")).toBeUndefined();
    expect(towards("e", "down")).toBeUndefined();
    expect(towards("none", "down")).toBeUndefined();
  });

  it("is added below a row: as its first child if its children are shown, otherwise as its next sibling", () => {
    const add = (id: string, isFolded: boolean) =>
      edited({ kind: "add", id: "x", topic: "x", place: placeBelow(ROWS.get(id)!, isFolded) });
    expect(add("a", false)).toBe("a\n  x\n  b\n    c\n  d\ne\n  f");
    expect(add("a", true)).toBe("a\n  b\n    c\n  d\nx\ne\n  f");
    expect(add("c", false)).toBe("a\n  b\n    c\n    x\n  d\ne\n  f");
  });

  it("that is added after one with a checkbox has one, too", () => {
    const rows = new Rows(rowsOf("a\nb").map((row) => ({ ...row, state: row.id === "a" ? "checked" : "none" })));
    const add = (afterId: string) =>
      applyEdit(rows, { kind: "add", id: "x", topic: "x", place: { parentId: null, afterId } });
    expect(add("a")?.get("x")?.state).toBe("unchecked");
    expect(add("b")?.get("x")?.state).toBe("none");
  });

  it("is deleted with all below it, and its parent may then have no children", () => {
    expect(edited({ kind: "delete", id: "b" })).toBe("a\n  d\ne\n  f");
    expect(edited({ kind: "delete", id: "f" })).toBe("a\n  b\n    c\n  d\ne");
  });

  it("cannot go into itself, below a row that is gone, or after one that is elsewhere by now", () => {
    expect(edited({ kind: "move", id: "a", place: { parentId: "b", afterId: null } })).toBeUndefined();
    expect(edited({ kind: "move", id: "a", place: { parentId: null, afterId: "a" } })).toBeUndefined();
    expect(edited({ kind: "move", id: "d", place: { parentId: "gone", afterId: null } })).toBeUndefined();
    expect(edited({ kind: "move", id: "d", place: { parentId: "e", afterId: "c" } })).toBeUndefined();
    expect(edited({ kind: "delete", id: "gone" })).toBeUndefined();
    expect(edited({ kind: "toggle", id: "gone" })).toBeUndefined();
  });
});

describe("a row that is dropped between two others", () => {
  const drop = (id: string, above: string, below: string, level: number, isFolded = false) =>
    edited({
      kind: "move",
      id,
      place: dropBetween(ROWS, ROWS.get(above), ROWS.get(below), isFolded, level).place,
    });
  it("goes as deep as it was carried to the right, and no deeper than the rows allow", () => {
    expect(drop("e", "c", "d", 9)).toBe("a\n  b\n    c\n      e\n        f\n  d");
    expect(drop("e", "c", "d", 2)).toBe("a\n  b\n    c\n    e\n      f\n  d");
    expect(drop("e", "c", "d", 0)).toBe("a\n  b\n    c\n  e\n    f\n  d");
    expect(drop("b", "f", "", 0)).toBe("a\n  d\ne\n  f\nb\n  c");
    expect(drop("b", "f", "", 1)).toBe("a\n  d\ne\n  f\n  b\n    c");
  });

  it("becomes the first of all at the top, and stays beside a folded row", () => {
    expect(drop("f", "", "a", 3)).toBe("f\na\n  b\n    c\n  d\ne");
    expect(drop("d", "e", "", 1, true)).toBe("a\n  b\n    c\ne\n  f\nd");
  });
});
