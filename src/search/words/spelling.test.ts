import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { IndexDatabase } from "../../sqlite/index/index-database.ts";
import { NOTES } from "../documents/index-tables.ts";
import { correctionsOf } from "./spelling.ts";
import { spellingsOf } from "./spellings.ts";
import { sweep } from "../../vault/note-index/sweep.ts";
import { indexedFolder } from "../../vault/note-index/indexed-files.ts";

const opened: IndexDatabase[] = [];
afterAll(() => {
  for (const database of opened) database.close();
});

async function vocabulary(...texts: string[]): Promise<IndexDatabase> {
  const { vault, folder } = vaultWith(Object.fromEntries(texts.map((text, i) => [`${i}.md`, text])));
  const database = new IndexDatabase(join(dirname(folder), "index.db"), () => {}, NOTES);
  opened.push(database);
  await sweep(database, indexedFolder(vault.root));
  return database;
}

describe("a mistyped word", () => {
  it.each([
    ["kaliedoscope", "swapped letters"],
    ["akleidoscope", "swapped letters at the beginning"],
    ["kaleidscope", "a missing letter"],
    ["kaleiidoscope", "one too many"],
    ["kxleidoscope", "a wrong one, the second"],
    ["xkaleidoscope", "one too many, the first"],
    ["kaliedoscpe", "two errors in a long word"],
  ])("%s is corrected (%s)", async (typed) => {
    expect(correctionsOf(await vocabulary("A kaleidoscope."), typed)).toEqual(["kaleidoscope"]);
  });

  it("is corrected to the nearest words, the more frequent first", async () => {
    const database = await vocabulary("The house of a mouse.", "A mouse.", "Moose, a mousse.");
    expect(correctionsOf(database, "mouze")).toEqual(["mouse"]);
    expect(correctionsOf(database, "mouuse")).toEqual(["mouse", "mousse"]);
  });

  it("is corrected to a word of several notes, and its forms are found, among more made-up ones than are looked at", async () => {
    const madeUp = Array.from({ length: 60_000 }, (_, i) => `kaleid${(i + 60_466_176).toString(36)}`);
    const database = await vocabulary(madeUp.join(" "), "A kaleidscopez.", "Another kaleidscopez and kaleidscope.");
    expect(correctionsOf(database, "kaleidscopze")).toEqual(["kaleidscopez"]);
    const found = spellingsOf(database, "kaleidscope", false).map(({ term }) => term);
    expect(found.slice(0, 2)).toEqual(["kaleidscope", "kaleidscopez"]);
  });

  it("is not corrected if it is short, a number, or in a script that is indexed in pairs", async () => {
    const database = await vocabulary("cat 12345 東京");
    expect(["cas", "12346", "東亰"].map((word) => correctionsOf(database, word))).toEqual([[], [], []]);
  });
});
