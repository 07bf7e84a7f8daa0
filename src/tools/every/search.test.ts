import { describe, expect, it } from "vitest";
import { fairShare } from "./search.ts";

type SearchHit = Parameters<typeof fairShare>[0][number][number];

const found = (kind: SearchHit["kind"], ...scores: number[]): SearchHit[] =>
  scores.map((score) => ({ kind, score, title: "", when: "", snippet: "", id: `${score}` }));
const shown = (limit: number, ...kinds: SearchHit[][]) =>
  fairShare(kinds, limit).map(({ kind, score }) => `${kind} ${score}`);

describe("the hits of a search over all kinds", () => {
  it("are the best of all kinds", () => {
    expect(shown(3, found("note", 0.9, 0.5), found("outline", 0.8, 0.7))).toEqual([
      "note 0.9",
      "outline 0.8",
      "outline 0.7",
    ]);
  });

  it("include the best of each kind, even if another kind has many better ones", () => {
    const many = found("outline", ...Array.from({ length: 20 }, (_, i) => 0.99 - i / 1000));
    const results = shown(8, found("note", 0.4, 0.3, 0.2), many);
    expect(results).toHaveLength(8);
    expect(results.slice(-2)).toEqual(["note 0.4", "note 0.3"]);
  });

  it("fill the page if one kind has enough", () => {
    expect(shown(4, found("note"), found("outline", 0.9, 0.8, 0.7, 0.6, 0.5))).toHaveLength(4);
    expect(shown(1, found("note", 0.4), found("outline", 0.9))).toEqual(["outline 0.9"]);
  });
});
