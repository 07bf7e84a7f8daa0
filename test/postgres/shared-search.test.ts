// A vault in a shared store finds the same notes in the same order as a folder with
// the same files. bench/shared-notes.ts asks 200 queries of 10,000 notes.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { noteText } from "../../bench/data/notes.ts";
import { wordAt } from "../../bench/data/words.ts";
import { openFolderStore, openSharedStore, transferFiles } from "../../src/journal/journal.ts";
import { Turns } from "../../src/kernel/kernel.ts";
import { createStore, ensureSpace } from "../../src/shared/shared.ts";
import { openSharedVault, openVault, type Vault, whyNothing } from "../../src/vault/vault.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const NOTES = 400;
/** Short ones that match equally well; with them there are more than a block of the index takes. */
const EQUAL = 800;
const WORDS = join(import.meta.dirname, "..", "..", "assets", "word-vectors", "words.bin");

/** More words than a block of any index takes at once, some of them in its middle only. */
const LONG = `# Long\n\n${Array.from({ length: 30_000 }, (_, i) => (i === 15_000 ? "inthemiddle of it" : wordAt(i % 3_000))).join(" ")}\n`;
/** One word more often than the places of all words that a query reads, before all other notes. */
const DUMP = `${"kappa ".repeat(25_000)}${"lambda kappa ".repeat(11_000)}\n`;
const CANVAS = JSON.stringify({
  nodes: [{ id: "1", type: "text", text: "a drawn zebra", x: 0, y: 0, width: 1, height: 1 }],
  edges: [],
});

/** In words that the table of meanings knows. */
const MEANT = [
  "The octopus hides between rocks on the bottom of the ocean and changes its colour.",
  "Whales cross whole oceans, and sing to each other under water.",
  "The judge read the contract in court, and the lawyer asked for more time.",
  "Chop onions and carrots, boil them in salted water, and serve the soup with bread.",
  "The train leaves the station at noon and reaches the coast in the evening.",
  "Neurons in the brain send signals to muscles through long nerves.",
];

