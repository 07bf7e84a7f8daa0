// Searches over a vault as the tools ask them: fresh, with passages, and with
// what is still missing.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import type { NoteIndex } from "./note-index.ts";
import { openSqliteNoteIndex } from "./sqlite-note-index.ts";

const opened: NoteIndex[] = [];
afterAll(async () => {
  for (const index of opened) await index.close();
});

afterEach(() => void vi.restoreAllMocks());

/**
 * Stops the clock of this process, and returns what puts it forward. The disk is looked
 * at again after two seconds; a busy machine may need as long for one step of a test.
 */
function stopClock(): (milliseconds: number) => void {
  let time = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => time);
  return (milliseconds) => void (time += milliseconds);
}

function setUp(files: Readonly<Record<string, string>>) {
  const vault = vaultWith(files);
  const cache = join(dirname(vault.folder), "cache");
  const logged: string[] = [];
  const another = () => {
    const index = openSqliteNoteIndex(vault.vault, { cache, log: (message) => logged.push(message) });
    opened.push(index);
    return index;
  };
  const index = another();
  const find = async (text: string, by = index) => (await by.search(text, { limit: 10 })).hits.map((hit) => hit.path);
  const file = () =>
    join(
      cache,
      readdirSync(cache).find((name) => /^notes-v\d+-[0-9a-f]{16}\.db$/.test(name))!,
    );
  return { ...vault, cache, logged, index, another, find, file };
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n/${i}.md`, `note number ${i}\n`.repeat(60)]));

describe("a search for headings", () => {
  const notes = {
    "garden.md": "# Garden\n\n## What goes in\n\nbeans\n\n## What comes out\n\ngoes in nothing\n",
    "kitchen.md": "## Größe & Maß\n\n### What GOES inside\n",
    "prose.md": "what goes in, in prose alone\n",
  };

  it("finds those that have all words, or words that begin so, whatever their case", async () => {
    const { index } = setUp(notes);
    const find = async (text: string, limit = 10) => (await index.headings(text, limit)).answer;
    expect(await find("goes in")).toEqual(
      expect.arrayContaining([
        { path: "garden.md", heading: "What goes in" },
        { path: "kitchen.md", heading: "What GOES inside" },
      ]),
    );
    expect(await find("goes in")).toHaveLength(2);
    expect(await find("grösse")).toEqual([{ path: "kitchen.md", heading: "Größe & Maß" }]);
    expect(await find("what", 1)).toHaveLength(1);
  });

  it.each(["", '"', "headings : x", "a* OR b", "-", "NEAR(what goes)", "\0"])("takes %j for words", async (text) => {
    const { index } = setUp(notes);
    await expect(index.headings(text, 10)).resolves.toMatchObject({ answer: expect.any(Array) as unknown });
  });
});

describe("a search for files by their names", () => {
  it("finds one of very many notes whose names begin with the same word", async () => {
    const { index } = setUp(Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`Note ${i}.md`, "x\n"])));
    expect((await index.filesNamed("note 1199", 6)).answer).toEqual(["Note 1199.md"]);
    expect((await index.filesNamed("1 note", 2)).answer).toEqual(["Note 1.md", "Note 10.md"]);
  });

  it("finds notes, then bases and canvases, whose names have all words, or words that begin so, the shortest name first", async () => {
    const { index } = setUp({
      "Films/Seen films.base": "views: []\n",
      "Films.base": "views: []\n",
      "Film board.canvas": '{"nodes":[],"edges":[]}',
      "Film.md": "films\n",
      "film.png": "",
      "Seen/Old films.md": "---\naliases: [Reels]\n---\nNothing of it.\n",
      "Microfilm.md": "film film film\n",
    });
    const find = async (text: string, limit = 10) => (await index.filesNamed(text, limit)).answer;
    expect(await find("FILM")).toEqual([
      "Film.md",
      "Seen/Old films.md",
      "Films.base",
      "Films/Seen films.base",
      "Film board.canvas",
    ]);
    expect(await find("reel")).toEqual(["Seen/Old films.md"]);
    expect(await find("film se")).toEqual(["Films/Seen films.base"]);
    expect(await find("film", 1)).toEqual(["Film.md", "Films.base"]);
    expect(await find("views")).toEqual([]);
    expect(await find('"')).toEqual([]);
  });
});

describe("a search", () => {
  it("answers with the passage, the title, the properties that matched and the time", async () => {
    const before = "Words about other things. ".repeat(40);
    const text = `---\nstatus: open\n---\n# A title\n\n${before}\n\nHere is the marmalade that was looked for.\n`;
    const { index, folder } = setUp({ "a.md": text });
    const { hits, total, stale, indexing, unread } = await index.search("marmalade", { limit: 10 });
    expect({ total, stale, indexing, unread }).toEqual({ total: 1, stale: false, indexing: undefined, unread: [] });
    expect(hits).toHaveLength(1);
    const [hit] = hits;
    expect(hit).toMatchObject({ path: "a.md", title: "A title", method: "keyword", matched: {} });
    const [filtered] = (await index.search("marmalade prop:status=open", { limit: 10 })).hits;
    expect(filtered!.matched).toEqual({ status: "open" });
    expect(hit!.mtime).toBe(Math.round(statSync(join(folder, "a.md")).mtimeMs));
    expect(hit!.snippet.text).toContain("marmalade that was looked for");
    const [[start, end]] = hit!.snippet.highlights as [[number, number]];
    expect(hit!.snippet.text.slice(start, end)).toBe("marmalade");
  });

  it("says where the words are: keyword in the text, fuzzy in the name, combined in both", async () => {
    const { index } = setUp({
      "Marmalade.md": "Oranges and sugar.",
      "Breakfast.md": "Bread with marmalade.",
      "Marmalade recipe.md": "Cook the marmalade slowly.",
      "Tagged.md": "---\ntags: [marmalade]\n---\nText.",
    });
    const { hits } = await index.search("marmalade", { limit: 10 });
    expect(Object.fromEntries(hits.map(({ path, method }) => [path, method]))).toEqual({
      "Marmalade.md": "fuzzy",
      "Breakfast.md": "keyword",
      "Marmalade recipe.md": "combined",
      "Tagged.md": "keyword",
    });
    expect((await index.search("tag:marmalade", { limit: 10 })).hits).toMatchObject([{ method: "keyword" }]);
    expect((await index.search("akfast", { limit: 10 })).hits).toMatchObject([{ method: "fuzzy" }]);
  });

  it("shows the words that a mistyped one was corrected to", async () => {
    const { index } = setUp({ "a.md": `${"Other words. ".repeat(60)} A kaleidoscope.` });
    const { hits } = await index.search("kaliedoscope", { limit: 10 });
    expect(hits[0]!.snippet.text).toContain("kaleidoscope");
  });

  it("for nothing, or for what is nowhere, has no hits", async () => {
    const { index } = setUp({ "a.md": "apple" });
    expect(await index.search("", { limit: 10 })).toMatchObject({ hits: [], total: 0 });
    expect(await index.search("zebra", { limit: 10 })).toMatchObject({ hits: [], total: 0 });
  });

  it("makes nothing before it is asked for", async () => {
    const { index, cache } = setUp({ "a.md": "apple" });
    await index.noteWritten({ paths: ["a.md"], folders: [] });
    expect(existsSync(cache)).toBe(false);
    await index.close();
    expect(existsSync(cache)).toBe(false);
  });

  it("lets the program end in the middle of everything", async () => {
    const { index, another, write, cache } = setUp(many(3_000));
    const searching = index.search("note", { limit: 1 }).catch((error: Error) => error.name);
    const begun = Promise.withResolvers<void>();
    const refreshing = index.refresh({ onProgress: () => begun.resolve() }).catch((error: Error) => error.name);
    write("mine.md", "mine");
    const writing = index.noteWritten({ paths: ["mine.md"], folders: [] });
    await begun.promise;
    await index.close();
    expect(await Promise.all([searching, refreshing])).toEqual(["AbortError", "AbortError"]);
    await writing;
    // The process that closes the database last removes its side files.
    expect(readdirSync(cache)).toHaveLength(1);
    const next = another();
    await next.refresh();
    expect((await next.search("note", { limit: 1 })).total).toBe(3_000);
  });

  it("gives up when its caller does", async () => {
    const { index } = setUp(many(2_000));
    const caller = new AbortController();
    const asked = { limit: 1, signal: caller.signal, onProgress: () => caller.abort() };
    await expect(index.search("note", asked)).rejects.toThrow();
    expect((await index.search("note", { limit: 1 })).total).toBeGreaterThan(0);
  });
});

