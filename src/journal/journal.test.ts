import { existsSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { contentHash } from "../files/disk/atomic.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import type { Journal } from "./journal.ts";
import type { Step } from "./plan/step.ts";

/** What another program does while this one waits for the disk, after its plan and before its first change. */
const interruption = vi.hoisted(() => ({ happens: () => {} }));
vi.mock("../files/disk/sync.ts", async (original) => {
  type Sync = (file: number) => Promise<void>;
  const real = await original<Record<"sync" | "syncBeside" | "syncTogether", Sync>>();
  const disturbed = (syncing: Sync) => (file: number) => {
    const { happens } = interruption;
    interruption.happens = () => {};
    happens();
    return syncing(file);
  };
  return { ...real, sync: disturbed(real.sync), syncTogether: disturbed(real.syncTogether) };
});

const at = parseVaultPath;
const create = (path: string, text: string): Step => ({ kind: "create", path: at(path), bytes: Buffer.from(text) });
const rename = (path: string, to: string): Step => ({ kind: "rename", path: at(path), to: at(to) });
const remove = (path: string): Step => ({ kind: "remove", path: at(path) });
const folder = (path: string): Step => ({ kind: "folder", path: at(path) });
const replace = (path: string, before: string, text: string): Step => ({
  kind: "replace",
  path: at(path),
  before: contentHash(Buffer.from(before)),
  bytes: Buffer.from(text),
});

async function change(journal: Journal, ...steps: Step[]) {
  return (await journal.change({ tool: "test" }, () => ({ message: "A change", steps })))!;
}

/** Everything in the vault, the trash left out. */
const everything = ({ folder }: TemporaryVault) => everythingIn(folder);

describe("a change", () => {
  test("creates nothing before it is made, and stores its journal where only its owner can read it", async () => {
    const vault = temporaryVault();
    expect(vault.journal.history()).toEqual({ entries: [] });
    expect(existsSync(vault.journals)).toBe(false);
    await change(vault.journal, create("a.md", "text"));
    const files = readdirSync(vault.journals);
    expect(files.some((name) => /^[0-9a-f]{32}\.db$/.test(name))).toBe(true);
    if (process.platform === "win32") return;
    expect(statSync(vault.journals).mode & 0o777).toBe(0o700);
    for (const name of files) expect(statSync(join(vault.journals, name)).mode & 0o777, name).toBe(0o600);
  });

  test("creates missing folders, and returns what it did", async () => {
    const vault = temporaryVault();
    const written = await change(vault.journal, create("a/b/c.md", "text"), folder("d"));
    expect(written).toEqual({ id: written.id, tool: "test", paths: ["d", "a/b/c.md"], message: "A change" });
    expect(everything(vault)).toEqual({ "a/": "", "a/b/": "", "a/b/c.md": "text", "d/": "" });
  });

  test("is not recorded if nothing differs", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "same");
    vault.write("b/x.md", "");
    expect(await change(vault.journal, replace("a.md", "same", "same"), folder("b"))).toBeUndefined();
    expect(vault.journal.history().entries).toEqual([]);
  });

  test("with an expectation that fails is refused with the current hash, and changes nothing", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "theirs");
    vault.write("b.md", "b");
    await expect(
      change(vault.journal, replace("b.md", "b", "B"), replace("a.md", "mine", "new")),
    ).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(contentHash(Buffer.from("theirs"))),
    });
    await expect(change(vault.journal, replace("b.md", "b", "B"), create("a.md", "x"))).rejects.toThrow(
      "File already exists: a.md",
    );
    await expect(change(vault.journal, rename("a.md", "b.md"))).rejects.toThrow("Cannot overwrite existing file");
    await expect(change(vault.journal, rename("none.md", "c.md"))).rejects.toThrow("File not found: none.md");
    await expect(change(vault.journal, create("a.md/x.md", ""))).rejects.toThrow("a.md");
    await expect(change(vault.journal, folder("f"), rename("f/x", "g"))).rejects.toMatchObject({ code: "not_found" });
    expect(everything(vault)).toEqual({ "a.md": "theirs", "b.md": "b" });
    expect(vault.journal.history().entries).toEqual([]);
  });

  test("that fails half-way is rolled back whole", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    vault.write("dir/b.md", "b");
    vault.write("c.md", "c");
    const before = everything(vault);
    const steps = [replace("a.md", "a", "A"), rename("dir", "moved"), remove("c.md"), create("new/d.md", "d")];
    const failing = vault.journal.change({ tool: "test" }, () => {
      // Another program puts a file where ours is to be, after the plan was made.
      interruption.happens = () => vault.write("new/d.md", "foreign");
      return { message: "Fails", steps };
    });
    await expect(failing).rejects.toMatchObject({ code: "conflict" });
    expect(everything(vault)).toEqual({ ...before, "new/": "", "new/d.md": "foreign" });
    expect(vault.journal.history().entries).toEqual([]);
    expect(everythingIn(vault.folder, { withTrash: true })).not.toHaveProperty([".trash/c.md"]);
  });

  test("does not overwrite what another program wrote after the plan", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    const writing = vault.journal.change({ tool: "test" }, () => {
      interruption.happens = () => vault.write("a.md", "edited in Obsidian");
      return { message: "Late", steps: [replace("a.md", "a", "ours")] };
    });
    await expect(writing).rejects.toMatchObject({ code: "conflict" });
    expect(everything(vault)).toEqual({ "a.md": "edited in Obsidian" });
  });

  test("onto an existing note puts that one into the trash first", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    vault.write("b.md", "b");
    await change(vault.journal, remove("b.md"), rename("a.md", "b.md"));
    expect(everythingIn(vault.folder, { withTrash: true })).toMatchObject({ "b.md": "a", ".trash/b.md": "b" });
    await vault.journal.undo();
    expect(everything(vault)).toEqual({ "a.md": "a", "b.md": "b" });
  });

  test("of a linked note changes the target of the link", async () => {
    const vault = temporaryVault();
    vault.write("real/a.md", "a");
    symlinkSync("real/a.md", join(vault.folder, "link.md"));
    await change(vault.journal, replace("link.md", "a", "b"));
    expect(vault.text("real/a.md")).toBe("b");
    expect(vault.root.locate(at("link.md")).target).toBe("real/a.md");
  });

  test("through a link that leads out is refused", async () => {
    const vault = temporaryVault();
    symlinkSync(vault.home, join(vault.folder, "out"));
    vault.write("a.md", "a");
    for (const step of [create("out/x.md", ""), rename("a.md", "out/a.md"), folder("out/new"), remove("out/vault")])
      await expect(change(vault.journal, step)).rejects.toMatchObject({ code: "denied" });
    symlinkSync(vault.home, join(vault.folder, ".trash"));
    await expect(change(vault.journal, remove("a.md"))).rejects.toMatchObject({ code: "denied" });
    expect(readdirSync(vault.home).sort()).toEqual(["data", "vault"]);
  });

  test("that is aborted while it waits does not happen", async () => {
    const vault = temporaryVault();
    const giveUp = new AbortController();
    const first = vault.journal.change({ tool: "test" }, async () => {
      giveUp.abort(new Error("given up"));
      return { message: "First", steps: [create("a.md", "a")] };
    });
    const second = vault.journal.change({ tool: "test", signal: giveUp.signal }, () => ({
      message: "Second",
      steps: [create("b.md", "b")],
    }));
    await expect(second).rejects.toThrow("given up");
    await first;
    expect(everything(vault)).toEqual({ "a.md": "a" });
  });

  test("waits for a writer, and no longer than the limit", async () => {
    const vault = temporaryVault();
    const other = vault.another({ wait: 100 });
    const hold = Promise.withResolvers<void>();
    const first = vault.journal.change({ tool: "test" }, async () => {
      await hold.promise;
      return { message: "", steps: [] };
    });
    await expect(change(other, create("a.md", ""))).rejects.toMatchObject({ code: "timeout" });
    hold.resolve();
    await first;
    await change(other, create("a.md", ""));
    expect(everything(vault)).toEqual({ "a.md": "" });
  });

  test("of a vault that is gone is refused, and creates nothing", async () => {
    const vault = temporaryVault();
    renameSync(vault.folder, `${vault.folder}-renamed`);
    await expect(change(vault.journal, create("a.md", ""))).rejects.toThrow("The vault folder is missing");
    expect(existsSync(vault.folder)).toBe(false);
  });
});

