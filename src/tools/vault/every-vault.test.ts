import { describe, expect, it } from "vitest";
import { best } from "./every-vault.ts";

const hit = (id: string, score: number, mtime: number) => ({ id, score, mtime });

describe("the ranking of several vaults", () => {
  it("is by score, of equal ones the newest of the next in each", () => {
    const [a, b] = [
      [hit("a", 0.9, 1), hit("c", 0.5, 1)],
      [hit("b", 0.7, 1), hit("d", 0.5, 2)],
    ];
    expect(best([a!, b!], 10).map(({ id }) => id)).toEqual(["a", "b", "d", "c"]);
    expect(best([a!], 1)).toEqual([a![0]]);
  });

  it("begins alike however many hits were looked for", () => {
    const vaults = [
      Array.from({ length: 12 }, (_, i) => hit(`a${i}`, 1 - Math.floor(i / 4) / 10, i)),
      Array.from({ length: 9 }, (_, i) => hit(`b${i}`, 1 - Math.floor(i / 3) / 10, 5 - i)),
    ];
    const upTo = (limit: number) =>
      best(
        vaults.map((hits) => hits.slice(0, limit)),
        limit,
      );
    const all = upTo(21);
    expect(all).toHaveLength(21);
    for (let limit = 1; limit < 21; limit++) expect(upTo(limit)).toEqual(all.slice(0, limit));
  });
});