describe("freshness", () => {
  it("finds a change from outside after two seconds", async () => {
    const putClockForward = stopClock();
    const { find, write } = setUp({ "a.md": "apple" });
    expect(await find("apple")).toEqual(["a.md"]);
    write("a.md", "mango");
    write("b.md", "mango, too");
    expect(await find("mango")).toEqual([]);
    putClockForward(2_050);
    expect((await find("mango")).toSorted()).toEqual(["a.md", "b.md"]);
    expect(await find("apple")).toEqual([]);
  });

  it("finds our own writes at once, and reported writes of another process", async () => {
    const { find, write, index, another, folder } = setUp({ "a.md": "apple" });
    const other = another();
    expect(await find("apple")).toEqual(["a.md"]);
    write("new/b.md", "banana");
    await index.noteWritten({ paths: ["new/b.md"], folders: [] });
    expect(await find("banana")).toEqual(["new/b.md"]);
    expect(await find("banana", other)).toEqual(["new/b.md"]);
    rmSync(join(folder, "a.md"));
    await other.noteWritten({ paths: ["a.md"], folders: [] });
    expect(await find("apple")).toEqual([]);
  });

  it("does not list a hit whose file has just gone", async () => {
    const { index, find, folder } = setUp({ "a.md": "apple", "b.md": "apple" });
    await find("apple");
    rmSync(join(folder, "b.md"));
    expect(await index.search("apple", { limit: 10 })).toMatchObject({ hits: [{ path: "a.md" }], total: 1 });
  });

  it("of another process's sweep counts as well", async () => {
    stopClock();
    const { find, another, write } = setUp({ "a.md": "apple" });
    await find("apple");
    write("b.md", "banana");
    // Within two seconds of the first one's sweep nobody looks again.
    expect(await find("banana", another())).toEqual([]);
  });

  /** As if another process were sweeping, without ever getting on. */
  const holdLease = (file: string, milliseconds: number) => {
    const database = new DatabaseSync(file);
    const sql = "INSERT OR REPLACE INTO lease VALUES ('sweep', 'another', 1, ?)";
    database.prepare(sql).run(Date.now() + milliseconds);
    database.close();
  };

  it("waits half a second for a sweep, then answers with what it has and says so", async () => {
    const putClockForward = stopClock();
    const { find, index, write, file } = setUp({ "a.md": "apple" });
    await find("apple");
    write("b.md", "apple");
    putClockForward(2_050);
    holdLease(file(), 1_500);
    const start = performance.now();
    const { stale, indexing, total } = await index.search("apple", { limit: 10 });
    expect({ stale, indexing, total }).toEqual({ stale: true, indexing: undefined, total: 1 });
    expect(performance.now() - start).toBeGreaterThan(450);
    // The lease ends: the process that waited for it sweeps.
    putClockForward(1_500);
    await expect.poll(() => index.search("apple", { limit: 10 })).toMatchObject({ stale: false, total: 2 });
  });

  it("of a new vault comes with the progress of its indexing", async () => {
    const { index, another, file } = setUp(many(300));
    await index.search("", { limit: 1 });
    await index.refresh({ rebuild: true });
    // As if the first sweep had come half way.
    const database = new DatabaseSync(file());
    database.exec("UPDATE state SET value = 0 WHERE key = 'swept'; UPDATE state SET value = 150 WHERE key = 'done'");
    database.close();
    holdLease(file(), 4_000);
    const answer = await another().search("number", { limit: 1 });
    expect(answer).toMatchObject({ stale: true, indexing: { done: 150, total: 300 }, total: 300 });
  });

  it("of a new vault calls the searcher's onProgress", async () => {
    // Few enough to be indexed within the time that a search waits, on a busy machine too.
    const { index } = setUp(many(1_000));
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number) => progress.push([done, total]);
    expect((await index.search("number", { limit: 1, onProgress })).total).toBe(1_000);
    expect(progress[0]).toEqual([0, 1_000]);
    expect(progress.length).toBeGreaterThan(3);
    const reported = progress.length;
    await index.search("number", { limit: 1, onProgress });
    expect(progress).toHaveLength(reported);
  });

  it("is reached, with progress, by waiting for a refresh", async () => {
    const { index } = setUp(many(3_000));
    const progress: [number, number][] = [];
    await index.refresh({ onProgress: (done, total) => progress.push([done, total]) });
    expect(progress[0]).toEqual([0, 3_000]);
    expect(progress.at(-1)).toEqual([3_000, 3_000]);
    expect(progress.length).toBeGreaterThan(3);
    expect((await index.search("number", { limit: 1 })).total).toBe(3_000);
  });
});

