// Moving and deleting folders of many notes: what it may cost, what goes along,
// what undo does to what came later, and giving up before anything is written.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { vaultWith, type TestVault } from "../../../test/fixtures/vaults.ts";
import { NameTable } from "../../markdown/links/resolution.ts";
import { append } from "./note-changes.ts";
import { editNote } from "./note-editor.ts";
import { deleteFolder } from "../folders.ts";
import { moveFolder } from "./note-mover.ts";
import type { Author, Vault } from "../vault.ts";

const author: Author = { tool: "test" };

/** Notes in folders of ten; each leads to the next where they are linked. */
function notes(count: number, link: (next: string) => string = () => ""): Record<string, string> {
  const path = (i: number) => `Old/Part ${Math.floor((i % count) / 10)}/Note ${i % count}`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${path(i)}.md`, `# Note ${i}\n\nA word${i}. ${link(path(i + 1))}\n`]),
  );
}

const byPath = (next: string) => `See [[${next}]].`;

const CALLS = ["openSync", "renameSync", "linkSync", "unlinkSync", "mkdirSync", "rmdirSync", "writeSync"] as const;
const originals = Object.fromEntries(CALLS.map((name) => [name, fs[name]]));

afterEach(() => {
  Object.assign(fs, originals);
  syncBuiltinESMExports();
  vi.restoreAllMocks();
});

/** The calls to the system about entries of the vault that open or change something, while the work goes on. */
async function callsIn(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  for (const name of CALLS) {
    const call = originals[name] as (...values: unknown[]) => unknown;
    Reflect.set(fs, name, (...values: unknown[]) => {
      const place = String(values[0]).replace(/^\/proc\/self\/fd\/(\d+)/, (_, fd) =>
        fs.readlinkSync(`/proc/self/fd/${fd}`),
      );
      if (place.startsWith(folder)) calls.push(`${name} ${place.slice(folder.length)}`);
      return call(...values);
    });
  }
  syncBuiltinESMExports();
  await work();
  Object.assign(fs, originals);
  syncBuiltinESMExports();
  return calls;
}

/** As old as notes mostly are: those of the last seconds are read again, whatever their times say. */
function agedVaultWith(files: Record<string, string>): TestVault {
  const made = vaultWith(files);
  const hourAgo = Date.now() / 1000 - 3600;
  for (const path of Object.keys(files)) fs.utimesSync(join(made.folder, path), hourAgo, hourAgo);
  return made;
}

const indexed = async ({ index }: Vault) => (await index.paths()).answer;

