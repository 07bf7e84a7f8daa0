// Rows of an outline that folds.
import { describe, expect, it } from "vitest";
import { rowsOf } from "./sample-rows.ts";
import { initialFolds, Rows, unfoldTo, visibleRows, type Row } from "./row-tree.ts";

const ROWS = rowsOf("a\n  b\n    c\n  d\ne\n  f");
const TREE = new Rows(ROWS);
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).join("");

describe("the rows of an outline", () => {
  it("are hidden below every folded ancestor", () => {
    expect(ids(visibleRows(ROWS, new Set()))).toBe("abcdef");
    expect(ids(visibleRows(ROWS, new Set(["b"])))).toBe("abdef");
    expect(ids(visibleRows(ROWS, new Set(["a", "b"])))).toBe("aef");
    expect(ids(visibleRows(ROWS, new Set(["c", "e"])))).toBe("abcde");
  });

  it("become visible when their ancestors are unfolded", () => {
    expect([...unfoldTo(TREE, "c", new Set(["a", "b", "e"]))]).toEqual(["e"]);
    expect(ids(TREE.ancestorsOf("c"))).toBe("ba");
    expect(TREE.ancestorsOf("none")).toEqual([]);
  });

  it("start folded in a long outline", () => {
    expect(initialFolds(ROWS).size).toBe(0);
    const many = rowsOf(Array.from({ length: 400 }, (_, i) => `r${i}\n  s${i}`).join("\n"));
    expect(visibleRows(many, initialFolds(many))).toHaveLength(400);
  });
});
