// Related notes on real files and a real index, with the table that ships.
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { documentOf } from "../../search/documents/document.ts";
import { putDocuments } from "../../search/documents/document-writer.ts";
import { NOTES as NOTE_TABLES } from "../../search/documents/index-tables.ts";
import { IndexDatabase } from "../../sqlite/index/index-database.ts";
import { indexedFolder } from "../note-index/indexed-files.ts";
import type { NoteIndex } from "../note-index/note-index.ts";
import { openSqliteNoteIndex } from "../note-index/sqlite-note-index.ts";
import { Meanings } from "./meanings.ts";

const TABLE = join(import.meta.dirname, "../../../assets/word-vectors/words.bin");
const opened: NoteIndex[] = [];
afterAll(async () => {
  for (const index of opened) await index.close();
});

const NOTES = {
  "sea/Octopus.md":
    "The octopus has eight arms, lives in the ocean among rocks, and hunts crabs and small fish at night.",
  "sea/Whale.md": "Whales are mammals of the ocean. They breathe air, dive deep, and feed on krill, squid and fish.",
  "work/Budget.md":
    "The budget of the company: revenue, taxes, salaries, and the profit of every quarter for investors.",
  "work/Meeting.md":
    "Minutes of the meeting: the manager hired two employees, and the sales team reported on its customers.",
  "home/Soup.md": "Chop onions and carrots, boil them in salted water, add pepper and butter, and serve the soup hot.",
  "home/Guitar.md": "The guitar has six strings. Practise chords and scales every day, and tune the instrument first.",
  "Wörter.md": "Straße, Größe, Tür und Öl: lauter schöne deutsche Wörter über Häuser und Bäume.",
};

function setUp(wordVectors = TABLE) {
  const vault = vaultWith(NOTES);
  const cache = join(dirname(vault.folder), "cache");
  const open = (table: string) => {
    const options = { cache, log: () => {}, wordVectors: table === "off" ? undefined : table };
    const index = openSqliteNoteIndex(vault.vault, options);
    opened.push(index);
    return index;
  };
  const index = open(wordVectors);
  const related = async (query: string, options: object = {}, by = index) =>
    (await by.search(query, { limit: 10, related: 3, ...options })).related;
  return { ...vault, index, open, related };
}

