// A vault whose drive is not mounted: an empty folder, or another one, in its place.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith, type TestVault } from "../../test/fixtures/vaults.ts";
import { accessRules } from "../files/files.ts";
import { accept } from "../journal/journal.ts";
import { create, deleteNote, editNote, moveFolder, openVault, type Vault } from "./vault.ts";

const AUTHOR = { tool: "test" };
const MISSING = "The vault folder has none of the notes that were in it: nothing was changed.";

const notes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`Topic ${i % 3}/Note ${i}.md`, `about apples ${i}`]));

const add = (vault: Vault, path: string) => editNote(vault, AUTHOR, { filePath: path, change: create("text") });

/** Mounts and unmounts, with a folder beside the vault as the drive. */
function driveOf({ folder }: Pick<TestVault, "folder">) {
  const away = `${folder} on the drive`;
  const swap = (work: () => void) => {
    work();
    // The clock of some disks is coarse, and an answer is kept while nothing has changed.
    utimesSync(folder, new Date(), new Date(Date.now() - 1000 * readdirSync(folder).length));
  };
  return {
    unmount: (files: Readonly<Record<string, string>> = {}) =>
      swap(() => {
        renameSync(folder, away);
        mkdirSync(folder);
        for (const [path, text] of Object.entries(files)) {
          mkdirSync(join(folder, path, ".."), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
      }),
    mount: () =>
      swap(() => {
        rmSync(folder, { recursive: true });
        renameSync(away, folder);
      }),
  };
}

/** A vault of which the index or the journal, or both, know notes; opened again by another process. */
async function known(by: "index" | "journal" | "both", count = 40) {
  const test = vaultWith(by === "journal" ? {} : notes(count));
  if (by === "journal") for (const path of Object.keys(notes(count))) await add(test.vault, path);
  else await test.vault.index.refresh();
  if (by === "both") await add(test.vault, "One more.md");
  await test.vault.close();
  return { ...test, drive: driveOf(test) };
}

/** Everything that is tried while nothing is mounted fails, and leaves nothing behind. */
async function expectMissing(test: TestVault, vault: Vault = test.reopen()) {
  const before = readdirSync(test.folder);
  expect(() => vault.root.check()).toThrow(MISSING);
  await expect(add(vault, "new.md")).rejects.toThrow(MISSING);
  await expect(vault.index.refresh()).rejects.toThrow(MISSING);
  expect(readdirSync(test.folder)).toEqual(before);
}

describe.each(["index", "journal", "both"] as const)("a vault of which the %s knows notes", (by) => {
  it.each<[string, Record<string, string>]>([
    ["an empty folder", {}],
    ["hidden files alone", { ".obsidian/app.json": "{}", ".trash/Old.md": "old" }],
    ["a note that was written below the mount", { "Inbox.md": "by mistake" }],
    ["notes of another vault", Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`${name}.md`, name]))],
    ["a note of the same name with another text", { "Topic 1/Note 1.md": "written below the mount" }],
  ])("is neither read nor written where there is %s", async (_, files) => {
    const test = await known(by);
    test.drive.unmount(files);
    expect(() => test.reopen()).toThrow(MISSING);
    test.drive.mount();
    const vault = test.reopen();
    expect((await vault.index.paths()).answer).toHaveLength(by === "both" ? 41 : 40);
  });

  it("is missed by a process that has it open, and found again when it is back", async () => {
    const test = await known(by);
    const vault = test.reopen();
    await vault.root.list("" as never);
    test.drive.unmount();
    await expectMissing(test, vault);
    test.drive.mount();
    await add(vault, "new.md");
    test.drive.unmount({ "stray.md": "" });
    await expectMissing(test, vault);
  });

  it("is used as it is once the person has said so, by every process and after a restart", async () => {
    const test = await known(by);
    test.drive.unmount({ "stray.md": "" });
    accept(join(test.folder, "..", "journal"), test.folder);
    for (let i = 0; i < 2; i++) {
      const vault = test.reopen();
      await add(vault, `new ${i}.md`);
      await vault.index.refresh();
      await vault.close();
    }
    expect((await test.reopen().index.paths()).answer).toHaveLength(3);
    // A later loss is noticed again.
    rmSync(test.folder, { recursive: true });
    mkdirSync(test.folder);
    expect(() => test.reopen()).toThrow(MISSING);
  });
});