describe("an index that cannot be used", () => {
  it("is rebuilt if it is damaged, with one line in the log", async () => {
    for (const damage of [
      (file: string) =>
        writeFileSync(file, "no database at all, but long enough to be taken for something else".repeat(99)),
      (file: string) => {
        const size = statSync(file).size;
        const bytes = Buffer.alloc(size, 0x5a);
        writeFileSync(file, bytes.subarray(0, size - 4_096), { flag: "r+" });
      },
    ]) {
      const { index, find, another, file, logged } = setUp({ "a.md": "apple", ...many(50) });
      expect(await find("apple")).toEqual(["a.md"]);
      await index.close();
      damage(file());
      expect(await find("apple", another())).toEqual(["a.md"]);
      expect(logged).toEqual(["the index is damaged and is rebuilt"]);
    }
  });

  it("comes back after the cache was deleted", async () => {
    const { find, cache } = setUp({ "a.md": "apple" });
    await find("apple");
    rmSync(cache, { recursive: true });
    expect(await find("apple")).toEqual(["a.md"]);
    expect(existsSync(cache)).toBe(true);
  });

  it("is replaced by a temporary one if its folder cannot be created", async () => {
    const { find, cache, logged, index, write } = setUp({ "a.md": "apple" });
    writeFileSync(cache, "a file in the way");
    expect(await find("apple")).toEqual(["a.md"]);
    expect(logged).toEqual([
      "the index cannot be stored, because its folder cannot be written: this process uses a temporary one",
    ]);
    write("b.md", "banana");
    await index.noteWritten({ paths: ["b.md"], folders: [] });
    expect(await find("banana")).toEqual(["b.md"]);
  });

  it("is rebuilt when that is asked for", async () => {
    const { index, find, another } = setUp({ "a.md": "apple", "b.md": "banana" });
    await find("apple");
    const other = another();
    expect(await index.refresh({ rebuild: true })).toMatchObject({ total: 2, changed: 2 });
    expect(await find("apple", other)).toEqual(["a.md"]);
  });
});

