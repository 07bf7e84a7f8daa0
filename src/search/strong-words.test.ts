// Ranking only the notes that have a word in plenty must give what ranking all
// of them gives.
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/vaults.ts";
import { parseQuery } from "./query.ts";
import { termsOf } from "./terms.ts";
import { IndexDatabase } from "../sqlite/index-database.ts";
import { documentOf } from "./document.ts";
import { NOTES } from "./index-tables.ts";
import { leastOfStrong, WEIGHTS } from "./relevance.ts";
import { search } from "./document-search.ts";
import { strongWordsOf } from "./strong-words.ts";
import { putDocuments } from "./document-writer.ts";

describe("the strong words of a document", () => {
  it("are those that it has often for its length, the more so in its name, title and headings", () => {
    const body = `${"tide ".repeat(40)}moon ${"filler words of no weight ".repeat(400)}`;
    const strong = strongWordsOf(["harbour", "", "", "", "", body], 2000).split(" ");
    expect(strong).toEqual(expect.arrayContaining(["tide", "harbour", "filler"]));
    expect(strong).not.toContain("moon");
  });

  it("are all words of a short one", () => {
    expect(termsOf(strongWordsOf(["a", "", "", "", "", "one two"], 1000))).toEqual(["a", "one", "two"]);
  });

  it("are those that a plain count finds, in any script and any order", () => {
    const word = fc.constantFrom("tide", "moon", "größe", "日本", "c3po", "a", "привет", "naïve", "𝔘𝔫𝔦");
    const gap = fc.constantFrom(" ", "\n", ", ", " — ", "…", "(", ") ", " 🌊 ");
    const column = fc.array(fc.tuple(word, gap), { maxLength: 300 }).map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        (columns, typical) => {
          const counts = new Map<string, number>();
          const terms = columns.map((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
          for (const [i, found] of terms.entries())
            for (const term of found) counts.set(term, (counts.get(term) ?? 0) + WEIGHTS[i]!);
          const least = leastOfStrong(terms.flat().length, typical);
          const wanted = [...counts].filter(([, count]) => count >= least).map(([term]) => term);
          const strong = strongWordsOf(columns, typical).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
          expect([...new Set(strong)].toSorted()).toEqual(wanted.toSorted());
        },
      ),
    );
  });

  it("are counted in a text of any length", () => {
    const words = Array.from({ length: 50_000 }, (_, i) => `word${i}`);
    const columns = ["", "", words.join(" "), "", "", "often ".repeat(500)];
    expect(strongWordsOf(columns, 1000)).toBe("often");
    expect(strongWordsOf(columns, 100_000).split(" ")).toHaveLength(50_001);
  });
});

describe("words that very many notes have", () => {
  let seed = 7;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const times = (word: string, most: number) => Array.from({ length: Math.floor(most * random() ** 6) }, () => word);

  /** Of any length, with the words as often as chance has it. */
  function noteText(): string {
    const filler = Array.from({ length: Math.ceil(100 * random() ** 4) }, (_, i) => `filler${i % 50}`);
    const wave = random() < 0.7 ? ["wave"] : [];
    const words = [...wave, ...times("tide", 30), ...times("moon", 12), ...times("salt", 4), ...filler];
    return random() < 0.01 ? `# Moon and tide\n\n${words.join(" ")}` : words.join(" ");
  }

  /** Notes without files: it takes many of them. */
  function indexOf(count: number): IndexDatabase {
    const { folder } = vaultWith({});
    const database = new IndexDatabase(join(dirname(folder), "index.db"), () => {}, NOTES);
    const version = { size: 1, mtime: 1, inode: 1 };
    const prepared = Array.from({ length: count }, (_, i) => ({
      document: documentOf(`${i}.md`, "note", noteText()),
      storing: { version },
    }));
    database.run("BEGIN");
    putDocuments(database, prepared);
    database.run("COMMIT");
    return database;
  }

  const QUERIES = [
    "tide",
    "moon",
    "salt",
    "wave",
    "tide moon",
    "moon wave",
    "wave salt",
    "tide moon salt",
    "moon -salt",
    "moon path:1",
  ];

  it.each([
    { count: 1200, ranked: ["moon", "moon -salt"] },
    { count: 25_000, ranked: ["moon", "moon wave"] },
  ])("lead, among $count, to the same notes with the same scores as if all were ranked", ({ count, ranked }) => {
    const database = indexOf(count);
    const ask = (query: string) => [1, 10, 60].map((limit) => search(database, parseQuery(query), { limit }));
    const answers = new Map(QUERIES.map((query) => [query, ask(query)]));
    // Without any strong word, no answer can come from these alone.
    database.run("INSERT INTO strong(strong) VALUES ('delete-all')");
    for (const [query, answer] of answers) expect(ask(query), query).toEqual(answer);
    // With wrong ones the answers are: so it is these that were looked at.
    database.run(
      "INSERT INTO strong(rowid, words) SELECT rowid, 'moon' FROM text WHERE text MATCH 'moon' AND rowid % 3 = 0",
    );
    for (const query of ranked) expect(ask(query), query).not.toEqual(answers.get(query));
    database.close();
  });

  it("that tell nothing may be left out of the ranking: hits come in its order, to a hundred-thousandth", () => {
    const database = indexOf(1200);
    const { hits, total } = search(database, parseQuery("moon wave"), { limit: 150 });
    const rows = database.all(
      "SELECT path, rank FROM text JOIN document ON document.id = text.rowid WHERE text MATCH 'moon AND wave' ORDER BY rank",
    );
    const rankOf = new Map(rows.map(({ path, rank }) => [path, Number(rank)]));
    expect(total).toBe(rows.length);
    expect(hits.length).toBeGreaterThan(100);
    for (const [i, { path }] of hits.entries()) expect(rankOf.get(path)).toBeCloseTo(Number(rows[i]!["rank"]), 5);
    const { count } = database.get("SELECT count(*) AS count FROM text WHERE text MATCH 'wave'")!;
    expect(count).toBeGreaterThan(600);
    database.close();
  });
});
