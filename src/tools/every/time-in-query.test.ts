import { describe, expect, it } from "vitest";
import { localDay } from "../../kernel/kernel.ts";
import { timeIn } from "./time-in-query.ts";

/** A Tuesday. */
const NOW = new Date(2026, 10, 17, 15, 30).getTime();

async function named(query: string) {
  const time = await timeIn(query, NOW);
  return time && [time.words, time.rest, localDay(time.span.start), localDay(time.span.end - 1)];
}

describe("a time in a query", () => {
  it.each([
    ["what did I decide last March", "last March", "what did I decide", "2026-03-01", "2026-03-31"],
    ["budget notes from last december", "last december", "budget notes", "2025-12-01", "2025-12-31"],
    ["yesterday's standup", "yesterday", "standup", "2026-11-16", "2026-11-16"],
    ["standup yesterday", "yesterday", "standup", "2026-11-16", "2026-11-16"],
    ["garden this week", "this week", "garden", "2026-11-16", "2026-11-22"],
    ["meeting on last Monday about rent", "last Monday", "meeting about rent", "2026-11-16", "2026-11-16"],
    ["recipes two months ago", "two months ago", "recipes", "2026-09-01", "2026-09-30"],
    ["recipes in the last 10 days", "last 10 days", "recipes", "2026-11-07", "2026-11-17"],
    ["tag:#garden last march", "last march", "tag:#garden", "2026-03-01", "2026-03-31"],
    ["last march", "last march", "", "2026-03-01", "2026-03-31"],
    ["What was it yesterday?", "yesterday", "", "2026-11-16", "2026-11-16"],
  ])("of %s is local", async (query, ...wanted) => {
    expect(await named(query)).toEqual(wanted);
  });

  it.each([
    '"last March" budget',
    "budget -yesterday",
    "budget May 2023",
    "2026-03-05 budget",
    "the last marching band",
    "last",
  ])("is not found in %s", async (query) => {
    expect(await timeIn(query, NOW)).toBeUndefined();
  });

  it("is looked for in a word of a megabyte", async () => {
    expect(await named(`yesterday ${"x".repeat(1_000_000)}`)).toEqual([
      "yesterday",
      "x".repeat(1_000_000),
      "2026-11-16",
      "2026-11-16",
    ]);
  });
});
