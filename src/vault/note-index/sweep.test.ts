// Rows that the index adds, keeps and removes, on real files.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { ntfsNumbers, withAnswers } from "../../../test/fixtures/simulated-file-systems.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { parseQuery } from "../../search/query.ts";
import { openNoteDatabase, type NoteDatabase } from "./note-database.ts";
import { indexedFolder } from "./indexed-files.ts";

const opened: NoteDatabase[] = [];
afterAll(() => {
  for (const index of opened) index.close();
});

const LONG_AGO = new Date("2026-01-02");

function setUp(files: Readonly<Record<string, string | Uint8Array>>) {
  const vault = vaultWith(files);
  for (const path of Object.keys(files)) utimesSync(join(vault.folder, path), LONG_AGO, LONG_AGO);
  const file = join(dirname(vault.folder), "cache", "index.db");
  const logged: string[] = [];
  const another = () => {
    const index = openNoteDatabase({ file, log: (message) => logged.push(message) });
    opened.push(index);
    return index;
  };
  const index = another();
  const root = indexedFolder(vault.vault.root);
  return {
    ...vault,
    root,
    file,
    logged,
    index,
    another,
    at: (path: string) => join(vault.folder, path),
    sweep: async () => (await index.sweep(root))!,
    paths: (query: string) => index.search(parseQuery(query), { limit: 100 }).hits.map((hit) => hit.path),
  };
}