describe("related notes", () => {
  it("are those near in meaning that no word of the query finds", async () => {
    const { related, index } = setUp();
    const [first] = await related("cephalopod tentacles");
    expect(first).toMatchObject({ path: "sea/Octopus.md", title: "Octopus" });
    expect(first!.nearness).toBeGreaterThan(0.3);
    expect(first!.nearness).toBeLessThanOrEqual(1);
    expect(first!.passage).toContain("octopus");
    expect((await related("corporate finance"))[0]!.path).toBe("work/Budget.md");
    expect((await related("cooking vegetables"))[0]!.path).toBe("home/Soup.md");
    expect((await index.search("cephalopod tentacles", { limit: 10, related: 3 })).hits).toEqual([]);
  });

  it("are never among the results, at most as many as asked for, and none if not asked for", async () => {
    const { related, index } = setUp();
    for (const query of ["octopus", "ocean fish", "salaries", "What has strings?"]) {
      const answer = await index.search(query, { limit: 10, related: 3 });
      const hits = new Set(answer.hits.map(({ path }) => path));
      expect(answer.related.filter(({ path }) => hits.has(path))).toEqual([]);
      expect(answer.related.length).toBeLessThanOrEqual(3);
    }
    expect(await related("cephalopod", { related: 0 })).toEqual([]);
    expect((await related("cephalopod tentacles", { related: 1 })).length).toBe(1);
  });

  it("may be among the results if the caller wants that, and those do not count", async () => {
    const { index } = setUp();
    const asked = async (relatesHits: boolean) => {
      const { hits, related } = await index.search("whales squid krill", { limit: 10, related: 1, relatesHits });
      return { hits: hits.map(({ path }) => path), related: related.map(({ path }) => path) };
    };
    expect(await asked(false)).toEqual({ hits: ["sea/Whale.md"], related: ["sea/Octopus.md"] });
    expect(await asked(true)).toEqual({ hits: ["sea/Whale.md"], related: ["sea/Whale.md", "sea/Octopus.md"] });
  });

  it("are looked for with the words that mistyped ones are meant for", async () => {
    const { related, write } = setUp();
    write("Gift.md", "She will receive it in spring.");
    expect(await related("recieve salaries")).toEqual(await related("receive salaries"));
    expect((await related("recieve salaries")).length).toBeGreaterThan(0);
  });

  it("are looked for with a word that no note has, though another one is spelt nearly so", async () => {
    const { related, write, index } = setUp();
    await index.refresh();
    const before = await related("cello melody");
    expect(before).toMatchObject([{ path: "home/Guitar.md" }]);
    write("Body.md", "Blood has red cells and white cells: the white ones fight what makes the body ill.");
    await index.refresh();
    expect((await index.search("cello", { limit: 3 })).hits).toMatchObject([{ path: "Body.md" }]);
    expect(await related("cello melody")).toEqual(before);
  });

  it("are never templates, encoded data or words of nobody, and nothing is related to a filter alone", async () => {
    const { related, write, index } = setUp();
    write(
      "Template.md",
      "## Octopus\n\n![[Ocean fish.base#Rocks and crabs]]\n\n{{octopus arms}} <% ocean.fish(crab) %>\n",
    );
    write(
      "Data.md",
      `octopus fish ocean crab ${createHash("sha512").update("x").digest("hex").replaceAll(/\d/g, " ")} ${"asdf qwer zxcv jklo ".repeat(9)}`,
    );
    const answer = await related("cephalopod tentacles", { related: 9 });
    expect(answer.map(({ path }) => path)).toContain("sea/Octopus.md");
    expect(answer.map(({ path }) => path)).not.toEqual(expect.arrayContaining(["Template.md"]));
    expect(answer.map(({ path }) => path)).not.toEqual(expect.arrayContaining(["Data.md"]));
    for (const path of ["Template.md", "Data.md"]) expect((await index.similar(path, 3)).answer.none).toBe("unknown");
    for (const query of ["path:sea", "-octopus", "tag:#octopus", "???"]) expect(await related(query)).toEqual([]);
  });

  it("pass the filters of the query and of the call", async () => {
    const { related } = setUp();
    const paths = async (query: string, options: object = {}) =>
      (await related(query, options)).map(({ path }) => path);
    expect(await paths("cephalopod tentacles path:work")).not.toContain("sea/Octopus.md");
    expect(await paths("cephalopod tentacles", { paths: ["home"] })).not.toContain("sea/Octopus.md");
    expect(await paths("cephalopod tentacles -octopus")).not.toContain("sea/Octopus.md");
  });

  it("follow what is written, moved and deleted", async () => {
    const { related, write, index } = setUp();
    await related("cephalopod tentacles");
    write("sea/Octopus.md", "The lawyer read the contract in court, and the judge asked the witness about the crime.");
    await index.refresh();
    expect((await related("attorney trial"))[0]!.path).toBe("sea/Octopus.md");
    expect((await related("cephalopod tentacles"))[0]?.passage ?? "").not.toContain("octopus has");
  });

  it("are found after they were turned off, without building the index again", async () => {
    const { index, open, related } = setUp("off");
    expect(await related("cephalopod tentacles")).toEqual([]);
    expect((await index.search("octopus", { limit: 10, related: 3 })).hits).toHaveLength(1);
    const on = open(TABLE);
    expect((await related("cephalopod tentacles", {}, on))[0]!.path).toBe("sea/Octopus.md");
  });

  it("are found among all notes, however many had no vectors", async () => {
    const { write, index, related } = setUp();
    for (let i = 0; i < 450; i++) write(`more/${i}.md`, "The lawyer read the contract in court to the judge.");
    await index.refresh();
    for (let i = 0; i < 450; i++) expect((await index.similar(`more/${i}.md`, 1)).answer.notes).toHaveLength(1);
    expect((await related("cephalopod tentacles"))[0]!.path).toBe("sea/Octopus.md");
  });

  it("are found among all notes, however many transactions these take", async () => {
    const { folder, vault } = vaultWith({});
    const database = new IndexDatabase(join(dirname(folder), "slow.db"), () => {}, NOTE_TABLES);
    const documents = Array.from({ length: 60 }, (_, i) => ({
      document: documentOf(`${i}.md`, "note", ""),
      storing: { version: { size: 1, mtime: 1, inode: i } },
    }));
    await database.write(() => putDocuments(database, documents));
    const files = Object.assign(indexedFolder(vault.root), { read: () => Buffer.from(NOTES["sea/Octopus.md"]) });
    // As on a machine that takes a second for each note: more than a transaction may take.
    let time = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 1_000));
    const meanings = new Meanings(database, TABLE, () => {});
    await meanings.fill(files).finally(() => clock.mockRestore());
    expect(database.get("SELECT count(*) AS count FROM meaning")).toEqual({ count: 60 });
    database.close();
  });

  it("are empty without a table, and a damaged table is no error", async () => {
    const { related } = setUp(join(import.meta.dirname, "meanings.test.ts"));
    expect(await related("cephalopod tentacles")).toEqual([]);
    const without = setUp();
    const plain = without.open("/nowhere/words.bin");
    expect(await without.related("cephalopod tentacles", {}, plain)).toEqual([]);
  });

  it("are empty for words of another language, whose results stay as they are", async () => {
    const { index } = setUp();
    const answer = await index.search("schöne Bäume", { limit: 10, related: 3 });
    expect(answer.hits.map(({ path }) => path)).toEqual(["Wörter.md"]);
    expect(answer.related).toEqual([]);
  });
});

describe("similar notes", () => {
  it("are what a note resembles, without the note itself", async () => {
    const { index } = setUp();
    const { notes } = (await index.similar("sea/Octopus.md", 3)).answer;
    expect(notes[0]!.path).toBe("sea/Whale.md");
    expect(notes.map(({ path }) => path)).not.toContain("sea/Octopus.md");
    expect((await index.similar("Nowhere.md", 3)).answer).toEqual({ notes: [] });
  });

  it("are none, with the reason, if that is turned off or the meaning of the note is unknown", async () => {
    const { index, open, write } = setUp();
    write("Empty.md", "");
    expect((await index.similar("Empty.md", 3)).answer).toEqual({ notes: [], none: "unknown" });
    expect((await index.similar("Wörter.md", 3)).answer).toEqual({ notes: [], none: "unknown" });
    expect((await open("off").similar("sea/Octopus.md", 3)).answer).toEqual({ notes: [], none: "off" });
  });
});
