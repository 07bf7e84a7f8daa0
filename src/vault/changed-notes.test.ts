// Notes counted by when they changed, on real files with times of their own.
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith, type TestVault } from "../../test/fixtures/vaults.ts";
import { changedNotes } from "./changed-notes.ts";
import { append, create } from "./edits/note-changes.ts";
import { editNote } from "./edits/note-editor.ts";

const author = { tool: "test" };
const NOW = Date.now();
const HOUR = 60 * 60 * 1000;
/** The last three hours, and one to come. */
const TIMES = [NOW - 3 * HOUR, NOW - 2 * HOUR, NOW - HOUR, NOW + HOUR];

function changeAt({ folder }: TestVault, path: string, time: number): void {
  utimesSync(join(folder, path), time / 1000, time / 1000);
}

async function countsOf({ vault }: TestVault): Promise<readonly number[]> {
  return (await changedNotes(vault, TIMES)).counts;
}

describe("notes that changed", () => {
  it("are counted from each time to the next, without files that are not notes", async () => {
    const vault = vaultWith({ "a.md": "", "b.md": "", "c/d.md": "", "old.md": "", "x.canvas": "{}", "p.png": "" });
    changeAt(vault, "a.md", TIMES[0]!);
    changeAt(vault, "b.md", TIMES[1]! - 1);
    changeAt(vault, "c/d.md", TIMES[1]!);
    changeAt(vault, "old.md", TIMES[0]! - 1);
    expect(await countsOf(vault)).toEqual([2, 1, 0]);
  });

  it("are counted once, whether the file's time or the journal has the change", async () => {
    const vault = vaultWith({ "a.md": "one" });
    await editNote(vault.vault, author, { filePath: "a.md", change: append("two") });
    await editNote(vault.vault, author, { filePath: "a.md", change: append("three") });
    await editNote(vault.vault, author, { filePath: "new.md", change: create("") });
    expect(await countsOf(vault)).toEqual([0, 0, 2]);
  });

  it("are remembered by the journal when the file has another time, or is gone", async () => {
    const vault = vaultWith({ "a.md": "one" });
    await editNote(vault.vault, author, { filePath: "a.md", change: append("two") });
    changeAt(vault, "a.md", TIMES[0]!);
    await editNote(vault.vault, author, { filePath: "passing.md", change: create("") });
    await vault.vault.journal.undo();
    expect(await countsOf(vault)).toEqual([1, 0, 2]);
  });

  it("cannot be counted between times that are out of order", async () => {
    const { vault } = vaultWith({});
    await expect(changedNotes(vault, [2, 1])).rejects.toThrow("times must be in their order");
    expect((await changedNotes(vault, [])).counts).toEqual([]);
  });
});