describe("names", () => {
  test("with emoji, 255 bytes, or a dot or space at the end can be created, changed, removed twice and restored", async () => {
    const vault = temporaryVault();
    for (const name of ["🗂️ Ideen 👩‍👩‍👧.md", `${"ü".repeat(126)}.md`, "x".repeat(255), "dots...", "space "]) {
      for (const round of ["first", "second"]) {
        await change(vault.journal, create(name, round));
        await change(vault.journal, replace(name, round, `${round} changed`));
        await change(vault.journal, remove(name));
      }
      expect(everything(vault)).toEqual({});
      for (let step = 0; step < 6; step++) await vault.journal.undo();
      for (let step = 0; step < 6; step++) await vault.journal.redo();
      for (let step = 0; step < 2; step++) await vault.journal.undo();
      expect(everything(vault)).toEqual({ [name]: "second" });
      await change(vault.journal, remove(name));
    }
  });

  test("a note is changed under another composition of its name, and keeps its own name", async () => {
    const vault = temporaryVault();
    vault.write("Cafe\u0301.md", "a");
    await change(vault.journal, replace("Café.md", "a", "b"));
    await expect(change(vault.journal, create("Café.md", ""))).rejects.toThrow("File already exists");
    expect(everything(vault)).toEqual({ "Cafe\u0301.md": "b" });
    await change(vault.journal, rename("Cafe\u0301.md", "Café.md"));
    expect(everything(vault)).toEqual({ "Café.md": "b" });
    await vault.journal.undo();
    expect(everything(vault)).toEqual({ "Cafe\u0301.md": "b" });
  });

  test("a rename that only changes case is allowed on a disk that ignores case", async () => {
    const vault = temporaryVault({ ignoresCase: true });
    vault.write("notes/a.md", "a");
    await change(vault.journal, rename("notes/a.md", "notes/A.md"));
    await change(vault.journal, rename("notes", "Notes"));
    expect(everything(vault)).toEqual({ "Notes/": "", "Notes/A.md": "a" });
    await expect(change(vault.journal, create("nOtes/a.MD", ""))).rejects.toThrow("File already exists");
    await vault.journal.undo();
    await vault.journal.undo();
    expect(everything(vault)).toEqual({ "notes/": "", "notes/a.md": "a" });
  });
});

