// Names that Windows takes for another thing are made on no system; what has
// one already can be worked with.
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { append, create } from "./note-changes.ts";
import { editNote } from "./note-editor.ts";
import { createFolder, deleteNote, duplicateNote } from "../folders.ts";
import { moveFolder, moveNote } from "./note-mover.ts";

const author = { tool: "test" };
const NAMES = ["CON", "nul.md", "a/COM1.txt", "LPT9/x.md", "name./x.md", "folder /x.md", "12:30.md", "a/c:x.md"];
const FOLDERS = ["CON", "a/aux", "b.", "b /c", "x:y"];

describe("a link", () => {
  it.each([
    ["[[Plan]]", "Plan"],
    ["[[Deep/Plan|the plan]]", "Deep/Plan"],
    ["Folder/[[Plan#Goals]]", "Plan"],
    ["![[Plan]].md", "Plan"],
  ])("is no name of a new note: %s", async (sent, meant) => {
    const { vault, files } = vaultWith({ "note.md": "text" });
    const refusal = { code: "invalid", message: `Invalid path: ${sent}`, hint: `A link is no path: send "${meant}".` };
    await expect(editNote(vault, author, { filePath: sent, change: create("text") })).rejects.toMatchObject(refusal);
    const moving = moveNote(vault, author, { path: "note.md", newPath: sent, overwrite: false });
    await expect(moving).rejects.toMatchObject(refusal);
    expect(files()).toEqual({ "note.md": "text" });
  });

  it("that is the name of a file already can be worked with, and brackets elsewhere are letters", async () => {
    const { vault, files } = vaultWith({ "[[Plan]].md": "old" });
    await editNote(vault, author, { filePath: "[[Plan]]", change: append("new") });
    await editNote(vault, author, { filePath: "a [[b]] c", change: create("d") });
    expect(files()).toEqual({ "[[Plan]].md": "old\nnew", "a [[b]] c.md": "d" });
  });
});

describe.skipIf(process.platform === "win32")("a name that Windows reserves", () => {
  it.each(NAMES)("is refused as the name of a new note, and repeated as sent: %j", async (sent) => {
    const { vault, files } = vaultWith({ "note.md": "text", "folder/x.md": "" });
    const refusal = { code: "invalid", message: `Invalid path: ${sent}` };
    const creating = editNote(vault, author, { filePath: sent, change: create("text") });
    await expect(creating).rejects.toMatchObject(refusal);
    const moving = moveNote(vault, author, { path: "note.md", newPath: sent, overwrite: true });
    await expect(moving).rejects.toMatchObject(refusal);
    const copying = { sourcePath: "note.md", targetPath: sent, overwrite: true, autoIncrement: true };
    await expect(duplicateNote(vault, author, copying)).rejects.toMatchObject(refusal);
    expect(files()).toEqual({ "note.md": "text", "folder/x.md": "" });
  });

  it.each([
    ["Notes/a: b.md", 'A new name has no colon: send "Notes/a - b.md".'],
    ["12:30", 'A new name has no colon: send "12 - 30.md".'],
    ["name./x.md", 'A new name does not end in a dot or a space: send "name/x.md".'],
    ["a/COM1.txt", 'Windows reserves this name: send "a/COM1_.txt".'],
  ])("is refused with a name that can be sent instead: %j", async (sent, hint) => {
    const { vault } = vaultWith({});
    const creating = editNote(vault, author, { filePath: sent, change: create("text") });
    await expect(creating).rejects.toMatchObject({ message: `Invalid path: ${sent}`, hint });
    const meant = JSON.parse(hint.slice(hint.indexOf('"'), -1)) as string;
    await editNote(vault, author, { filePath: meant, change: create("text") });
  });

  it.each(FOLDERS)("is refused as the name of a new folder, and repeated as sent: %j", async (sent) => {
    const { vault, files } = vaultWith({ "folder/x.md": "" });
    const refusal = { code: "invalid", message: `Invalid path: ${sent}` };
    await expect(createFolder(vault, author, sent)).rejects.toMatchObject(refusal);
    await expect(moveFolder(vault, author, { path: "folder", newPath: sent })).rejects.toMatchObject(refusal);
    expect(files()).toEqual({ "folder/x.md": "" });
  });

  it("that exists already is accepted: its file is read, changed, moved, deleted and restored", async () => {
    const { vault, files } = vaultWith({ "CON.md": "old", "12:30/aux.md": "b", "12:30/c.md": "c" });
    await editNote(vault, author, { filePath: "CON.md", change: append("new") });
    expect(files()["CON.md"]).toBe("old\nnew");
    await editNote(vault, author, { filePath: "12:30/new.md", change: create("n") });
    await moveNote(vault, author, { path: "CON.md", newPath: "fine.md", overwrite: false });
    await vault.journal.undo();
    await deleteNote(vault, author, "CON.md");
    await vault.journal.undo();
    expect(files()["CON.md"]).toBe("old\nnew");
    await moveFolder(vault, author, { path: "12:30", newPath: "noon" });
    expect(Object.keys(files()).toSorted()).toEqual(["CON.md", "noon/aux.md", "noon/c.md", "noon/new.md"]);
    await vault.journal.undo();
    expect(Object.keys(files()).toSorted()).toEqual(["12:30/aux.md", "12:30/c.md", "12:30/new.md", "CON.md"]);
  });
});
