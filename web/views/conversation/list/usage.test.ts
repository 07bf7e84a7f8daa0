// What conversations took, by week, by hour of the week, in tokens and in money.
import { describe, expect, it } from "vitest";
import { byWeek, costOf, hoursOfWeek, tokenSums, usesIn, type Use } from "./usage.ts";

const at = (time: string, facts: Partial<Use> = {}): Use => ({
  time: new Date(time).getTime(),
  source: "claude-code",
  model: "opus",
  count: 1,
  tokens: undefined,
  ...facts,
});

describe("what conversations took", () => {
  it("is read from hours with a program and a model, which may be unknown", () => {
    const tokens = { input: 10, output: 2, cached: 7 };
    expect(
      usesIn([
        { key: "2026-01-31T15 cursor ", count: 2 },
        { key: "2026-01-31T16 codex gpt 5", count: 1, tokens },
      ]),
    ).toEqual([
      { time: Date.UTC(2026, 0, 31, 15), source: "cursor", model: "", count: 2, tokens: undefined },
      { time: Date.UTC(2026, 0, 31, 16), source: "codex", model: "gpt 5", count: 1, tokens },
    ]);
  });

  it("is stacked by weeks without a gap, across a change of the clock, the largest name first", () => {
    const uses = [
      at("2026-03-23T10:00"),
      at("2026-04-06T10:00", { count: 3, source: "codex" }),
      at("2026-04-12T23:00", { count: 1 }),
    ];
    expect(
      byWeek(
        uses,
        ({ source }) => source,
        ({ count }) => count,
        52,
      ),
    ).toEqual({
      names: ["codex", "claude-code"],
      weeks: [
        { from: "2026-03-23", to: "2026-03-29", amounts: [0, 1] },
        { from: "2026-03-30", to: "2026-04-05", amounts: [0, 0] },
        { from: "2026-04-06", to: "2026-04-12", amounts: [3, 1] },
      ],
    });
    expect(
      byWeek(
        uses,
        ({ source }) => source,
        ({ count }) => count,
        1,
      ).weeks,
    ).toHaveLength(1);
  });

  it("has names beyond the largest ones as one, and loses none of them", () => {
    const uses = Array.from({ length: 8 }, (_, i) => at("2026-03-23T10:00", { model: `m${i}`, count: i + 1 }));
    const { names, weeks } = byWeek(
      uses,
      ({ model }) => model,
      ({ count }) => count,
      9,
    );
    expect(names).toEqual(["m7", "m6", "m5", "m4", "Others"]);
    expect(weeks[0]!.amounts).toEqual([8, 7, 6, 5, 1 + 2 + 3 + 4]);
  });

  it("is counted by hour of the week in the time of the person", () => {
    const hours = hoursOfWeek([at("2026-03-23T10:59"), at("2026-03-30T10:00", { count: 2 }), at("2026-03-29T00:30")]);
    expect(hours[0]![10]).toBe(3);
    expect(hours[6]![0]).toBe(1);
  });

  it("keeps fresh, cached and written tokens apart, and costs only what has a price", () => {
    const tokens = { input: 3_000_000, output: 500_000, cached: 2_000_000 };
    const uses = [
      at("2026-03-23T10:00", { tokens }),
      at("2026-03-23T11:00", { tokens, model: "free" }),
      at("2026-03-23T12:00"),
    ];
    expect(tokenSums(uses)).toEqual({ fresh: 2_000_000, cached: 4_000_000, output: 1_000_000 });
    expect(tokenSums([at("2026-03-23T12:00")])).toBeUndefined();
    expect(costOf(uses, {})).toBeUndefined();
    expect(costOf(uses, { opus: { fresh: 5, cached: 0.5, output: 25 } })).toBeCloseTo(5 + 1 + 12.5);
  });
});
