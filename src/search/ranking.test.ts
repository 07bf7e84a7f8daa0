// The table of docs/internals/search.md: each of its lines is found in the text, and ranks before
// the next one.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { openNoteDatabase, type NoteDatabase } from "../vault/note-index/note-database.ts";
import { parseQuery } from "./query.ts";
import { RANGES } from "./scores.ts";
import { indexedFolder } from "../vault/note-index/indexed-files.ts";

const opened: NoteDatabase[] = [];
afterAll(() => {
  for (const index of opened) index.close();
});

async function indexOf(files: Readonly<Record<string, string>>) {
  const vault = vaultWith(files);
  const index = openNoteDatabase({ file: join(dirname(vault.folder), "cache", "index.db"), log: () => {} });
  opened.push(index);
  await index.sweep(indexedFolder(vault.vault.root));
  return (query: string) =>
    index.search(parseQuery(query), { limit: 20 }).hits.map(({ path, score }) => ({ path, score }));
}

const FILLER = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`filler/${i}.md`, `Nothing of interest, number ${i}. The weather was mixed.`]),
);

/** In the order of the table; the query is "copper kettle". */
const NOTES: Readonly<Record<keyof Omit<typeof RANGES, "sentence">, readonly [path: string, text: string]>> = {
  title: ["Copper kettle.md", "How to clean it."],
  alias: ["Vessel.md", "---\naliases: [copper kettle]\n---\nOn the stove."],
  titled: ["Kettle made of copper.md", "From the market."],
  heading: ["Kitchen.md", "Things.\n\n## The copper kettle\n\nShiny."],
  phrase: ["Letter.md", "I saw a copper kettle in the shop."],
  allWords: ["Metal.md", "Copper is a metal, and a kettle may be of iron."],
  begunPhrase: ["Shop.md", "They sell copper kettledrums."],
  allForms: ["Drawer.md", "Two kettles, and some coppers in the drawer."],
  allCorrected: ["-", ""],
  someWords: ["One.md", "Only a kettle."],
  inside: ["-", ""],
  name: ["-", ""],
};

describe("the ranking", () => {
  it("is the table of docs/internals/search.md, line by line", async () => {
    const rank = await indexOf({
      ...FILLER,
      ...Object.fromEntries(Object.values(NOTES).filter(([path]) => path !== "-")),
    });
    const found = rank("copper kettle");
    expect(found.map(({ path }) => path)).toEqual(
      Object.values(NOTES)
        .map(([path]) => path)
        .filter((path) => path !== "-"),
    );
    for (const [kind, [path]] of Object.entries(NOTES)) {
      if (path === "-") continue;
      const [least, most] = RANGES[kind as keyof typeof NOTES];
      const { score } = found.find((hit) => hit.path === path)!;
      expect([kind, score >= least && score <= most]).toEqual([kind, true]);
    }
  });

  it("has words with typing errors and similar names last", async () => {
    const rank = await indexOf({ ...FILLER, "a.md": "A copper kettle.", "Ironcopperkettlestand.md": "Wood." });
    const [corrected, name] = rank("coppr kettel");
    expect(corrected).toMatchObject({ path: "a.md" });
    expect(corrected!.score).toBeGreaterThanOrEqual(RANGES.allCorrected[0]);
    expect(corrected!.score).toBeLessThanOrEqual(RANGES.allCorrected[1]);
    expect(name?.score ?? 0).toBeLessThanOrEqual(RANGES.name[1]);
  });

  it("has words within longer ones after all other forms, and misses no word that is only there", async () => {
    const rank = await indexOf({
      ...FILLER,
      "plural.md": "Ein Buch über alle Spielabende.",
      "whole.md": "Der Spielabend war lang.",
      "inside.md": "Der Brettspielabend ist am 28. November.",
      "other.md": "Die Fahrradbeleuchtung, den 3. Mai.",
    });
    const found = rank("Spielabend");
    expect(found.map(({ path }) => path)).toEqual(["whole.md", "plural.md", "inside.md"]);
    expect(found[2]!.score).toBeLessThanOrEqual(RANGES.inside[1]);
    expect(found[2]!.score).toBeGreaterThanOrEqual(RANGES.inside[0]);
    expect(rank("beleuchtung mai").map(({ path }) => path)).toContain("other.md");
    expect(rank("Was steht zur Beleuchtung im Haus?").map(({ path }) => path)).toEqual(["other.md"]);
    expect(rank("leuch").map(({ path }) => path)).toEqual(["other.md"]);
    // Too short: it would be within too many.
    expect(rank("euch")).toEqual([]);
  });

  it("is documented with the same kinds and scores", () => {
    const document = readFileSync(join(import.meta.dirname, "../../docs/internals/search.md"), "utf8");
    const rows = [...document.matchAll(/^\| `(\w+)` \| .* \| ([\d.]+) to ([\d.]+) \|$/gm)];
    expect(rows.map(([, kind, least, most]) => [kind, Number(least), Number(most)])).toEqual(
      Object.entries(RANGES).map(([kind, [least, most]]) => [kind, least, most]),
    );
  });
});

