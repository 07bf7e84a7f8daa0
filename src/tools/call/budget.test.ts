import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../kernel/text/tokens.ts";
import { LazyList } from "../definition/lazy-list.ts";
import { fit, readCursor, sealOf, type Result } from "./budget.ts";

const seal = sealOf("tool", { query: "x" });

/** Reads page after page, as a model would, until there is no more. */
function pages(result: Result, field: string, budget: number): Result[] {
  const all: Result[] = [];
  let cursor: string | undefined;
  do {
    const page = fit(result, { field, budget, seal, start: readCursor(cursor, seal) });
    all.push(page);
    cursor = page["nextCursor"] as string | undefined;
  } while (cursor !== undefined && all.length < 1000);
  return all;
}

describe("fitting a result into its token budget", () => {
  it("leaves a result that fits unchanged", () => {
    const result = { items: [1, 2, 3], count: 3 };
    expect(fit(result, { field: "items", budget: 100, start: 0, seal })).toBe(result);
  });

  it("cuts a list between items, and returns the total and a cursor for the rest", () => {
    const items = Array.from({ length: 500 }, (_, i) => ({ path: `Notes/Number ${i}.md` }));
    const page = fit({ items, success: true }, { field: "items", budget: 500, start: 0, seal });
    expect(page).toMatchObject({
      success: true,
      truncated: true,
      total: 500,
      nextCursor: expect.any(String),
      hint: expect.stringContaining("nextCursor"),
    });
    expect(estimateTokens(JSON.stringify(page))).toBeLessThanOrEqual(500);
    expect(page["items"]).toEqual(items.slice(0, (page["items"] as unknown[]).length));
  });

  it("puts no more items on a page than were requested", () => {
    const items = Array.from({ length: 25 }, (_, i) => i);
    const all = [];
    for (let start = 0; start < 25; start += 10) {
      const page = fit({ items }, { field: "items", budget: 500, size: 10, start, seal });
      all.push(page);
      if (start < 20) expect(readCursor(page["nextCursor"] as string, seal)).toBe(start + 10);
      if (start === 10) expect(page["hint"]).toMatch(/^11 to 20 of 25 items;/);
    }
    expect(all.map((page) => page["items"])).toEqual([items.slice(0, 10), items.slice(10, 20), items.slice(20)]);
    expect(all.at(-1)).toMatchObject({ truncated: false, total: 25 });
  });

  it("makes only the items of a lazy list that are on the page", () => {
    let made = 0;
    const items = new LazyList(1_000_000, function* (start) {
      for (let i = start; i < 1_000_000; i++) {
        made++;
        yield `Item ${i}`;
      }
    });
    const first = fit({ items }, { field: "items", budget: 500, start: 0, seal });
    const start = readCursor(first["nextCursor"] as string, seal);
    const second = fit({ items }, { field: "items", budget: 500, start, seal });
    expect(first).toMatchObject({ truncated: true, total: 1_000_000 });
    expect((second["items"] as string[])[0]).toBe(`Item ${start}`);
    expect(made).toBeLessThan(2_000);
    const few = new LazyList(3, (from) => [1, 2, 3].slice(from));
    expect(fit({ items: few }, { field: "items", budget: 500, start: 0, seal })).toEqual({ items: [1, 2, 3] });
    expect(fit({ items: few }, { field: "items", budget: 500, start: 3, seal })).toMatchObject({ items: [] });
  });

  it("reports a cut list of objects by an object, because clients check the type of items", () => {
    const rows = Array.from({ length: 500 }, (_, i) => ({ topic: `Row ${i}` }));
    const names = rows.map(({ topic }) => topic);
    const cut = fit({ rows, names }, { field: undefined, budget: 500, start: 0, seal });
    expect((cut["rows"] as object[]).at(-1)).toEqual({ "…": "500 in all" });
    expect((cut["names"] as string[]).at(-1)).toBe("… (500 in all)");
  });

  it("cuts a nested field and leaves its siblings unchanged", () => {
    const content = "line\n".repeat(2000);
    const page = fit(
      { success: true, data: { content, lines: 2000 } },
      { field: "data.content", budget: 400, start: 0, seal },
    );
    expect(page).toMatchObject({
      success: true,
      data: { lines: 2000, content: expect.stringMatching(/^line\n/) },
      truncated: true,
    });
  });

  it("cuts a text at the end of a line", () => {
    const content = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join("");
    const page = fit({ content }, { field: "content", budget: 400, start: 0, seal });
    expect(page["content"]).toMatch(/\n$/);
  });

  it("never splits a surrogate pair", () => {
    const content = "😀".repeat(2000);
    for (const page of pages({ content }, "content", 300))
      expect((page["content"] as string).isWellFormed()).toBe(true);
  });

  it("shortens a result without pages, and gives the original lengths", () => {
    const result = {
      success: true,
      paths: Array.from({ length: 3000 }, (_, i) => `Notes/Number ${i}.md`),
      text: "x".repeat(90_000),
    };
    const short = fit(result, { field: undefined, budget: 1000, start: 0, seal });
    expect(short).toMatchObject({
      success: true,
      truncated: true,
      hint: expect.stringContaining("the call itself was completed"),
    });
    expect(JSON.stringify(short)).toContain("(3000 in all)");
    expect(JSON.stringify(short)).toContain("(90000 characters)");
    expect(estimateTokens(JSON.stringify(short))).toBeLessThanOrEqual(1000);
  });

  it("shortens an item that is longer than a page, and continues after it", () => {
    const result = { items: ["x".repeat(9000), "last"] };
    expect(pages(result, "items", 400).flatMap((page) => page["items"])).toEqual([
      expect.stringContaining("(9000 characters)"),
      "last",
    ]);
  });

  it("shortens the other fields if they leave no room for the page", () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`property ${i}`, "x".repeat(200)]));
    const content = Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join("");
    const all = pages({ data: { content, properties } }, "data.content", 1000);
    expect(all.map((page) => (page["data"] as { content: string }).content).join("")).toBe(content);
    for (const page of all) expect(estimateTokens(JSON.stringify(page))).toBeLessThanOrEqual(1000);
  });

  it("returns every item once and in order, for random sizes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 60 }), { maxLength: 80 }),
        fc.integer({ min: 300, max: 600 }),
        (items, budget) => {
          const all = pages({ items, note: "kept" }, "items", budget);
          expect(all.flatMap((page) => page["items"] as string[])).toEqual(items);
          for (const page of all) expect(estimateTokens(JSON.stringify(page))).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });

  it("returns every character once and in order, for random texts", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 3000 }),
        fc.integer({ min: 200, max: 500 }),
        (content, budget) => {
          expect(
            pages({ content }, "content", budget)
              .map((page) => page["content"])
              .join(""),
          ).toBe(content);
        },
      ),
    );
  });
});

describe("a cursor", () => {
  it("is valid for one tool with the same arguments only", () => {
    const items = Array.from({ length: 500 }, (_, i) => i);
    const { nextCursor } = fit({ items }, { field: "items", budget: 300, start: 0, seal });
    expect(readCursor(nextCursor as string, sealOf("tool", { query: "x", cursor: "ignored" }))).toBeGreaterThan(0);
    expect(() => readCursor(nextCursor as string, sealOf("tool", { query: "y" }))).toThrow("Invalid cursor.");
    expect(() => readCursor(nextCursor as string, sealOf("other", { query: "x" }))).toThrow("Invalid cursor.");
  });

  it.each(["garbage", ".", "-5.x", "zz"])("is refused if it was not written by this program: %s", (cursor) => {
    expect(() => readCursor(cursor, seal)).toThrow("Invalid cursor.");
  });
});