describe("undo", () => {
  test("reverses one operation on many files at once, in any process, and redo restores it", async () => {
    const vault = temporaryVault();
    vault.write("p/a.md", "see [[b]]");
    vault.write("q/b.md", "b");
    for (let index = 0; index < 100; index++) vault.write(`many/${index}.md`, `link ${index}`);
    const before = everything(vault);
    const steps = Array.from({ length: 100 }, (_, index) =>
      replace(`many/${index}.md`, `link ${index}`, `new ${index}`),
    );
    const written = await change(
      vault.journal,
      ...steps,
      replace("p/a.md", "see [[b]]", "see [[x/b]]"),
      rename("p", "deep/er/p"),
      create("q/new.md", "new"),
      remove("q/b.md"),
    );
    const after = everything(vault);
    expect(after["deep/er/p/a.md"]).toBe("see [[x/b]]");
    await vault.journal.close();
    const later = vault.another();
    expect(await later.undo()).toMatchObject({ id: written.id, tool: "test", message: "Undid: A change" });
    expect(everything(vault)).toEqual(before);
    expect(await vault.another().redo()).toMatchObject({ id: written.id });
    expect(everything(vault)).toEqual(after);
    await later.undo({ id: written.id });
    expect(everything(vault)).toEqual(before);
  });

  test("takes this process's own changes first, then those of all processes", async () => {
    const vault = temporaryVault();
    const other = vault.another();
    await change(vault.journal, create("first.md", "1"));
    await change(vault.journal, create("second.md", "2"));
    await change(other, create("theirs.md", "3"));
    await vault.journal.undo();
    expect(Object.keys(everything(vault))).toEqual(["first.md", "theirs.md"]);
    await vault.journal.undo();
    expect(Object.keys(everything(vault))).toEqual(["theirs.md"]);
    await vault.journal.undo();
    expect(everything(vault)).toEqual({});
    await expect(vault.journal.undo()).rejects.toThrow("There is nothing to undo");
    for (let step = 0; step < 3; step++) await vault.journal.redo();
    expect(everything(vault)).toEqual({ "first.md": "1", "second.md": "2", "theirs.md": "3" });
    await expect(other.redo()).rejects.toThrow("There is nothing to redo");
  });

  test("is refused, with the reason, if a file was changed since", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    vault.write("m.md", "m");
    const changed = await change(vault.journal, replace("a.md", "a", "b"));
    const created = await change(vault.journal, create("c.md", "c"));
    const moved = await change(vault.journal, rename("m.md", "n.md"));
    const made = await change(vault.journal, folder("f"));
    const removed = await change(vault.journal, remove("c.md"));
    vault.write("a.md", "edited");
    vault.write("f/x.md", "x");
    vault.write("m.md", "another");
    vault.write("c.md", "another");
    for (const [entry, reason] of [
      [changed, "a.md was changed since"],
      [created, "c.md was changed since"],
      [moved, "there is something else at m.md now"],
      [made, "the folder f is not empty"],
      [removed, "there is something else at c.md now"],
    ] as const)
      await expect(vault.journal.undo({ id: entry.id })).rejects.toMatchObject({
        code: "conflict",
        message: `This no longer fits: ${reason}.`,
      });
    rmSync(join(vault.folder, "n.md"));
    await expect(vault.journal.undo({ id: moved.id })).rejects.toThrow("n.md is gone");
    rmSync(join(vault.folder, "m.md"));
    writeFileSync(join(vault.folder, "n.md"), "edited");
    await expect(vault.journal.undo({ id: moved.id })).rejects.toThrow("n.md was changed since");
    expect(vault.journal.history().entries.every(({ undone }) => !undone)).toBe(true);
  });

  test("of an undone entry, redo of one that is not undone, and unknown entries are refused", async () => {
    const vault = temporaryVault();
    const { id } = await change(vault.journal, create("a.md", "a"));
    await expect(vault.journal.redo({ id })).rejects.toThrow("is not undone");
    await vault.journal.undo({ id });
    await expect(vault.journal.undo({ id })).rejects.toThrow("is already undone");
    for (const unknown of ["", "nonsense", "000000-abc", `${id}0`])
      await expect(vault.journal.undo({ id: unknown })).rejects.toMatchObject({ code: "not_found" });
  });

  test("leaves an implied folder only if something else is in it now", async () => {
    const vault = temporaryVault();
    const { id } = await change(vault.journal, create("a/b.md", "b"));
    vault.write("a/other.md", "other");
    await vault.journal.undo({ id });
    expect(everything(vault)).toEqual({ "a/": "", "a/other.md": "other" });
    await vault.journal.redo({ id });
    expect(everything(vault)).toEqual({ "a/": "", "a/b.md": "b", "a/other.md": "other" });
  });
});

