// Ranking only the notes that have a word in plenty must give what ranking all
// of them gives.
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/vaults.ts";
import { parseQuery } from "../text/search-query.ts";
import { termsOf } from "../text/search-text.ts";
import { openNoteIndex } from "./note-index.ts";
import { leastOfStrong, WEIGHTS } from "./relevance.ts";
import { strongWordsOf } from "./strong-words.ts";

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

describe("a word that very many notes have", () => {
  /** As many notes as it takes, of any length, with the words as often as chance has it. */
  function notes(count: number): Record<string, string> {
    let seed = 7;
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const text = () => {
      const filler = Array.from({ length: Math.ceil(400 * random() ** 4) }, (_, i) => `filler${i % 50}`);
      const times = (word: string, most: number) =>
        Array.from({ length: Math.floor(most * random() ** 6) }, () => word);
      return ["tide", ...times("tide", 30), ...times("moon", 12), ...times("salt", 4), ...filler].join(" ");
    };
    return Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`${i}.md`, i % 97 === 0 ? `# Moon and tide\n\n${text()}` : text()]),
    );
  }

  it("leads to the same notes, in the same order and with the same scores, as if all were ranked", async () => {
    const { vault, folder } = vaultWith(notes(1200));
    const file = join(dirname(folder), "index.db");
    const index = openNoteIndex({ file, log: () => {} });
    await index.sweep(vault.root);
    const queries = ["tide", "moon", "salt", "tide moon", "moon salt", "tide moon salt", "moon -salt", "moon path:1"];
    const ask = () =>
      queries.flatMap((query) =>
        [1, 10, 60].map((limit) => ({ query, ...index.search(parseQuery(query), { limit }) })),
      );
    const answers = ask();
    expect(answers.filter(({ total }) => total >= 200).length).toBeGreaterThan(10);
    const database = new DatabaseSync(file);
    // Without any strong word, no answer can come from these alone.
    database.exec("INSERT INTO strong(strong) VALUES ('delete-all')");
    expect(ask()).toEqual(answers);
    // With wrong ones the answers are: so it is these that were looked at.
    database.exec(
      "INSERT INTO strong(rowid, words) SELECT rowid, 'moon' FROM text WHERE text MATCH 'moon' AND rowid % 3 = 0",
    );
    expect(ask()).not.toEqual(answers);
    database.close();
    index.close();
  });
});