describe.runIf(HAS_POSTGRESQL)("a search in a shared store", () => {
  let [onDisk, shared]: Vault[] = [];

  beforeAll(async () => {
    const [home, folder] = [temporaryFolder(), join(temporaryFolder(), "Notes")];
    for (let i = 0; i < NOTES; i++) {
      const file = join(folder, `Folder ${i % 7}`, `${wordAt(i)} ${i}.md`);
      mkdirSync(dirname(file), { recursive: true });
      const properties =
        i % 3 === 0 ? `---\nrating: ${i % 11}\naliases: [${wordAt(i)} alias]\ndue: 2026-0${1 + (i % 9)}-11\n---\n` : "";
      const heading = `\n## ${wordAt(i + 7)} ${wordAt(i * 5)}\n`;
      writeFileSync(file, `${properties}${noteText(i)}${heading}\nSee [[${wordAt(i + 1)} ${i + 1}]] #tag${i % 5}\n`);
    }
    for (let i = 0; i < EQUAL; i++)
      writeFileSync(
        join(folder, "Folder 0", `Equal ${i}.md`),
        `Each of them has a gnu${i % 2 === 0 ? "" : ", and a yak"}.\n`,
      );
    const texts = {
      "Long.md": LONG,
      "A dump.md": DUMP,
      "Names/kappa.md": `A lambda of kappa, and ${wordAt(40)}.\n`,
      "Names/kappas.md": `Many kappas, in ${wordAt(41)}, of kappa lambda.\n`,
      "Chart.canvas": CANVAS,
      "Names/検索 index.md": "全文検索の索引 and camelCaseWords, user_name. ⭐ 5 €\n",
    };
    for (const name of ["2024-03-05", "2024-W10 week", "2024-03", "2026-01-01 new", "2031-05-05"])
      Object.assign(texts, { [`Days/${name}.md`]: "A quetzal.\n" });
    for (const [i, date] of [
      "date: 2024-03-07",
      "created: 2024-03-08T10:00",
      "updated: soon",
      "due: 2024-03-07",
    ].entries())
      Object.assign(texts, { [`Days/dated ${i}.md`]: `---\n${date}\n---\nA quetzal.\n` });
    for (const [i, text] of MEANT.entries()) Object.assign(texts, { [`Meant/${i}.md`]: `${text}\n` });
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const store = (await newDatabase()).open(SUPERUSER);
    await createStore(store);
    await ensureSpace(store, "notes");
    const place = { store, space: "notes", folder: "/nowhere/notes" };
    const from = openFolderStore(folder, join(home, "journal"), { log: () => {} });
    const to = await openSharedStore(place, { log: () => {} });
    await transferFiles({ from: from.root, to, message: "Import" });
    const opening = (name: string) => ({ cache: join(home, name), log: () => {}, wordVectors: WORDS });
    onDisk = openVault({ ...opening("disk"), folder, isEmbedded: false, journals: join(home, "journal") });
    shared = await openSharedVault(place, opening("shared"));
    for (const vault of [onDisk, shared]) {
      atTheEnd(vault.close);
      await vault.index.refresh();
    }
  });

  it("gives the same first ten with the same snippets, and the same related notes, for every query", async () => {
    const queries = Array.from({ length: 40 }, (_, i) => {
      const words = [wordAt(i * 3), wordAt(i * 17 + 5), wordAt(i + 100)];
      return i % 4 === 0
        ? `"${words[0]}"`
        : i % 4 === 1
          ? words.slice(0, 2).join(" ")
          : i % 4 === 2
            ? words.join(" ")
            : `${words[0]!.slice(0, 4)}`;
    });
    const special = [
      "inthemiddle",
      '"inthemiddle of"',
      `"${wordAt(12)} ${wordAt(13)} ${wordAt(14)}"`,
      "drawn zebra",
      "gnu",
      "gnu yak",
      '"a yak"',
      "検索",
      "⭐",
      "camel → ⭐",
      "username camel",
      `${wordAt(900)}x ${wordAt(77)}`,
      `${wordAt(1000).slice(0, -1)}q`,
      `where did I write about ${wordAt(500)} and ${wordAt(41)} last year?`,
      `how is ${wordAt(2)} of ${wordAt(610)} done with ${wordAt(1200)}`,
      `tag:tag3 ${wordAt(30)}`,
      `${wordAt(30)} -tag:tag3 -${wordAt(4)}`,
      `path:"folder 3" ${wordAt(30)}`,
      `-path:"folder 3" ${wordAt(30)}`,
      `[rating:>7] ${wordAt(3)}`,
      `[due:<2026-04-01] tag:tag1`,
      "tag:tag2",
      `${wordAt(33)} alias`,
      `${wordAt(7)} ${wordAt(0)}`,
      "nothing has thiswordatall",
      "fish in the sea",
      "legal dispute",
      "cooking vegetables for dinner",
      "What is kappa?",
      "kappa",
      "kappa lambda",
      "lambda kappa nowhereatall",
      `kappa ${wordAt(40)}`,
      `What about kappas and the lambda of ${wordAt(41)}?`,
      "Many kappas of kappa lambda are in it",
      '"kappa lambda"',
      '"lambda kap',
      `lamb ${wordAt(41)}`,
      "travel by railway -coast",
      "",
    ];
    let found = 0;
    let related = 0;
    for (const [i, query] of [...queries, ...special].entries()) {
      const asked = { limit: 10, related: 3, relatesHits: i % 2 === 1 };
      const [expected, answer] = await Promise.all([onDisk!, shared!].map((vault) => vault.index.search(query, asked)));
      const shown = ({ hits, related, total }: NonNullable<typeof answer>) => ({
        hits,
        related,
        total,
      });
      expect(shown(answer!), query).toEqual(shown(expected!));
      found += answer!.hits.length;
      related += answer!.related.length;
    }
    expect(found).toBeGreaterThan(100);
    expect(related).toBeGreaterThan(3);
  });

  it("says the same of why nothing is found", async () => {
    const queries = ["tag:tag33", `tag:tag3 -path:folder`, `path:"folder 3" zebra`, "prop:rating>99", "prop:due zebra"];
    for (const query of queries) {
      const [expected, said] = await Promise.all(
        [onDisk!, shared!].map((vault) => whyNothing(query, [{ vault, within: {} }])),
      );
      expect([query, said]).toEqual([query, expect.any(String)]);
      expect(said).toBe(expected);
    }
  });

  it("gives the same within folders, times and kinds, and page by page", async () => {
    const time = Date.now();
    const someDays = { start: new Date(2024, 2, 1).getTime(), end: new Date(2024, 2, 10).getTime() };
    const scopes = [
      { paths: ["Folder 2", `Folder 3/${wordAt(3)} 3`] },
      { during: { start: time - 3_600_000, end: time + 3_600_000 } },
      { during: { start: Number.NEGATIVE_INFINITY, end: 1_000 } },
      { during: { start: time + 86_400_000, end: Number.POSITIVE_INFINITY } },
      { during: someDays },
      { kinds: ["canvas"] },
      { during: { start: time - 86_400_000, end: time + 1 } },
      { offset: 7 },
    ] as const;
    for (const scope of scopes)
      for (const query of [wordAt(5), `${wordAt(1)} ${wordAt(2)}`, "drawn zebra", "tag:tag1", "quetzal", ""]) {
        const [expected, answer] = await Promise.all(
          [onDisk!, shared!].map(async (vault) => {
            const { hits, total } = await vault.index.search(query, { limit: 10, ...scope });
            return { hits, total };
          }),
        );
        expect(answer, `${query} ${JSON.stringify(scope)}`).toEqual(expected);
      }
    // Named after a day and a week, and two by their properties.
    expect(await shared!.index.search("quetzal", { limit: 10, during: someDays })).toMatchObject({ total: 4 });
  });

  it("knows the same links, tags, headings, names, times and properties", async () => {
    const facts = async ({ index }: Vault) => {
      const { answer: paths } = await index.paths();
      const some = paths.slice(0, 50);
      const answers = await Promise.all([
        index.links(some),
        index.backlinks(some),
        index.tags(),
        index.headings(wordAt(3), 10),
        index.headings(`${wordAt(9)} ${wordAt(10).slice(0, 2)}`, 10),
        index.filesNamed(wordAt(12).slice(0, 3), 20),
        index.filesNamed("chart", 20),
        index.named(`${wordAt(33)} 33`),
        index.named(`${wordAt(33)} alias`),
        index.noteTimes({ from: 0, before: Date.now() + 1e9 }, some),
        index.similar("Meant/0.md", 5),
      ]);
      const files = (await index.files()).answer;
      return [
        paths,
        ...answers.map(({ answer }) => answer),
        [...(await index.filesLinking([`${wordAt(5)} 5`], "Folder 1", new Turns()))!].sort(),
        [...(await index.filesTagged("tag2"))!].sort(),
        (await index.namedLike(`${wordAt(20)}z 20`)).toSorted(),
        files.files,
        files.backlinks(some[2]!),
      ].map(withoutOrderOfTimes);
    };
    expect(await facts(shared!)).toEqual(await facts(onDisk!));
  });
});

/** Times of all notes, which have no order. */
function withoutOrderOfTimes(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("changed" in answer)) return answer;
  const { changed, known } = answer as { changed: readonly number[]; known: unknown };
  return { changed: changed.toSorted(), known };
}
