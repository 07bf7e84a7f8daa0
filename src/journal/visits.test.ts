// Saves of a person's visit to a note: one entry, however many they are, and never
// what an undo without an id takes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { change, create, rename, replace } from "../../test/fixtures/journal-steps.ts";
import type { Written } from "./journal.ts";

const ABOUT = { tool: "contentManager_replaceContent", by: { asker: "person" } } as const;
const read = (vault: TemporaryVault, path = "a.md") => readFileSync(join(vault.folder, path), "utf8");

/** A save of a visit; `visit` is the entry of the save before, empty for the first. */
async function save(vault: TemporaryVault, before: string, after: string, visit = "", path = "a.md"): Promise<Written> {
  const plan = () => ({ message: `Edited ${path}`, steps: [replace(path, before, after)] });
  return (await vault.journal.change({ ...ABOUT, visit }, plan))!;
}

const listed = async ({ journal }: TemporaryVault) => (await journal.history()).entries.map(({ message }) => message);

describe("a visit to a note", () => {
  test("is one entry after 30 saves, which undo and redo take as a whole", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "begin\nmiddle\nend\n");
    await change(vault.journal, create("theirs.md", "1"));
    let [text, visit] = ["begin\nmiddle\nend\n", ""];
    for (let i = 0; i < 30; i++) {
      const next = i % 2 === 0 ? `${i} ${text}` : `${text}${i}\n`;
      visit = (await save(vault, text, next, visit)).id;
      text = next;
    }
    expect(await listed(vault)).toEqual(["Edited a.md", "A change"]);
    expect(await vault.journal.changes(visit)).toMatchObject({
      files: [{ kind: "changed", path: "a.md", before: "begin\nmiddle\nend\n", after: text }],
    });
    await vault.journal.close();
    const later = vault.another();
    await later.undo({ id: visit });
    expect(read(vault)).toBe("begin\nmiddle\nend\n");
    await later.redo({ id: visit });
    expect(read(vault)).toBe(text);
  });

  test("is left alone by an undo without an id, of this process and of another", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    const theirs = await change(vault.journal, create("theirs.md", "1"));
    await save(vault, "a", "b");
    expect(await vault.another().undo()).toMatchObject({ id: theirs.id });
    await vault.journal.redo();
    expect(await vault.journal.undo()).toMatchObject({ id: theirs.id });
    expect(read(vault)).toBe("b");
    await expect(vault.journal.undo()).rejects.toThrow("There is nothing to undo");
  });

  test("begins again where something else changed the note, moved it, or took the last save back", async () => {
    const vault = temporaryVault();
    vault.write("a.md", "a");
    vault.write("c.md", "c");
    let visit = (await save(vault, "a", "b")).id;
    await change(vault.journal, replace("a.md", "b", "theirs"));
    await change(vault.journal, replace("a.md", "theirs", "b"));
    visit = (await save(vault, "b", "c", visit)).id;
    expect(await listed(vault)).toHaveLength(4);
    await change(vault.journal, rename("a.md", "d.md"));
    await change(vault.journal, rename("d.md", "a.md"));
    const moved = (await save(vault, "c", "d", visit)).id;
    expect(await listed(vault)).toHaveLength(7);
    await vault.journal.undo({ id: moved });
    await save(vault, "c", "e", moved);
    // An entry that is no visit is never added to, nor that of another note.
    const theirs = await change(vault.journal, replace("c.md", "c", "1"));
    const other = await save(vault, "1", "2", theirs.id, "c.md");
    await save(vault, "e", "f", other.id);
    const entries = await listed(vault);
    expect(entries).toHaveLength(12);
    // Each of them can still be taken back, to the beginning.
    for (const { id, undone, tool } of (await vault.journal.history()).entries)
      if (!undone && tool !== "undo") await vault.journal.undo({ id });
    expect([read(vault), read(vault, "c.md")]).toEqual(["a", "c"]);
  });
});
