// Rows of an outline that folds.
import { describe, expect, it } from "vitest";
import { ancestorsOf, initialFolds, unfoldTo, visibleRows, type Row } from "./row-tree.ts";

/** One row per line of indented text. */
function rowsOf(text: string): Row[] {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => ({ level: line.search(/\S/) / 2, id: line.trim() }));
  return lines.map(({ level, id }, i) => ({
    id,
    topic: id,
    note: null,
    level,
    state: "none",
    hasChildren: (lines[i + 1]?.level ?? 0) > level,
    parentId: lines.slice(0, i).findLast((one) => one.level === level - 1)?.id ?? null,
    childIds: [],
  }));
}

const ROWS = rowsOf("a\n  b\n    c\n  d\ne\n  f");
const BY_ID = new Map(ROWS.map((row) => [row.id, row]));
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).join("");

describe("the rows of an outline", () => {
  it("are hidden below every folded ancestor", () => {
    expect(ids(visibleRows(ROWS, new Set()))).toBe("abcdef");
    expect(ids(visibleRows(ROWS, new Set(["b"])))).toBe("abdef");
    expect(ids(visibleRows(ROWS, new Set(["a", "b"])))).toBe("aef");
    expect(ids(visibleRows(ROWS, new Set(["c", "e"])))).toBe("abcde");
  });

  it("become visible when their ancestors are unfolded", () => {
    expect([...unfoldTo(BY_ID, "c", new Set(["a", "b", "e"]))]).toEqual(["e"]);
    expect(ids(ancestorsOf(BY_ID, "c"))).toBe("ba");
    expect(ancestorsOf(BY_ID, "none")).toEqual([]);
  });

  it("start folded in a long outline", () => {
    expect(initialFolds(ROWS).size).toBe(0);
    const many = rowsOf(Array.from({ length: 400 }, (_, i) => `r${i}\n  s${i}`).join("\n"));
    expect(visibleRows(many, initialFolds(many))).toHaveLength(400);
  });
});
