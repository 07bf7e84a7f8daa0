import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeBase } from "./base-words.ts";

const VAULT = join(import.meta.dirname, "../../../../shared/data/vaults/kepano");
const REAL = globSync("**/*.base", { cwd: VAULT });

describe("a base in words", () => {
  it("has its filter, formulas and views", () => {
    const text = `
filters:
  and:
    - file.hasTag("book")
    - or: [rating > 3, favourite]
    - not: [file.inFolder("Old"), draft]
formulas:
  age: today() - published
properties:
  note.rating: { displayName: Stars }
views:
  - type: table
    name: By rating
    order: [file.name, rating, formula.age]
    filters: status == "read"
    sort: [{ property: rating, direction: DESC }, { property: file.name, direction: ASC }]
    groupBy: { property: author, direction: DESC }
    limit: 20
    summaries: { rating: Average }
  - type: cards
    image: cover
`;
    expect(describeBase("Books.base", text))
      .toBe(`A base with 2 views of the files where file.hasTag("book") and (rating > 3 or favourite) and not (file.inFolder("Old") nor draft).

Formulas:
- formula.age = today() - published

View "By rating" (table):
- columns: file.name, rating (shown as Stars), formula.age
- only files where status == "read"
- sorted by rating, descending, then file.name
- grouped by author, descending
- at most 20 files
- summaries: Average of rating

View "cards" (cards):
- image: cover`);
  });

  it.each([
    ["", "A base with no views of all files of the vault."],
    ["views: 5", "A base with no views of all files of the vault."],
    [
      "filters: true\\nviews: [{}]".replace("\\n", "\n"),
      'A base with one view of the files where true.\n\nView "table" (table):',
    ],
    ["formulas: [1]\nproperties: x", "A base with no views of all files of the vault."],
  ])("%j is: %s", (text, words) => {
    expect(describeBase("x.base", text)).toBe(words);
  });

  it("is refused if the file is not YAML, or a list", () => {
    expect(() => describeBase("x.base", "a: [")).toThrow("not valid YAML");
    expect(() => describeBase("x.base", "- a")).toThrow("not a base");
  });

  it.skipIf(REAL.length === 0)("names every view of every base (real data)", () => {
    expect(REAL.length).toBeGreaterThan(20);
    for (const path of REAL) {
      const text = readFileSync(join(VAULT, path), "utf8");
      const words = describeBase(path, text);
      for (const [, name] of text.matchAll(/^ {4}name: "?(.*?)"?$/gm)) expect(words).toContain(`View "${name}" (`);
      expect(words).not.toMatch(/undefined|\[object|null/);
    }
  });
});