test("redo finds another name in the trash if the old one was taken since", async () => {
  const vault = temporaryVault();
  vault.write("a/x.md", "first");
  vault.write("b/x.md", "second");
  const { id } = await change(vault.journal, remove("a/x.md"));
  await vault.journal.undo({ id });
  await change(vault.journal, remove("b/x.md"));
  await vault.journal.redo({ id });
  const all = everythingIn(vault.folder, { withTrash: true });
  expect(all).toMatchObject({ ".trash/x.md": "second", ".trash/x 2.md": "first" });
  await vault.journal.undo({ id });
  expect(vault.text("a/x.md")).toBe("first");
});

describe("history", () => {
  test("lists newest first, in pages, and marks what was undone", async () => {
    const vault = temporaryVault();
    for (const name of ["a", "b", "c"]) await change(vault.journal, create(`${name}.md`, name));
    await vault.journal.undo();
    const first = vault.another().history({ limit: 2 });
    expect(first.entries.map(({ tool, paths, undone }) => [tool, paths, undone])).toEqual([
      ["undo", ["c.md"], false],
      ["test", ["c.md"], true],
    ]);
    expect(Date.now() - first.entries[0]!.time).toBeLessThan(60_000);
    const second = vault.journal.history({ limit: 2, cursor: first.nextCursor! });
    expect(second.entries.map(({ paths }) => paths)).toEqual([["b.md"], ["a.md"]]);
    expect(second.nextCursor).toBeUndefined();
  });

  test("is trimmed by age and bytes, oldest first", async () => {
    const vault = temporaryVault({ retention: { milliseconds: 1e12, bytes: 400_000 } });
    let text = "start";
    vault.write("a.md", text);
    for (let round = 0; round < 120; round++) {
      const next = String.fromCodePoint(97 + (round % 26)).repeat(20_000) + round;
      await change(vault.journal, replace("a.md", text, next));
      text = next;
    }
    const { entries } = vault.journal.history({ limit: 1000 });
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.length).toBeLessThan(80);
    await vault.journal.undo();
    const old = vault.another({ retention: { milliseconds: -1000, bytes: 1e9 } });
    await change(old, create("new.md", ""));
    expect(vault.journal.history().entries).toHaveLength(1);
  });

  test("can be purged, and numbers are not reused", async () => {
    const vault = temporaryVault();
    expect(await vault.journal.purge()).toBe(0);
    vault.write("a.md", "a secret sentence");
    const { id } = await change(vault.journal, replace("a.md", "a secret sentence", ""));
    expect(await vault.journal.purge()).toBe(1);
    const kept = Object.values(everythingIn(vault.journals)).join("");
    expect(kept).not.toContain("secret");
    expect((await change(vault.journal, create("b.md", ""))).id > id).toBe(true);
  });
});
