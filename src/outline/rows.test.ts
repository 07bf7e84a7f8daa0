import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf, type GivenRow } from "../../test/fixtures/outlines.ts";
import { ancestorsOf, isWithin, rowOf, rowsBelow } from "./rows.ts";

/** Rows from their levels, as far as those are possible. */
function rowsOf(levels: readonly number[]): GivenRow[] {
  const top: GivenRow[] = [];
  const open: GivenRow[][] = [top];
  for (const [i, level] of levels.entries()) {
    open.length = Math.min(open.length, level + 1);
    const children: GivenRow[] = [];
    open.at(-1)!.push({ id: `${i}`, topic: "", children });
    open.push(children);
  }
  return top;
}

describe("walking the rows of an outline", () => {
  it("skips rows as if they had been visited", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4)), fc.nat(15), fc.nat(3), (levels, skip, maxDepth) => {
        const outline = outlineOf(rowsOf(levels));
        expect(outline.rowCount).toBe(levels.length);
        const all = [...rowsBelow(outline, null)];
        expect(all).toHaveLength(outline.rowCount);
        expect([...rowsBelow(outline, null, { skip })]).toEqual(all.slice(skip));
        const shallow = all.filter(({ level }) => level <= maxDepth);
        expect([...rowsBelow(outline, null, { maxDepth })]).toEqual(shallow);
        expect([...rowsBelow(outline, null, { maxDepth, skip })]).toEqual(shallow.slice(skip));
      }),
    );
  });

  it("does not overflow the stack in a very deep outline", () => {
    const depth = 50_000;
    const row = (id: number) => ({
      id: `${id}`,
      topic: "",
      note: null,
      state: "none" as const,
      level: id,
      parentId: id === 0 ? null : `${id - 1}`,
      childIds: id + 1 === depth ? [] : [`${id + 1}`],
      descendants: depth - id - 1,
    });
    const outline = { ...outlineOf([]), topIds: ["0"], rowCount: depth, row: (id: string) => row(Number(id)) };
    expect([...rowsBelow(outline, null)]).toHaveLength(depth);
    expect(ancestorsOf(outline, row(depth - 1))).toHaveLength(depth - 1);
    expect(isWithin(outline, `${depth - 1}`, "0")).toBe(true);
  });

  it("names the ids of the rows whose topic was sent for an id", () => {
    const outline = outlineOf([{ id: "a", topic: "Shopping", children: [{ id: "b", topic: "shopping " }] }]);
    expect(() => rowOf(outline, "Shopping")).toThrow(
      expect.objectContaining({ hint: 'That is the topic of a row: send its id, "a" or "b".' }),
    );
    expect(() => rowOf(outline, "Nope")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('search {"query":"Nope","kinds":["outline"]}') }),
    );
  });

  it("throws for a row that does not exist", () => {
    expect(() => rowOf(outlineOf([]), "x".repeat(500))).toThrow(/^Row not found: x{100}…$/);
  });
});
