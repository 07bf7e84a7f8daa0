// A vault in a shared store finds the same notes in the same order as a folder with
// the same files. bench/shared-notes.ts asks 200 queries of 10,000 notes.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { noteText } from "../../bench/data/notes.ts";
import { wordAt } from "../../bench/data/words.ts";
import { openFolderStore, openSharedStore, transferFiles } from "../../src/journal/journal.ts";
import { createStore, ensureSpace } from "../../src/postgres/postgres.ts";
import { openSharedVault, openVault, type Vault } from "../../src/vault/vault.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const NOTES = 400;
const WORDS = join(import.meta.dirname, "..", "..", "assets", "word-vectors", "word-vectors.bin");

describe.runIf(HAS_POSTGRESQL)("a search in a shared store", () => {
  let [onDisk, shared]: Vault[] = [];

  beforeAll(async () => {
    const [home, folder] = [temporaryFolder(), join(temporaryFolder(), "Notes")];
    for (let i = 0; i < NOTES; i++) {
      const file = join(folder, `Folder ${i % 7}`, `${wordAt(i)} ${i}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${noteText(i)}\nSee [[${wordAt(i + 1)} ${i + 1}]] #tag${i % 5}\n`);
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
    let found = 0;
    for (const query of queries) {
      const [expected, answer] = await Promise.all(
        [onDisk!, shared!].map((vault) => vault.index.search(query, { limit: 10, related: 3 })),
      );
      const shown = ({ hits, related, total }: NonNullable<typeof answer>) => ({
        hits,
        related,
        total,
      });
      expect(shown(answer!), query).toEqual(shown(expected!));
      found += answer!.hits.length;
    }
    expect(found).toBeGreaterThan(100);
  });

  it("knows the same links, tags and headings", async () => {
    const facts = async ({ index }: Vault) => {
      const { answer: paths } = await index.paths();
      const [links, backlinks, tags, headings] = await Promise.all([
        index.links(paths.slice(0, 50)),
        index.backlinks(paths.slice(0, 50)),
        index.tags(),
        index.headings(wordAt(3), 10),
      ]);
      return [paths, links, backlinks, tags, headings].map((each) => ("answer" in each ? each.answer : each));
    };
    expect(await facts(shared!)).toEqual(await facts(onDisk!));
  });
});
