// What can be seen of a tree that folds.
import { describe, expect, it } from "vitest";
import { ancestorsOf, firstFolds, unfoldedTo, visibleRows, type Row } from "./row-tree.ts";

/** From an indented text, a row a line. */
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
  it("are hidden by every folded row above them", () => {
    expect(ids(visibleRows(ROWS, new Set()))).toBe("abcdef");
    expect(ids(visibleRows(ROWS, new Set(["b"])))).toBe("abdef");
    expect(ids(visibleRows(ROWS, new Set(["a", "b"])))).toBe("aef");
    expect(ids(visibleRows(ROWS, new Set(["c", "e"])))).toBe("abcde");
  });

  it("are unfolded as far as it takes to show one", () => {
    expect([...unfoldedTo(BY_ID, "c", new Set(["a", "b", "e"]))]).toEqual(["e"]);
    expect(ids(ancestorsOf(BY_ID, "c"))).toBe("ba");
    expect(ancestorsOf(BY_ID, "none")).toEqual([]);
  });

  it("begin folded where there are many", () => {
    expect(firstFolds(ROWS).size).toBe(0);
    const many = rowsOf(Array.from({ length: 400 }, (_, i) => `r${i}\n  s${i}`).join("\n"));
    expect(visibleRows(many, firstFolds(many))).toHaveLength(400);
  });
});
