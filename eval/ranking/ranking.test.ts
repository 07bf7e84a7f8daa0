import { describe, expect, it } from "vitest";
import type { ToolListing } from "../../src/tools/definition/define-tool.ts";
import { readRequests } from "../requests.ts";
import { rankAll, rankRequests, shareWithin } from "./ranking.ts";
import { reportOf } from "./report.ts";

const tool = (name: string, description: string, properties = {}) =>
  ({ name, description, inputSchema: { type: "object", properties } }) as unknown as ToolListing;

const LIST = [
  tool("move_note", "Moves a note."),
  tool("move_row", "Moves a row.", { newParent: { type: "string", description: "below which outline row" } }),
  tool("undo", "Takes back a change."),
];

describe("the rank of a request", () => {
  it("is the place of the right tool, the best one's of several", () => {
    const ranked = rankRequests(
      [
        { id: "a", ask: "move this note", tools: ["move_note"] },
        { id: "b", ask: "move this note", tools: ["move_row"] },
        { id: "c", ask: "move this note", tools: ["undo"] },
        { id: "d", ask: "move this note", tools: ["undo", "move_row"] },
      ],
      LIST,
    );
    expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, Infinity, 2]);
    expect([1, 2, 3].map((places) => shareWithin(ranked, places))).toEqual([0.25, 0.75, 0.75]);
  });

  it("counts the context and the names and descriptions of arguments", () => {
    const request = { id: "a", ask: "put it there", context: "This is in the outline.", tools: ["move_row"] };
    expect(rankRequests([request], LIST)[0]?.rank).toBe(1);
    expect(rankRequests([{ ...request, context: "The parent is new." }], LIST)[0]?.rank).toBe(1);
  });

  it("is reported by pair, and each miss with what came before", () => {
    const report = reportOf(
      rankRequests(
        [
          { id: "a", pair: "note or row", ask: "move this note", tools: ["move_row"] },
          { id: "b", pair: "note or row", ask: "move this note", tools: ["move_note"] },
        ],
        LIST,
      ),
    );
    expect(report).toMatch(/\| note or row +\| +2 \| +50\.0 % \| +100\.0 % \|/);
    expect(report).toContain("a: move this note\n  move_row, found as number 2 after move_note");
    expect(report).not.toContain("b: move");
  });
});

describe("a search for tools", () => {
  const ranked = rankAll(readRequests());
  // A failure shows what `npm run eval` prints.
  const misses = reportOf(ranked.filter(({ rank }) => rank > 3));

  it("finds the right tool first for 85 % of all requests", () => {
    expect(ranked).toHaveLength(readRequests().length);
    expect(shareWithin(ranked, 1), "npm run eval shows the misses").toBeGreaterThanOrEqual(0.85);
  });

  it("finds the right tool among the first three for 97 %", () => {
    expect(shareWithin(ranked, 3), misses).toBeGreaterThanOrEqual(0.97);
  });
});