describe("a folder without links", () => {
  const isOpening = (call: string) => call.startsWith("openSync");

  it("is moved, deleted and brought back by one rename, and no note in it is opened to be moved", async () => {
    const changes: string[][][] = [];
    for (const count of [20, 80]) {
      const { vault, folder } = agedVaultWith(notes(count));
      await vault.index.refresh();
      const steps = [
        () => moveFolder(vault, author, { path: "Old", newPath: "New" }),
        () => vault.journal.undo(),
        () => vault.journal.redo(),
        () => deleteFolder(vault, author, "New", true),
        () => vault.journal.undo(),
      ];
      const made: string[][] = [];
      for (const step of steps) {
        const calls = await callsIn(folder, step);
        await indexed(vault);
        made.push(calls.filter((call) => !isOpening(call)));
        // The index reads notes again that come back from the trash.
        if (made.length < steps.length)
          expect(calls.filter((call) => isOpening(call) && call.endsWith(".md"))).toEqual([]);
      }
      changes.push(made);
    }
    const [few, many] = changes;
    expect(many).toEqual(few);
    const renames = many!.map((calls) => calls.filter((call) => call.startsWith("renameSync")));
    expect(renames).toEqual(["/Old", "/New", "/Old", "/New", "/.trash/New"].map((path) => [`renameSync ${path}`]));
  });

  it("keeps what the index knows of its notes: none is read again", async () => {
    const { vault, folder, reopen } = agedVaultWith({ ...notes(30), "Outside.md": "[[Note 7]]" });
    await vault.index.refresh();
    const stamp = await vault.index.stamp();
    const calls = await callsIn(folder, async () => {
      await moveFolder(vault, author, { path: "Old", newPath: "Deep/New" });
      await indexed(vault);
    });
    expect(calls.filter((call) => /openSync .*Note \d+\.md$/.test(call))).toEqual([]);
    expect(await vault.index.stamp()).not.toBe(stamp);
    for (const each of [vault, reopen()]) {
      const { hits } = await each.index.search("word7", { limit: 5 });
      expect(hits.map(({ path }) => path)).toEqual(["Deep/New/Part 0/Note 7.md"]);
      expect((await indexed(each)).filter((path) => path.startsWith("Old"))).toEqual([]);
      const links = await each.index.backlinks(["Deep/New/Part 0/Note 7.md"]);
      expect(links.answer).toMatchObject([{ from: "Outside.md" }]);
    }
  });

  it("is found at its new path after moves that are faster than the index", async () => {
    const { vault, folder } = agedVaultWith(notes(30));
    await vault.index.refresh();
    const calls = await callsIn(folder, async () => {
      await moveFolder(vault, author, { path: "Old", newPath: "New" });
      await vault.journal.undo();
      await vault.journal.redo();
      await moveFolder(vault, author, { path: "New/Part 1", newPath: "Part" });
    });
    expect(calls.filter((call) => call.startsWith("renameSync"))).toHaveLength(4);
    const paths = await indexed(vault);
    expect(paths).toHaveLength(30);
    expect(paths.filter((path) => /^(?:Part|New\/Part [02])\//.test(path))).toHaveLength(30);
    expect((await vault.index.search("word15", { limit: 5 })).hits[0]?.path).toBe("Part/Note 15.md");
  });

  it("is found at its new path by an index that knew another file there", async () => {
    const { vault, folder, write } = vaultWith({ ...notes(12), "New/Part 0/Note 3.md": "an earlier one, earlierword" });
    await vault.index.refresh();
    fs.rmSync(join(folder, "New"), { recursive: true });
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    write("New/Part 0/Late.md", "came lateword");
    await vault.index.refresh();
    expect((await vault.index.search("earlierword", { limit: 5 })).total).toBe(0);
    expect((await vault.index.search("word3", { limit: 5 })).hits[0]?.path).toBe("New/Part 0/Note 3.md");
    expect((await vault.index.search("lateword", { limit: 5 })).total).toBe(1);
    expect(await indexed(vault)).toHaveLength(13);
  });
});

describe("a folder with links", () => {
  it.each([
    ["with an index", true],
    ["without one", false],
  ])("is moved with work that grows as its notes do, %s", async (_, withIndex) => {
    const folded: number[] = [];
    for (const count of [200, 800]) {
      const { vault } = vaultWith(notes(count, byPath));
      if (withIndex) await vault.index.refresh();
      const tables = vi.spyOn(NameTable, "begin");
      const normalize = vi.spyOn(String.prototype, "normalize");
      await moveFolder(vault, author, { path: "Old", newPath: "New" });
      folded.push(normalize.mock.calls.length);
      expect(tables).toHaveBeenCalledTimes(2);
      vi.restoreAllMocks();
    }
    expect(folded[1]! / folded[0]!).toBeLessThan(5);
  });

  it("rewrites what has to be, reads nothing else, and is taken back and brought back whole", async () => {
    const { vault, folder, files } = agedVaultWith({
      ...notes(40, (next) => (/Note \d*5$/.test(next) ? byPath(next) : `[[${next.split("/").at(-1)}]]`)),
      "Old/Plain.md": "no link",
      "Outside.md": "[[Old/Part 1/Note 15]] and [[Plain]]",
    });
    await vault.index.refresh();
    const before = files();
    const calls = await callsIn(folder, () => moveFolder(vault, author, { path: "Old", newPath: "New" }));
    expect(calls.filter((call) => call.startsWith("openSync") && call.endsWith("Plain.md"))).toEqual([]);
    const after = files();
    expect(after["New/Part 1/Note 14.md"]).toContain("[[New/Part 1/Note 15]]");
    expect(after["New/Part 1/Note 15.md"]).toContain("[[Note 16]]");
    expect(after["Outside.md"]).toBe("[[New/Part 1/Note 15]] and [[Plain]]");
    expect((await vault.index.search("word14", { limit: 5 })).hits[0]?.path).toBe("New/Part 1/Note 14.md");
    const linking = await vault.index.backlinks(["New/Part 1/Note 15.md"]);
    expect(linking.answer.map(({ from }) => from).toSorted()).toEqual(["New/Part 1/Note 14.md", "Outside.md"]);
    await vault.journal.undo();
    expect(files()).toEqual(before);
    await vault.journal.redo();
    expect(files()).toEqual(after);
    expect((await vault.journal.history()).entries[0]!.message).toBe("Redid: Moved Old to New");
  });
});

describe("undo of a moved folder", () => {
  function withCompany(): TestVault {
    const made = vaultWith({
      "Old/a.md": "a",
      "Old/b.md": "[[Old/a]]",
      "Old/picture.png": "png",
      "Old/.hidden/x": "x",
    });
    fs.symlinkSync("a.md", join(made.folder, "Old", "link.md"));
    return made;
  }
  const all = (folder: string) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith(".trash"))
      .toSorted();

  it("takes along what is in it: attachments, hidden files and links", async () => {
    const { vault, folder } = withCompany();
    const before = all(folder);
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    expect(all(folder)).toEqual(before.map((path) => path.replace("Old", "New")));
    expect(fs.readlinkSync(join(folder, "New", "link.md"))).toBe("a.md");
    await vault.journal.undo();
    expect(all(folder)).toEqual(before);
    await deleteFolder(vault, author, "Old", true);
    expect(all(folder)).toEqual([]);
    await vault.journal.undo();
    expect(all(folder)).toEqual(before);
  });

  it("keeps what came later: notes that were added or changed outside go back with it", async () => {
    const { vault, files, write } = withCompany();
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    write("New/a.md", "changed later");
    write("New/added.md", "added later");
    await vault.journal.undo();
    expect(files()).toMatchObject({
      "Old/a.md": "changed later",
      "Old/added.md": "added later",
      "Old/b.md": "[[Old/a]]",
    });
    await vault.journal.redo();
    expect(files()).toMatchObject({
      "New/a.md": "changed later",
      "New/added.md": "added later",
      "New/b.md": "[[New/a]]",
    });
  });

  it("is refused, and changes nothing, if a note whose links it rewrote was changed later", async () => {
    const { vault, files, write } = withCompany();
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    write("New/b.md", "changed later");
    const before = files();
    await expect(vault.journal.undo()).rejects.toThrow("Old/b.md was changed since");
    expect(files()).toEqual(before);
  });

  it("is refused, and changes nothing, if something else is at the old path now", async () => {
    const { vault, files, write } = withCompany();
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    write("Old/a.md", "another one");
    const before = files();
    await expect(vault.journal.undo()).rejects.toThrow("there is something else at Old now");
    expect(files()).toEqual(before);
  });

  it("follows the undo of later edits in it, and redo goes the same way", async () => {
    const { vault, files } = withCompany();
    await moveFolder(vault, author, { path: "Old", newPath: "New" });
    await editNote(vault, author, { filePath: "New/a.md", change: append("more") });
    await vault.journal.undo();
    await vault.journal.undo();
    expect(files()).toMatchObject({ "Old/a.md": "a", "Old/b.md": "[[Old/a]]" });
    await vault.journal.redo();
    await vault.journal.redo();
    expect(files()["New/a.md"]).toBe("a\nmore");
  });
});

describe("a long move", () => {
  /** Every look at the clock takes longer than a turn. */
  const slowly = () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
  };

  it("reports how far it is, and lets other work have its turn after each note", async () => {
    const { vault } = vaultWith(notes(30, byPath));
    const heard: [number, number, string | undefined][] = [];
    let turns = 0;
    let isOver = false;
    slowly();
    const others = (): unknown => (isOver ? undefined : (turns++, setImmediate(others)));
    setImmediate(others);
    await moveFolder(
      vault,
      { ...author, onProgress: (...[done, total, said]) => heard.push([done, total, said]) },
      { path: "Old", newPath: "New" },
    );
    isOver = true;
    expect(turns).toBeGreaterThan(100);
    expect(heard.map(([done]) => done)).toEqual(heard.map(([done]) => done).toSorted((a, b) => a - b));
    expect(heard.every(([done, total]) => done <= total)).toBe(true);
    expect(new Set(heard.map(([, , message]) => message))).toEqual(
      new Set(["Looking for links to rewrite", "Writing the notes whose links change"]),
    );
  });

  it.each(["Looking for links to rewrite", "Writing the notes whose links change"])(
    "that is given up while it says %j changes nothing, and leaves nothing behind",
    async (moment) => {
      const { vault, folder, files } = vaultWith(notes(40, byPath));
      const before = files();
      const giveUp = new AbortController();
      const onProgress: Author["onProgress"] = (_done, _total, message) => {
        if (message === moment) giveUp.abort(new Error("given up"));
      };
      slowly();
      const moving = moveFolder(
        vault,
        { ...author, signal: giveUp.signal, onProgress },
        { path: "Old", newPath: "New" },
      );
      await expect(moving).rejects.toThrow("given up");
      vi.restoreAllMocks();
      expect(files()).toEqual(before);
      expect(fs.readdirSync(folder)).toEqual(["Old"]);
      expect((await vault.journal.history()).entries).toEqual([]);
      await moveFolder(vault, author, { path: "Old", newPath: "New" });
      expect(Object.keys(files())).toEqual(
        Object.keys(before).map((path) => join("New", dirname(path).slice(4), path.split("/").at(-1)!)),
      );
    },
  );
});
