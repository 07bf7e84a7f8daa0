// A cache that is full, read-only or without permission, and a vault that is
// partly unreadable: searches are answered all the same.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { NoteIndex } from "../../src/vault/note-index/note-index.ts";
import { openSqliteNoteIndex } from "../../src/vault/note-index/sqlite-note-index.ts";
import { AS_NOBODY, bundled, NOBODY, nodeForNobody } from "../processes/child.ts";
import type { IndexOrders, IndexReport } from "./children/note-indexer.ts";
import { isRoot, mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";
import { temporaryVault } from "../fixtures/temporary-vault.ts";

const opened: NoteIndex[] = [];
afterAll(async () => {
  for (const index of opened) await index.close();
  unmountAll();
});

const home = temporaryVault().home;
const disk = join(home, "small disk");
const hasDisk = mountSmallDisk(disk, 1);

describe.skipIf(!hasDisk)("a cache on a small disk (needs permission to mount one)", () => {
  test("that is full is replaced by a temporary index", async () => {
    const vault = temporaryVault();
    const words = (i: number) => Array.from({ length: 300 }, (_, word) => `w${(i * 300 + word).toString(36)}`);
    for (let i = 0; i < 400; i++) vault.write(`${i}.md`, `number${i} ${words(i).join(" ")}`);
    vault.write("wanted.md", "pomegranate");
    const logged: string[] = [];
    const index = openSqliteNoteIndex(
      { root: vault.files },
      { cache: join(disk, "cache"), log: (message) => logged.push(message) },
    );
    opened.push(index);
    await index.refresh();
    expect((await index.search("pomegranate", { limit: 10 })).hits.map(({ path }) => path)).toEqual(["wanted.md"]);
    expect((await index.search("number399", { limit: 10 })).total).toBe(1);
    expect(logged).toEqual(["the index cannot be stored, because its disk is full: this process uses a temporary one"]);
  });

  test("that became read-only is replaced as well", async () => {
    const vault = temporaryVault();
    const place = join(home, "read-only disk");
    expect(mountSmallDisk(place, 1)).toBe(true);
    vault.write("a.md", "apple");
    const open = () => {
      const index = openSqliteNoteIndex({ root: vault.files }, { cache: join(place, "cache"), log: () => {} });
      opened.push(index);
      return index;
    };
    const before = open();
    await before.refresh();
    await before.close();
    execFileSync("mount", ["-o", "remount,ro", place]);
    const index = open();
    expect((await index.search("apple", { limit: 10 })).total).toBe(1);
    vault.write("b.md", "banana");
    await index.refresh();
    expect((await index.search("banana", { limit: 10 })).total).toBe(1);
  });
});

describe.skipIf(!isRoot || process.platform === "win32")(
  "as a user without permissions (needs root to become one)",
  () => {
    const program = bundled(join(import.meta.dirname, "children", "note-indexer.ts"));

    function run(orders: IndexOrders): IndexReport {
      const child = spawnSync(nodeForNobody(), [...program, JSON.stringify(orders)], {
        ...AS_NOBODY,
        encoding: "utf8",
      });
      expect(child.stderr).toBe("");
      return JSON.parse(child.stdout.split("\n").find((line) => line.startsWith("{"))!) as IndexReport;
    }

    test("notes and folders that cannot be read stay in the index, and are reported", () => {
      const vault = temporaryVault();
      const cache = join(vault.home, "cache");
      mkdirSync(cache);
      for (const path of [vault.home, cache]) chownSync(path, NOBODY, NOBODY);
      vault.write("open.md", "apple");
      vault.write("closed later.md", "banana");
      vault.write("closed folder/c.md", "cherry");
      vault.write("closed always.md", "damson");
      chmodSync(join(vault.folder, "closed always.md"), 0);
      const orders = {
        folder: vault.folder,
        cache,
        queries: ["apple", "banana", "cherry", "damson", '"closed always"'],
      };
      const expected = {
        apple: ["open.md"],
        banana: ["closed later.md"],
        cherry: ["closed folder/c.md"],
        damson: [],
        '"closed always"': ["closed always.md"],
      };
      const before = run(orders);
      expect(before.unread).toEqual(["closed always.md"]);
      expect(before.found["cherry"]).toEqual(["closed folder/c.md"]);
      writeFileSync(join(vault.folder, "closed later.md"), "blueberry");
      chmodSync(join(vault.folder, "closed later.md"), 0);
      chmodSync(join(vault.folder, "closed folder"), 0);
      const after = run(orders);
      expect(after.unread).toEqual(["closed always.md", "closed folder/", "closed later.md"]);
      expect(after.found).toMatchObject(expected);
      chmodSync(join(vault.folder, "closed later.md"), 0o644);
      chmodSync(join(vault.folder, "closed folder"), 0o755);
      const last = run({ ...orders, queries: ["blueberry", "cherry", "banana"] });
      expect(last.unread).toEqual(["closed always.md"]);
      expect(last.found).toMatchObject({ blueberry: ["closed later.md"], cherry: ["closed folder/c.md"], banana: [] });
    });

    test("a cache folder without permission is replaced by a temporary index", () => {
      const vault = temporaryVault();
      chmodSync(vault.home, 0o755);
      vault.write("a.md", "apple");
      const report = run({ folder: vault.folder, cache: join(vault.home, "cache"), queries: ["apple"] });
      expect(report.found).toEqual({ apple: ["a.md"] });
      expect(report.logged).toEqual([
        "the index cannot be stored, because its folder cannot be written: this process uses a temporary one",
      ]);
    });
  },
);
