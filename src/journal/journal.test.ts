import { existsSync, readdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { change, create, folder, remove, rename, replace } from "../../test/fixtures/journal-steps.ts";
import { contentHash } from "../files/disk/atomic.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";

/** Stands for another program, while this one waits for the disk after its plan and before its first change. */
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

/** Everything in the vault, the trash left out. */
const everything = ({ folder: vault }: TemporaryVault) => everythingIn(vault);

describe("a change", () => {
  test("creates nothing before it is made, and stores its journal where only its owner can read it", async () => {
    const vault = temporaryVault();
    expect(await vault.journal.history()).toEqual({ entries: [] });
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
    expect((await vault.journal.history()).entries).toEqual([]);
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
    expect((await vault.journal.history()).entries).toEqual([]);
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
    await expect(failing).rejects.toMatchObject({ code: "exists" });
    expect(everything(vault)).toEqual({ ...before, "new/": "", "new/d.md": "foreign" });
    expect((await vault.journal.history()).entries).toEqual([]);
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
    expect(vault.root.locate(parseVaultPath("link.md")).target).toBe("real/a.md");
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

  test("a new note keeps its spelling where one of another case is moved away in the same change", async () => {
    const vault = temporaryVault({ ignoresCase: true });
    vault.write("notes/plan.md", "old");
    await change(vault.journal, rename("notes/plan.md", "old plan.md"), create("notes/PLAN.md", "new"));
    expect(everything(vault)).toEqual({ "notes/": "", "notes/PLAN.md": "new", "old plan.md": "old" });
    await vault.journal.undo();
    expect(everything(vault)).toEqual({ "notes/": "", "notes/plan.md": "old" });
  });
});
