import { describe, expect, it } from "vitest";
import { outlineOf } from "../../../test/fixtures/outlines.ts";
import { parseQuery } from "../../search/query.ts";
import { rankRows } from "./ranking.ts";

const outline = outlineOf([
  { topic: "Garden plan", note: "sow beans in late spring" },
  { topic: "Spring", children: [{ topic: "late in spring, clean the shed" }, { topic: "Springs and screws" }] },
  { topic: "Straße", note: "日本の会議" },
]);
const find = (query: string, limit = 10) => rankRows(outline, parseQuery(query), limit);
const topics = (query: string) => find(query).rows.map(({ row }) => row.topic);

describe("rows in the search tool", () => {
  it("are found if topic or note contain all words, best first", () => {
    expect(topics("spring")).toEqual(["Spring", "late in spring, clean the shed", "Garden plan", "Springs and screws"]);
    expect(topics("garden spring")).toEqual(["Garden plan"]);
    expect(topics('"late spring"')).toEqual(["Garden plan"]);
    expect(topics("spring -shed -garden")).toEqual(["Spring", "Springs and screws"]);
    expect(topics("nowhere")).toEqual([]);
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
