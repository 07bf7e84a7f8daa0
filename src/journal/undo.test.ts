// Undo, redo and history of a journal.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { change, create, folder, remove, rename, replace } from "../../test/fixtures/journal-steps.ts";

/** Everything in the vault, the trash left out. */
const everything = ({ folder: vault }: TemporaryVault) => everythingIn(vault);

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
    // The problem names the later change of this program, so that it can be undone first.
    await expect(vault.journal.undo({ id: created.id })).rejects.toMatchObject({
      hint: `Nothing was changed. A later change stands in the way: undo ${removed.id} first (${removed.message}).`,
    });
    await expect(vault.journal.undo({ id: changed.id })).rejects.toMatchObject({
      hint: expect.stringMatching(/^It was not changed through this program\. Nothing was changed\./),
    });
    rmSync(join(vault.folder, "n.md"));
    await expect(vault.journal.undo({ id: moved.id })).rejects.toThrow("n.md is gone");
    rmSync(join(vault.folder, "m.md"));
    writeFileSync(join(vault.folder, "n.md"), "edited");
    await expect(vault.journal.undo({ id: moved.id })).rejects.toThrow("n.md was changed since");
    expect((await vault.journal.history()).entries.every(({ undone }) => !undone)).toBe(true);
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
    const began = Date.now();
    const vault = temporaryVault();
    for (const name of ["a", "b", "c"]) await change(vault.journal, create(`${name}.md`, name));
    await vault.journal.undo();
    const first = await vault.another().history({ limit: 2 });
    expect(first.entries.map(({ tool, paths, undone }) => [tool, paths, undone])).toEqual([
      ["undo", ["c.md"], false],
      ["test", ["c.md"], true],
    ]);
    expect(first.entries[0]!.time).toBeGreaterThanOrEqual(began);
    const second = await vault.journal.history({ limit: 2, cursor: first.nextCursor! });
    expect(second.entries.map(({ paths }) => paths)).toEqual([["b.md"], ["a.md"]]);
    expect(second.nextCursor).toBeUndefined();
  });

  test("is trimmed by bytes, oldest first", async () => {
    const vault = temporaryVault({
      retention: { milliseconds: 1e12, bytes: 400_000, atLeast: { entries: 0, bytes: 0 } },
    });
    let text = "start";
    vault.write("a.md", text);
    for (let round = 0; round < 120; round++) {
      const next = String.fromCodePoint(97 + (round % 26)).repeat(20_000) + round;
      await change(vault.journal, replace("a.md", text, next));
      text = next;
    }
    const { entries } = await vault.journal.history({ limit: 1000 });
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.length).toBeLessThan(80);
    await vault.journal.undo();
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
