import { describe, expect, it } from "vitest";
import { fused as fusedBy } from "./phrasings.ts";
import { withoutListed } from "../vault/note-search.ts";
import type { Found, Ranked } from "./searchers.ts";

const hit = (id: string, score: number): Ranked => ({ kind: "note", id, score, title: id, when: "", snippet: "" });
const answer = (...found: Ranked[]): Found => ({ found, total: found.length, facts: {} });
const fused = (answers: readonly Found[]) => fusedBy(answers, 20);
const ids = ({ found }: Found) => found.map(({ id }) => id);

describe("several phrasings of a search", () => {
  it("put first what most of them find early, even if one finds something else better", () => {
    const fusion = fused([
      answer(hit("one", 0.95), hit("both", 0.5)),
      answer(hit("other", 0.6), hit("both", 0.55)),
      answer(hit("both", 0.4)),
    ]);
    expect(ids(fusion)).toEqual(["both", "one", "other"]);
  });

  it("keep scores that can be compared with those of other kinds, in order", () => {
    const { found } = fused([answer(hit("a", 0.9), hit("b", 0.3)), answer(hit("b", 0.5))]);
    expect(found.map(({ id, score }) => [id, score])).toEqual([
      ["b", 0.9],
      ["a", 0.5],
    ]);
  });

  it("list each hit once, page after page, whatever the answers have further down", () => {
    const lists = ["ab", "ac", "db"].map((letters) =>
      Array.from({ length: 40 }, (_, i) => hit(`${letters[i % 2]}${(i * 7 + letters.charCodeAt(1)) % 40}`, 1 - i / 50)),
    );
    const upTo = (end: number) =>
      fusedBy(
        lists.map((list) => answer(...list.slice(0, end))),
        5,
      ).found;
    const all = upTo(40);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a));
    for (let end = 5; end < 40; end += 5) {
      const found = upTo(end);
      expect(found.length).toBeGreaterThanOrEqual(end);
      expect(all.slice(0, found.length)).toEqual(found);
    }
  });

  it("change nothing where there is one", () => {
    const only = answer(hit("a", 0.9), hit("b", 0.3));
    expect(fused([only])).toBe(only);
  });
});

describe("related notes", () => {
  const near = (path: string, vault: string, nearness = 0.7) => ({ path, vault, title: path, nearness, passage: "" });

  it("are left out if they are listed, but not for a note of another vault with the same path", () => {
    const related = [near("Plan.md", "Work"), near("Plan.md", "Home")];
    expect(withoutListed(related, [{ path: "Plan.md", vault: "Work" }])).toEqual([related[1]]);
  });

  it("of several phrasings are each named once, the nearest first, hits that may not be listed among them", () => {
    const [plan, other] = [near("Plan.md", "Home"), near("Other.md", "Home", 0.8)];
    const fusion = fused([
      { ...answer({ ...hit("Plan.md", 0.9), vault: "Home" }), related: [plan] },
      { ...answer(), related: [other, { ...plan, nearness: 0.6 }] },
    ]);
    expect(fusion.related).toEqual([other, plan]);
  });
});
