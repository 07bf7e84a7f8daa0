import { describe, expect, it } from "vitest";
import { fairShare } from "./search.ts";

type Found = Parameters<typeof fairShare>[0][number][number];

const found = (kind: Found["kind"], ...scores: number[]): Found[] =>
  scores.map((score) => ({ kind, score, title: "", where: "", when: 0, snippet: "", id: `${score}`, readWith: "" }));
const shown = (limit: number, ...kinds: Found[][]) =>
  fairShare(kinds, limit).map(({ kind, score }) => `${kind} ${score}`);

describe("what a search over everything shows", () => {
  it("is the best of all kinds", () => {
    expect(shown(3, found("note", 0.9, 0.5), found("outline", 0.8, 0.7))).toEqual([
      "note 0.9",
      "outline 0.8",
      "outline 0.7",
    ]);
  });

  it("has the best of each kind, however many better ones another has", () => {
    const many = found("outline", ...Array.from({ length: 20 }, (_, i) => 0.99 - i / 1000));
    const results = shown(8, found("note", 0.4, 0.3, 0.2), many);
    expect(results).toHaveLength(8);
    expect(results.slice(-2)).toEqual(["note 0.4", "note 0.3"]);
  });

  it("is full where one kind has enough", () => {
    expect(shown(4, found("note"), found("outline", 0.9, 0.8, 0.7, 0.6, 0.5))).toHaveLength(4);
    expect(shown(1, found("note", 0.4), found("outline", 0.9))).toEqual(["outline 0.9"]);
  });
});