describe("a vault", () => {
  it("that is new and empty works at once", async () => {
    const { vault } = vaultWith({});
    await add(vault, "first.md");
    expect((await vault.index.paths()).answer).toEqual(["first.md"]);
  });

  it("of which the index of an earlier release knows notes is missed, too", async () => {
    const test = await known("index");
    const cache = join(test.folder, "..", "cache");
    for (const name of readdirSync(cache)) renameSync(join(cache, name), join(cache, name.replace(/v[\d.]+-/, "v1-")));
    test.drive.unmount();
    expect(() => test.reopen()).toThrow(MISSING);
  });

  it("that hides something is missed by what may be seen, and its index is not emptied", async () => {
    const access = accessRules({ hide: ["Topic 1/"], protect: [] });
    const test = vaultWith(notes(40), { access });
    await test.vault.index.refresh();
    await test.vault.close();
    const drive = driveOf(test);
    drive.unmount();
    expect(() => test.reopen()).toThrow(MISSING);
    drive.mount();
    expect((await test.reopen().index.paths()).answer).toHaveLength(27);
  });

  it("whose notes were all deleted or moved by our tools stays open", async () => {
    for (const way of ["deleted", "moved", "folder"]) {
      const test = vaultWith(way === "folder" ? { "A/a.md": "a", "A/b.md": "b", "A/c.md": "c" } : notes(4));
      await test.vault.index.refresh();
      const paths = Object.keys(test.files());
      if (way === "folder") await moveFolder(test.vault, AUTHOR, { path: "A", newPath: "B/C" });
      else if (way === "deleted") for (const path of paths) await deleteNote(test.vault, AUTHOR, path);
      else await moveFolder(test.vault, AUTHOR, { path: "Topic 0", newPath: "Else" });
      await test.vault.close();
      // The index may be late, as after a killed process.
      const vault = test.reopen();
      await add(vault, "new.md");
      await vault.journal.undo();
      await vault.close();
      expect(await add(test.reopen(), "again.md")).toMatchObject({ path: "again.md" });
    }
  });

  it("stays open if the index did not see that our tools emptied it", async () => {
    const test = vaultWith(notes(5));
    await test.vault.index.refresh();
    await test.vault.close();
    const cache = join(test.folder, "..", "cache");
    cpSync(cache, `${cache} before`, { recursive: true });
    const emptying = test.reopen();
    for (const path of Object.keys(test.files())) await deleteNote(emptying, AUTHOR, path);
    await emptying.close();
    rmSync(cache, { recursive: true });
    renameSync(`${cache} before`, cache);
    expect(await add(test.reopen(), "new.md")).toMatchObject({ path: "new.md" });
  });

  it.each<[string, (folder: string) => void]>([
    [
      "moved into a folder",
      (folder) => {
        mkdirSync(join(folder, "All"));
        for (const name of readdirSync(folder).filter((each) => each !== "All"))
          renameSync(join(folder, name), join(folder, "All", name));
      },
    ],
    [
      "restored with other times",
      (folder) => {
        for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
          utimesSync(join(folder, path), 1, 1);
      },
    ],
    [
      "deleted but for a few",
      (folder) => {
        for (const name of ["Topic 0", "Topic 1"]) rmSync(join(folder, name), { recursive: true });
      },
    ],
    [
      "made on another device",
      (folder) => {
        cpSync(folder, `${folder} copy`, { recursive: true, preserveTimestamps: true });
        rmSync(folder, { recursive: true });
        renameSync(`${folder} copy`, folder);
      },
    ],
  ])("whose notes another program has %s stays open", async (_, change) => {
    const test = await known("index");
    change(test.folder);
    expect(await add(test.reopen(), "new.md")).toMatchObject({ path: "new.md" });
  });

  it("of one note stays open if another program gave that another name", async () => {
    const test = vaultWith({ "a.md": "a" });
    await test.vault.index.refresh();
    await test.vault.close();
    rmSync(join(test.folder, "a.md"));
    writeFileSync(join(test.folder, "b.md"), "another text");
    expect(await add(test.reopen(), "new.md")).toMatchObject({ path: "new.md" });
  });

  it("that is embedded is not asked about: it is beside its journal", async () => {
    const test = await known("both");
    test.drive.unmount();
    const home = join(test.folder, "..");
    const opening = { folder: test.folder, journals: join(home, "journal"), cache: join(home, "cache"), log: () => {} };
    await openVault({ ...opening, isEmbedded: true }).close();
    expect(existsSync(test.folder)).toBe(true);
  });
});