describe("a sweep", () => {
  it.skipIf(process.platform === "win32")(
    "opens what it listed only where that is still a file of the vault",
    async () => {
      const { root, index, at, paths, folder, sweep } = setUp({
        "pipe.md": "first",
        "link.md": "second",
        "socket/in.md": "third",
        "stays.md": "fourth",
      });
      const outside = join(dirname(folder), "outside");
      mkdirSync(outside);
      for (const name of ["secret.md", "in.md"]) writeFileSync(join(outside, name), "quinquereme");
      let isSwapped = false;
      // Between the listing and the first reading.
      const onProgress = () => {
        if (isSwapped) return;
        isSwapped = true;
        for (const path of ["pipe.md", "link.md", "socket"]) rmSync(at(path), { recursive: true });
        execFileSync("mkfifo", [at("pipe.md")]);
        symlinkSync(join(outside, "secret.md"), at("link.md"));
        symlinkSync(outside, at("socket"));
      };
      expect(await index.sweep(root, { onProgress })).toMatchObject({ changed: 1, unread: [] });
      expect(isSwapped).toBe(true);
      expect(paths("quinquereme")).toEqual([]);
      expect(paths("fourth")).toEqual(["stays.md"]);
      expect(await sweep()).toMatchObject({ total: 1, unread: [] });
    },
  );

  it("finds what was added, changed and deleted, and touches nothing else", async () => {
    const { sweep, paths, write, at } = setUp({ "a.md": "apple", "b.md": "banana", "c.md": "cherry" });
    expect(await sweep()).toMatchObject({ total: 3, changed: 3, removed: 0, unread: [] });
    expect(await sweep()).toMatchObject({ total: 3, changed: 0, removed: 0 });
    write("b.md", "blueberry");
    write("d.md", "damson");
    rmSync(at("c.md"));
    expect(await sweep()).toMatchObject({ total: 3, changed: 2, removed: 1 });
    expect(paths("apple")).toEqual(["a.md"]);
    expect(paths("banana")).toEqual([]);
    expect(paths("blueberry")).toEqual(["b.md"]);
    expect(paths("damson")).toEqual(["d.md"]);
    expect(paths("cherry")).toEqual([]);
  });

  it("forgets everything that it knew of a changed note", async () => {
    const { sweep, index, write } = setUp({ "a.md": "---\nkind: x\naliases: [Other]\n---\n# Title\n\n#tag [[link]]" });
    await sweep();
    write("a.md", "plain");
    await sweep();
    const find = (text: string) => index.search(parseQuery(text), { limit: 10 }).total;
    expect(["Title", "Other", "tag:#tag", "prop:kind=x", "plain"].map(find)).toEqual([0, 0, 0, 0, 1]);
    expect(index.tags()).toEqual([]);
    expect(index.notesWithLinkNames(["link"])).toEqual([]);
  });

  it("sees a change that leaves size and time as they were, by the inode", async () => {
    const { sweep, paths, at, write } = setUp({ "a.md": "apple" });
    await sweep();
    write("new", "mango");
    utimesSync(at("new"), LONG_AGO, LONG_AGO);
    renameSync(at("new"), at("a.md"));
    await sweep();
    expect(paths("mango")).toEqual(["a.md"]);
  });

  it("notices it also if inodes have 64 bits and are equal as numbers", async () => {
    const { sweep, paths, at, write } = setUp({ "a.md": "apple" });
    await withAnswers(ntfsNumbers(), async () => {
      await sweep();
      write("new", "mango");
      utimesSync(at("new"), LONG_AGO, LONG_AGO);
      renameSync(at("new"), at("a.md"));
      await sweep();
    });
    expect(paths("mango")).toEqual(["a.md"]);
  });

  it("reads a file again that was so young that a second change may not show", async () => {
    const { sweep, paths, at, write } = setUp({});
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);
    write("a.md", "apple");
    utimesSync(at("a.md"), now, now);
    await sweep();
    write("a.md", "mango");
    utimesSync(at("a.md"), now, now);
    await sweep();
    expect(paths("mango")).toEqual(["a.md"]);
    expect(paths("apple")).toEqual([]);
  });

  it("follows moves of notes and folders", async () => {
    const { sweep, paths, at } = setUp({ "a/b/c.md": "cherry", "a/d.md": "damson" });
    await sweep();
    renameSync(at("a"), at("z"));
    await sweep();
    expect(paths("cherry")).toEqual(["z/b/c.md"]);
    expect(paths("damson")).toEqual(["z/d.md"]);
  });

  it("needs nothing that the index knows while the files are as it last saw them", async () => {
    const { sweep, write, file } = setUp({ "a.md": "apple", "b.md": "banana", "image.png": "" });
    await sweep();
    const database = new DatabaseSync(file);
    database.exec("DELETE FROM document WHERE path = 'b.md'");
    database.close();
    expect(await sweep()).toMatchObject({ total: 3, changed: 0, removed: 0, unread: [] });
    write("c.md", "cherry");
    expect(await sweep()).toMatchObject({ total: 4, changed: 2, removed: 0 });
  });

  it("compares everything when a note is back at its path before the index learned that it moved", async () => {
    const { sweep, paths, index, root, at } = setUp({ "a.md": "apple" });
    await sweep();
    renameSync(at("a.md"), at("b.md"));
    await index.refresh(root, ["a.md", "b.md"]);
    expect(paths("apple")).toEqual(["b.md"]);
    renameSync(at("b.md"), at("a.md"));
    await sweep();
    expect(paths("apple")).toEqual(["a.md"]);
  });

  it("passes over hidden folders, links, copies, partial downloads and temporary files", async () => {
    const { sweep, paths, at } = setUp({
      "a.md": "apple",
      ".obsidian/b.md": "apple",
      ".trash/c.md": "apple",
      "a (conflicted copy 2026-01-02).md": "apple",
      "d.md.part": "apple",
      "#e.md#": "apple",
      "f.md~": "apple",
      "image.png": "apple",
    });
    symlinkSync(at("a.md"), at("link.md"));
    await sweep();
    expect(paths("apple")).toEqual(["a.md"]);
  });

  it("forgets what is only to be reached through a link now", async () => {
    const { sweep, paths, at } = setUp({ "a/c.md": "cherry" });
    await sweep();
    renameSync(at("a"), at("b"));
    symlinkSync(at("b"), at("a"));
    await sweep();
    expect(paths("cherry")).toEqual(["b/c.md"]);
  });

  it("counts what is only in iCloud as present and unreadable", async () => {
    const { sweep, paths, at, index } = setUp({ "a.md": "apple", "b.md": "banana" });
    await sweep();
    rmSync(at("a.md"));
    writeFileSync(at(".a.md.icloud"), "placeholder");
    writeFileSync(at(".never seen.md.icloud"), "placeholder");
    const expected = [
      { path: "a.md", reason: "only in the cloud" },
      { path: "never seen.md", reason: "only in the cloud" },
    ];
    expect((await sweep()).unread.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(expected);
    expect(paths("apple")).toEqual(["a.md"]);
    expect(paths("never seen")).toEqual(["never seen.md"]);
    expect((await sweep()).unread).toHaveLength(2);
    expect(index.unread()).toEqual(expected);
    rmSync(at(".a.md.icloud"));
    writeFileSync(at("a.md"), "avocado");
    expect((await sweep()).unread).toHaveLength(1);
    expect(paths("avocado")).toEqual(["a.md"]);
  });

  it("keeps a note that is no longer text as it was, and reports it", async () => {
    const { sweep, paths, write } = setUp({ "a.md": "apple", "b.md": Uint8Array.of(0xff, 0xfe, 0x00) });
    expect((await sweep()).unread).toEqual([{ path: "b.md", reason: "not text" }]);
    write("a.md", Uint8Array.of(0xff, 0xff));
    expect((await sweep()).unread).toHaveLength(2);
    expect(paths("apple")).toEqual(["a.md"]);
    expect(await sweep()).toMatchObject({ unread: [{}, {}] });
    write("a.md", "again");
    expect((await sweep()).unread).toHaveLength(1);
    expect(paths("apple")).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "keeps what may not be read as it was (needs a user who is not root)",
    async () => {
      const { sweep, paths, at } = setUp({ "a.md": "apple", "closed/b.md": "banana" });
      await sweep();
      chmodSync(at("a.md"), 0);
      chmodSync(at("closed"), 0);
      utimesSync(at("a.md"), new Date(), new Date());
      const { unread, removed } = await sweep();
      chmodSync(at("closed"), 0o700);
      expect(unread.map(({ path }) => path).toSorted()).toEqual(["a.md", "closed/"]);
      expect(removed).toBe(0);
      expect([paths("apple"), paths("banana")]).toEqual([["a.md"], ["closed/b.md"]]);
    },
  );

  it("deletes nothing when the vault itself is gone", async () => {
    const { sweep, paths, folder } = setUp({ "a.md": "apple" });
    await sweep();
    renameSync(folder, `${folder} elsewhere`);
    await expect(sweep()).rejects.toThrow("The vault folder is missing");
    expect(paths("apple")).toEqual(["a.md"]);
  });

  it("indexes single paths at once: notes, folders, and what is gone", async () => {
    const { sweep, paths, index, root, at, write } = setUp({ "a.md": "apple", "b/c.md": "cherry", "e.md": "elder" });
    await sweep();
    write("new.md", "nectarine");
    write("e.md", "endive");
    rmSync(at("a.md"));
    renameSync(at("b"), at("z"));
    await index.refresh(root, ["new.md", "a.md", "b", "z"]);
    expect([paths("nectarine"), paths("apple"), paths("cherry")]).toEqual([["new.md"], [], ["z/c.md"]]);
    expect(paths("endive")).toEqual([]);
  });
});

describe("sweeps of several at once", () => {
  const many = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, i) => [`n/${i}.md`, `note number ${i} `.repeat(40)]),
  );

  it("happen one at a time", async () => {
    const { index, another, root } = setUp(many);
    const [first, second] = await Promise.all([index.sweep(root), another().sweep(root)]);
    expect([first, second].filter((swept) => swept === undefined)).toHaveLength(1);
    expect(index.state()).toMatchObject({ done: 3_000, total: 3_000 });
  });

  it("let the process go on, report progress, and can be stopped and resumed", async () => {
    const { index, root } = setUp(many);
    const stop = new AbortController();
    const progress: number[] = [];
    let turns = 0;
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) {
        await nextTurn();
        turns++;
      }
    })();
    const stopped = index.sweep(root, {
      signal: stop.signal,
      onProgress: (done, total) => {
        expect(total).toBe(3_000);
        progress.push(done);
        if (done > 1_500) stop.abort();
      },
    });
    await expect(stopped).rejects.toThrow("aborted");
    over.abort();
    await others;
    expect(turns).toBeGreaterThan(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const { changed } = (await index.sweep(root))!;
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(3_000);
    expect(index.search(parseQuery("number"), { limit: 1 }).total).toBe(3_000);
  });

  it("are not in the way of another process's own note", async () => {
    const { index, another, root, write } = setUp(many);
    const sweeping = index.sweep(root);
    write("mine.md", "pomegranate");
    const other = another();
    await other.refresh(root, ["mine.md"]);
    expect(other.search(parseQuery("pomegranate"), { limit: 1 }).total).toBe(1);
    await sweeping;
    expect(index.search(parseQuery("pomegranate"), { limit: 1 }).total).toBe(1);
  });
});

describe("the file of an index", () => {
  it("is made on first use only, and for its owner only", async () => {
    const { sweep, file } = setUp({ "a.md": "apple" });
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    await sweep();
    for (const name of readdirSync(dirname(file))) expect(statSync(join(dirname(file), name)).mode & 0o077).toBe(0);
    expect(statSync(dirname(file)).mode & 0o077).toBe(0);
  });

  it("comes back when the cache was deleted", async () => {
    const { sweep, index, file, paths } = setUp({ "a.md": "apple" });
    await sweep();
    rmSync(dirname(file), { recursive: true });
    expect(index.state().swept).toBe(0);
    await sweep();
    expect(paths("apple")).toEqual(["a.md"]);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it("of another version is left alone", async () => {
    const { sweep, file } = setUp({ "a.md": "apple" });
    mkdirSync(dirname(file));
    const other = join(dirname(file), "notes-v0-0123456789abcdef.db");
    writeFileSync(other, "of an older release");
    await sweep();
    expect(statSync(other).size).toBe(19);
  });
});
