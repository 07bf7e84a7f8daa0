// The error for a note that is not there: the contract's sentence, and what
// may have been meant.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { append, replace } from "../edits/note-changes.ts";
import { editNote } from "../edits/note-editor.ts";
import { deleteNote } from "../folders.ts";
import { missingNote } from "./missing-note.ts";
import { moveNote } from "../edits/note-mover.ts";
import { readNote } from "./note-reader.ts";

const author = { tool: "test" };
const SEARCH = expect.stringMatching(
  /^No note has that path, or a name like it\. To look for its words: search \{"query":"[^"]+","kinds":\["note"\]\}$/,
);
const FILES = {
  "Garden/Garden year.md": "",
  "Garden/Compost.md": "",
  "Work/Plan.md": "",
  "Home/Plan.md": "",
  "a.png": "",
  "Industrial School.md": "",
  "Home.md": "",
};

describe("a note that is not there", () => {
  it.each([
    ["Garden/Gardn year", "Did you mean 'Garden/Garden year.md'?"],
    ["Garden/compost.MD", "Did you mean 'Garden/Compost.md'?"],
    ["Plan", "Did you mean 'Home/Plan.md' or 'Work/Plan.md'?"],
    ["Old/Garden year.md", "Did you mean 'Garden/Garden year.md'?"],
    ["Garden year 2024", "Did you mean 'Garden/Garden year.md'?"],
    ["Garden/Nothing like it", SEARCH],
    ["Projects/Trial", SEARCH],
    ["Nope", SEARCH],
    ["A", "Did you mean 'a.png'?"],
    ["Garden", 'There is a folder of that name: vaultManager_listDirectory {"path":"Garden"}'],
  ])("%s: %s", async (sent, hint) => {
    const { vault } = vaultWith(FILES);
    await vault.index.refresh();
    expect(await missingNote(vault, sent)).toMatchObject({
      code: "not_found",
      message: `File not found: ${sent}`,
      hint,
    });
  });

  it("is searched for in its own folder if there is no index", async () => {
    const { vault } = vaultWith(FILES);
    expect((await missingNote(vault, "Garden/Compst")).hint).toBe("Did you mean 'Garden/Compost.md'?");
    expect((await missingNote(vault, "Compost")).hint).toEqual(SEARCH);
  });

  it("is not compared with one that is gone, or that a link leads to outside", async () => {
    const { vault, folder } = vaultWith(FILES);
    await vault.index.refresh();
    rmSync(join(folder, "Garden/Compost.md"));
    expect((await missingNote(vault, "Compost")).hint).toEqual(SEARCH);
    const outside = join(dirname(folder), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.md"), "");
    symlinkSync(outside, join(folder, "out"));
    expect((await missingNote(vault, "out/secrt")).hint).toEqual(SEARCH);
  });

  it("is offered to be created to those who add text to it, if nothing like it is there", async () => {
    const { vault } = vaultWith(FILES);
    const edit = { filePath: "Projects/Trial", change: append("x") };
    await expect(editNote(vault, author, edit)).rejects.toMatchObject({
      message: "File not found: Projects/Trial",
      hint: 'No note has that path, or a name like it. To create it: contentManager_createContent {"filePath":"Projects/Trial"}. To look for its words: search {"query":"Trial","kinds":["note"]}',
    });
    const replacing = { filePath: "Projects/Trial", change: replace("a", "b", 1) };
    await expect(editNote(vault, author, replacing)).rejects.toMatchObject({ hint: SEARCH });
  });

  it("is reported in the words of the contract by reading, editing and deleting", async () => {
    const { vault } = vaultWith(FILES);
    const hint = "Did you mean 'Garden/Compost.md'?";
    const expected = { message: "File not found: Garden/Compos", hint };
    const sent = "Garden/Compos";
    await expect((async () => readNote(vault, sent))()).rejects.toMatchObject(expected);
    await expect(editNote(vault, author, { filePath: sent, change: append("x") })).rejects.toMatchObject(expected);
    await expect(deleteNote(vault, author, sent)).rejects.toMatchObject(expected);
    await expect(moveNote(vault, author, { path: sent, newPath: "b.md", overwrite: false })).rejects.toMatchObject({
      message: "Note not found at path: Garden/Compos",
      hint,
    });
  });
});
