import { describe, expect, it } from "vitest";
import { outlineOf } from "../../../test/fixtures/outlines.ts";
import { finished } from "../../kernel/kernel.ts";
import { parseQuery } from "../../search/query.ts";
import { rankRows as rankInSteps } from "./ranking.ts";

const outline = outlineOf([
  { topic: "Garden plan", note: "sow beans in late spring" },
  { topic: "Spring", children: [{ topic: "late in spring, clean the shed" }, { topic: "Springs and screws" }] },
  { topic: "Straße", note: "日本の会議" },
]);
const rankRows = (...given: Parameters<typeof rankInSteps>) => finished(rankInSteps(...given));
const find = (query: string, limit = 10) => rankRows(outline, parseQuery(query), limit);
const topics = (query: string) => find(query).rows.map(({ row }) => row.topic);

describe("rows in the search tool", () => {
  it("are found if topic or note contain all words, best first", () => {
    expect(topics("spring")).toEqual(["Spring", "late in spring, clean the shed", "Garden plan", "Springs and screws"]);
    expect(topics("garden spring")[0]).toBe("Garden plan");
    expect(topics('"late spring"')).toEqual(["Garden plan"]);
    expect(topics("spring -shed -garden")).toEqual(["Spring", "Springs and screws"]);
    expect(topics("nowhere")).toEqual([]);
  });

  it("rank by where the words are, and whether they are next to each other", () => {
    const ranked = outlineOf([
      { topic: "Red apple" },
      { topic: "A red apple a day" },
      { topic: "In the note", note: "the red apple fell" },
      { topic: "Apple, nearly red" },
      { topic: "Apple", note: "red, that is" },
      { topic: "One word", note: "pear" },
      { topic: "Pear tree" },
    ]);
    const scores = (query: string) =>
      rankRows(ranked, parseQuery(query), 10).rows.map(({ row, score }) => [row.topic, score]);
    expect(scores("red apple")).toEqual([
      ["Red apple", 0.97],
      ["A red apple a day", 0.91],
      ["In the note", 0.9],
      ["Apple, nearly red", 0.89],
      ["Apple", 0.8],
    ]);
    // A query that is one quoted phrase.
    expect(scores('"red apple"')).toEqual([
      ["Red apple", 0.97],
      ["A red apple a day", 0.91],
      ["In the note", 0.8],
    ]);
    // One word is no phrase: in a note it ranks below any phrase.
    expect(scores("pear")).toEqual([
      ["Pear tree", 0.91],
      ["One word", 0.8],
    ]);
  });

  it("are found ignoring case and diacritics, and in scripts without spaces", () => {
    expect(topics("STRASSE")).toEqual(["Straße"]);
    expect(topics("会議")).toEqual(["Straße"]);
  });

  it("are found by emoji and signs, which do not part the words around them", () => {
    const marked = outlineOf([{ topic: "⭐ Input → output", note: "5 €" }, { topic: "Input and output" }]);
    const found = (query: string) => rankRows(marked, parseQuery(query), 10).rows;
    expect(found("⭐").map(({ snippet }) => snippet)).toEqual(["⭐ Input → output"]);
    expect(found("€").map(({ snippet }) => snippet)).toEqual(["5 €"]);
    expect(found("input output")[0]).toMatchObject({ snippet: "⭐ Input → output", score: 0.97 });
    expect(found("input -⭐").map(({ row }) => row.topic)).toEqual(["Input and output"]);
  });

  it("are found by mistyped words that no row has, below those that have the words, with a snippet of what was meant", () => {
    expect(topics("gadren")).toEqual(["Garden plan"]);
    expect(find("baens late").rows[0]).toMatchObject({
      row: { topic: "Garden plan" },
      snippet: "sow beans in late spring",
    });
    const { rows } = find("spring scerws");
    expect(rows.map(({ row }) => row.topic).slice(0, 1)).toEqual(["Springs and screws"]);
    expect(rows[0]!.score).toBeGreaterThanOrEqual(0.6);
    expect(rows[0]!.score).toBeLessThan(0.7);
    expect(topics("What did the gadren plan say about baens?")).toEqual(["Garden plan"]);
    // Too short to be corrected, excluded, or a word that is there in another form.
    expect(topics("sed")).toEqual([]);
    expect(topics("gadren -spring")).toEqual([]);
    expect(topics("screw")).toEqual(["Springs and screws"]);
  });

  it("are found by the words of a sentence that quotes what no row has", () => {
    const question = 'When do we sow the beans in the "glass house" of the garden';
    expect(topics(question)).toContain("Garden plan");
    expect(topics(question.replace('"glass', '+"glass'))).toEqual([]);
  });

  it("name the words that no row has in any form", () => {
    expect(find("springs codex").unfound).toEqual(["codex"]);
    expect(find("gadren").unfound).toEqual(["gadren"]);
    expect(find("会議 beans screw").unfound).toEqual([]);
  });

  it("are ranked in steps, whatever has to be looked for in all of them", () => {
    const many = outlineOf(Array.from({ length: 3_000 }, (_, i) => ({ topic: `Row ${i} of beans` })));
    // Words that no text has are looked for in other forms, mistyped and in part, and are named.
    for (const [query, passes] of [
      ["beans", 2],
      ['"row beans"', 2],
      ["baens", 6],
      ["row nowhere", 6],
    ] as const) {
      let steps = 0;
      for (const ranking = rankInSteps(many, parseQuery(query), 10); ranking.next().done !== true;) steps++;
      expect(steps, query).toBeGreaterThanOrEqual((passes * 3_000) / 100);
    }
  });

  it("are counted beyond the limit, with a snippet of the match", () => {
    expect(find("spring", 1)).toMatchObject({ rows: [{ snippet: "Spring" }], total: 4 });
    expect(find("beans").rows[0]).toMatchObject({ snippet: "sow beans in late spring" });
    for (const { score } of find("spring").rows) expect(score).toBeGreaterThan(0.5);
  });

  it("are not found by tags, paths, properties or an empty query", () => {
    expect(topics("spring tag:#garden")).toEqual([]);
    expect(topics("path:Garden")).toEqual([]);
    expect(topics("-spring")).toEqual([]);
  });
});