describe("a sentence", () => {
  const notes = {
    ...FILLER,
    "Kettle.md": "A vessel for water.",
    "near.md": `Yesterday Anna sold the old kettle at the market. ${"Other words of no interest. ".repeat(40)}`,
    "far.md": `Anna was here. ${"Other words of no interest. ".repeat(40)} Somebody sold a boat. ${"And more of it. ".repeat(40)} A market, and the kettle.`,
    "most.md": `${"The kettle, the kettle and the kettle. ".repeat(5)}`,
  };

  it("is answered first by the note whose words are near each other, in whatever form", async () => {
    const rank = await indexOf(notes);
    expect(rank("Where did Anna sell her kettle?")[0]!.path).toBe("near.md");
    expect(rank("when was it that Anna was selling kettles at markets")[0]!.path).toBe("near.md");
  });

  it("is answered first by the note whose name is what it asks about", async () => {
    const rank = await indexOf(notes);
    expect(rank("What is a kettle?")[0]).toMatchObject({ path: "Kettle.md" });
  });

  it("is found first where it is written word for word", async () => {
    const quote = "the kettle was sold by somebody at noon";
    const rank = await indexOf({ ...notes, "quote.md": `${"Long before that. ".repeat(200)} And ${quote}, I think.` });
    const [first] = rank(quote);
    expect(first).toMatchObject({ path: "quote.md" });
    expect(first!.score).toBeGreaterThanOrEqual(RANGES.phrase[0]);
  });

  it("counts a name more than a word that is as rare", async () => {
    const rank = await indexOf({
      ...FILLER,
      "a.md": "Rosa was there, they say.",
      "b.md": "A boat was there, they say.",
    });
    expect(rank("was the boat with Rosa").map(({ path }) => path)).toEqual(["a.md", "b.md"]);
    expect(rank("was the Boat with rosa").map(({ path }) => path)).toEqual(["b.md", "a.md"]);
  });

  it("finds words with another ending in languages without rules", async () => {
    const rank = await indexOf({
      ...FILLER,
      "a.md": "Мы пили чай на веранде старого дома.",
      "b.md": "Погода была разной.",
    });
    expect(rank("кто пил чай на старой веранде?")[0]!.path).toBe("a.md");
  });

  it("takes no other ending for a word with a digit, which is a number or a name", async () => {
    const rank = await indexOf({
      ...FILLER,
      "a.md": "The certificate of iso9001 is here.",
      "b.md": "The certificate of iso9002 is here.",
    });
    expect(rank("iso9002").map(({ path }) => path)).toEqual(["b.md"]);
    expect(rank("certificate iso9001")[0]!.path).toBe("a.md");
  });

  it.each(["creativty", "creativitty", "creatvity", "craetivity"])(
    "corrects %s, wherever the error is",
    async (typed) => {
      const rank = await indexOf({ ...FILLER, "a.md": "On creativity and rest.", "b.md": "A creative day." });
      expect(rank(typed)[0]).toMatchObject({ path: "a.md" });
    },
  );
});
