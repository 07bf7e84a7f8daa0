import { describe, expect, it } from "vitest";
import { type RecalledRow, withRoom } from "./recalled-rows.ts";

const cut = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

const rows = (count: number, title = "A title as people write it"): RecalledRow[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    title,
    source_tool: "claude-code",
    updated_at: "2026-11-16T10:46:28.139Z",
    message_count: 12,
    relevance_score: 1.58,
    snippet: "x".repeat(160),
    conversation_type: "code_discussion",
    project: "workspace",
    model: "claude-opus-4-5-20251101",
  }));

const tokensOf = (page: readonly RecalledRow[]) => Math.ceil(JSON.stringify(page).length / 4);

describe("a page of rows", () => {
  it("keeps its snippets if there are few rows", () => {
    expect(withRoom(rows(30), {}, cut)).toEqual(rows(30));
  });

  it("has at most 6,000 tokens with 60 rows, and the longest snippets first", () => {
    const page = withRoom(rows(60), { sources: "x".repeat(1_000) }, cut);
    expect(tokensOf(rows(60))).toBeGreaterThan(6_500);
    expect(tokensOf(page) + 350).toBeLessThan(6_000);
    const lengths = page.map(({ snippet }) => snippet.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect([lengths[0], lengths.at(-1)]).toEqual([160, 40]);
  });

  it("has shorter titles only if there is no room for any snippet", () => {
    const long = "A long title ".repeat(8);
    expect(withRoom(rows(40, long), {}, cut)[0]!.title).toBe(long);
    expect(withRoom(rows(100, long), {}, cut)[0]!.title).toHaveLength(50);
  });
});
