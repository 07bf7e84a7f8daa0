import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { Hash } from "../formats/hash.ts";
import { treeOf } from "../formats/parsed-outline.ts";
import { idOfBits, assignIds, type KnownRows, type RowsWithoutIds } from "./row-ids.ts";

/** Rows from lines, indented by two spaces per level. */
function rows(...lines: string[]): RowsWithoutIds & { readonly names: string[] } {
  const open: number[] = [];
  const parents = lines.map((line, row) => {
    open.length = /^ */.exec(line)![0].length / 2;
    const parent = open.at(-1) ?? -1;
    open.push(row);
    return parent;
  });
  const names = lines.map((line) => line.trim());
  return {
    ...treeOf(Int32Array.from(parents)),
    topics: Float64Array.from(names, (name) => new Hash().addText(name).number()),
    names,
  };
}

const seen = (of: RowsWithoutIds): KnownRows => ({ ...of, ids: assignIds(of, undefined) });

/** The former row that each row is matched with, or "new". */
function matched(before: readonly string[], after: readonly string[]): string[] {
  const old = seen(rows(...before));
  const ids = assignIds(rows(...after), old);
  const numbers = new Map(old.ids.map((id, row) => [id, String(row)]));
  return ids.map((id) => numbers.get(id) ?? "new");
}

describe("the first ids of rows", () => {
  it("follow from their positions alone", () => {
    expect(assignIds(rows("a", "  b", "c"), undefined)).toEqual(assignIds(rows("x", "  y", "z"), undefined));
    expect(assignIds(rows("a", "  b", "c"), undefined)).not.toEqual(assignIds(rows("a", "b", "c"), undefined));
  });

  it("differ between documents", () => {
    const [one, other] = ["/a.opml", "/b.opml"].map((path) => assignIds(rows("a", "  b", "c"), undefined, path));
    expect(new Set([...one!, ...other!]).size).toBe(6);
  });

  it("have the form of OmniOutliner's ids", () => {
    for (const id of assignIds(rows("a", "  b", "c"), undefined)) expect(id).toMatch(/^[a-p][\w-]{10}$/);
    expect(idOfBits(0, 0)).toBe("aaaaaaaaaaa");
    expect(idOfBits(0xffffffff, 0xffffffff)).toBe("p__________");
  });

  it("are unique in a large outline", () => {
    const many = rows(...Array.from({ length: 50_000 }, (_, row) => `${row % 3 === 0 ? "" : "  "}same`));
    expect(new Set(assignIds(many, undefined)).size).toBe(50_000);
  });
});

describe("after an edit by another program", () => {
  it("rows with the same parent and topic keep their ids, in order", () => {
    expect(matched(["a", "b", "a"], ["new", "a", "a", "b"])).toEqual(["new", "0", "2", "1"]);
  });

  it("a moved row is matched by its topic if that is unique", () => {
    expect(matched(["a", "  b", "    c", "d"], ["a", "d", "  b", "    c"])).toEqual(["0", "3", "1", "2"]);
  });

  it("an edited row is matched by its neighbours", () => {
    expect(matched(["a", "b", "c"], ["a", "B", "c"])).toEqual(["0", "1", "2"]);
    expect(matched(["a", "  x", "  y"], ["A", "  x", "  y"])).toEqual(["0", "1", "2"]);
  });

  it("an added row is new, and the id of a deleted row is not reused", () => {
    expect(matched(["a", "c"], ["a", "b", "c"])).toEqual(["0", "new", "1"]);
    expect(matched(["a", "b", "c"], ["a", "c", "d"])).toEqual(["0", "2", "new"]);
  });

  it("rows with other parents are not matched by a topic that is not unique", () => {
    expect(matched(["p", "  x", "q", "  x"], ["p", "q", "r", "  x", "  x"])).toEqual(["0", "2", "new", "new", "new"]);
  });

  it("every row gets a unique id, the same in every process", () => {
    const outline = fc.array(
      fc.record({ topic: fc.constantFrom("a", "b", "c", "d"), deeper: fc.integer({ min: -2, max: 1 }) }),
      { maxLength: 14 },
    );
    const linesOf = (list: readonly { topic: string; deeper: number }[]) => {
      let level = -1;
      return list.map(({ topic, deeper }) => {
        level = Math.max(0, Math.min(level + 1, level + deeper));
        return "  ".repeat(level) + topic;
      });
    };
    fc.assert(
      fc.property(outline, outline, (first, second) => {
        const old = seen(rows(...linesOf(first)));
        const now = rows(...linesOf(second));
        const ids = assignIds(now, old);
        expect(new Set(ids).size).toBe(now.count);
        expect(assignIds(now, old)).toEqual(ids);
        // Unchanged rows keep their ids.
        expect(assignIds(rows(...linesOf(first)), old)).toEqual(old.ids);
      }),
    );
  });

  it("the rows of an outline of 100,000 rows are matched", () => {
    const before = Array.from({ length: 100_000 }, (_, row) => `${row % 10 === 0 ? "" : "  "}row ${row}`);
    const after = before.toSpliced(50_001, 1, "  edited").toSpliced(10, 0, "  added");
    expect(matched(before, after).filter((each) => each === "new")).toHaveLength(1);
  });
});