describe("a vault", () => {
  it("that is missing is a clear problem, and its index stays", async () => {
    const putClockForward = stopClock();
    const { find, folder, file, another } = setUp({ "a.md": "apple" });
    await find("apple");
    rmSync(folder, { recursive: true });
    putClockForward(2_050);
    await expect(another().search("apple", { limit: 10 })).rejects.toMatchObject({ code: "not_found" });
    expect(existsSync(file())).toBe(true);
  });

  it("has an index of its own", async () => {
    const { cache, find, vault } = setUp({ "a.md": "apple" });
    await find("apple");
    const second = vaultWith({ "b.md": "banana" });
    const index = openSqliteNoteIndex(second.vault, { cache, log: () => {} });
    opened.push(index);
    expect((await index.search("apple", { limit: 10 })).total).toBe(0);
    expect(readdirSync(cache).filter((name) => name.endsWith(".db"))).toHaveLength(2);
    expect(vault.root.folder).not.toBe(second.vault.root.folder);
  });

  it("answers about links and tags as freshly as a search", async () => {
    const { index } = setUp({ "a.md": "[[b]] #tag", "b.md": "" });
    expect(await index.tags()).toEqual({ stale: false, answer: [{ tag: "tag", count: 1 }] });
    expect(await index.backlinks(["b.md"])).toEqual({
      stale: false,
      answer: [{ from: "a.md", to: "b.md", count: 1 }],
    });
  });
});
