import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { createFolder, deleteFolder, deleteNote, duplicateNote, listFolder, previewFolderDeletion } from "./folders.ts";

const author = { tool: "test" };
const LIST = { depth: 1, includeFiles: true, includeFolders: true };

describe("listing a folder", () => {
  const vault = () =>
    vaultWith({
      "a.md": "12345",
      "B/c.md": "",
      "B/D/e.canvas": "{}",
      ".obsidian/app.json": "{}",
      "B/.hidden.md": "x",
      "Café.md": "",
    });

  it("reports sizes, times and counts, and leaves out what is hidden", async () => {
    const { items } = await listFolder(vault().vault, "/", LIST);
    expect(items.map(({ path }) => path)).toEqual(["B", "Café.md", "a.md"]);
    expect(items.find(({ path }) => path === "a.md")).toMatchObject({
      type: "file",
      size: 5,
      modified: expect.any(Number),
      created: expect.any(Number),
    });
    expect(items.find(({ path }) => path === "B")).toMatchObject({ type: "folder", files: 1, folders: 1 });
  });

  it("goes as deep as asked", async () => {
    expect(
      (await listFolder(vault().vault, "", { ...LIST, depth: 9, includeFolders: false })).items.map(({ path }) => path),
    ).toEqual(["B/D/e.canvas", "B/c.md", "Café.md", "a.md"]);
  });

  it.each([
    ["*.canvas", ["B/D/e.canvas"]],
    ["?.md", ["B/c.md", "a.md"]],
    ["CAFÉ", ["Café.md"]],
    ["cafe\u0301", ["Café.md"]],
    ["(x", []],
    ["*a*", ["Café.md", "B/D/e.canvas", "a.md"].toSorted()],
    ["**.md", ["B/c.md", "Café.md", "a.md"]],
    ["*z", []],
  ])("filters by %s", async (filter, paths) => {
    const listed = await listFolder(vault().vault, "", { ...LIST, depth: 9, includeFolders: false, filter });
    expect(listed.items.map(({ path }) => path)).toEqual(paths);
  });

  it("answers a pattern of many stars at once", async () => {
    const { vault: open } = vaultWith({ [`${"a".repeat(240)}.md`]: "" });
    expect((await listFolder(open, "", { ...LIST, filter: `${"*a".repeat(30)}*b` })).items).toEqual([]);
  });

  it("refuses what is not there, and does not follow a link out of the vault", async () => {
    const { vault: open, folder } = vault();
    await expect(listFolder(open, "Nope", LIST)).rejects.toThrow("Folder not found: Nope");
    symlinkSync(join(folder, ".."), join(folder, "out"));
    expect((await listFolder(open, "", { ...LIST, depth: 9 })).items.some(({ path }) => path.startsWith("out"))).toBe(
      false,
    );
    await expect(listFolder(open, "out", LIST)).rejects.toThrow("Invalid path: out");
  });
});

describe("creating a folder", () => {
  it("makes the folders above it, says whether it was there, and can be undone", async () => {
    const { vault, folder } = vaultWith({ "file.md": "" });
    expect(await createFolder(vault, author, "A/B/")).toEqual({ path: "A/B", existed: false });
    expect(await createFolder(vault, author, "A")).toEqual({ path: "A", existed: true });
    await expect(createFolder(vault, author, "file.md")).rejects.toThrow("File already exists: file.md");
    await vault.journal.undo();
    expect(existsSync(join(folder, "A"))).toBe(false);
  });
});

describe("deleting", () => {
  it("moves a note to the trash, where two of one name do not meet, and can be undone", async () => {
    const { vault, folder, files, write } = vaultWith({ "A/n.md": "one" });
    await deleteNote(vault, author, "A/n");
    write("A/n.md", "two");
    await deleteNote(vault, author, "A/n");
    expect(files()).toEqual({});
    expect(
      readdirSync(join(folder, ".trash"), { recursive: true }).filter((name) => String(name).endsWith(".md")),
    ).toHaveLength(2);
    await vault.journal.undo();
    expect(files()).toEqual({ "A/n.md": "two" });
    await expect(deleteNote(vault, author, "Nope")).rejects.toThrow("File not found: Nope");
    await expect(deleteNote(vault, author, "A/n", "another hash")).rejects.toThrow("has changed since");
  });

  it("deletes a folder with its content only with the option, and undo restores every byte", async () => {
    const { vault, files, folder } = vaultWith({ "A/n.md": "one", "A/B/m.md": "two", "c.md": "" });
    mkdirSync(join(folder, "A", "Empty"));
    const before = files();
    expect(await previewFolderDeletion(vault, author, "A")).toMatchObject({
      files: 2,
      folders: 2,
      sample: ["A/B/m.md", "A/n.md"],
    });
    await expect(deleteFolder(vault, author, "A", false)).rejects.toThrow("Folder is not empty: A");
    await deleteFolder(vault, author, "A", true);
    expect(files()).toEqual({ "c.md": "" });
    await vault.journal.undo();
    expect(files()).toEqual(before);
    expect(existsSync(join(folder, "A", "Empty"))).toBe(true);
    await expect(previewFolderDeletion(vault, author, "/")).rejects.toThrow("Invalid path: /");
  });
});

describe("duplicating a note", () => {
  const copy = { sourcePath: "n", targetPath: "n", overwrite: false, autoIncrement: false };

  it("finds a free name with the option", async () => {
    const { vault, files } = vaultWith({ "n.md": "text" });
    await expect(duplicateNote(vault, author, copy)).rejects.toThrow("File already exists: n");
    expect(await duplicateNote(vault, author, { ...copy, autoIncrement: true })).toMatchObject({
      targetPath: "n copy.md",
    });
    expect(await duplicateNote(vault, author, { ...copy, autoIncrement: true })).toMatchObject({
      targetPath: "n copy 2.md",
    });
    expect(Object.values(files())).toEqual(["text", "text", "text"]);
  });

  it("keeps the extension of an attachment", async () => {
    const { vault } = vaultWith({ "View.base": "views: []" });
    const sent = { ...copy, sourcePath: "View.base", targetPath: "View", autoIncrement: true };
    expect(await duplicateNote(vault, author, sent)).toMatchObject({ targetPath: "View copy.base" });
  });

  it("overwrites with the option, and undo restores what was there", async () => {
    const { vault, read } = vaultWith({ "n.md": "text", "m.md": "other" });
    await duplicateNote(vault, author, { ...copy, targetPath: "m", overwrite: true });
    expect(read("m.md")).toBe("text");
    await vault.journal.undo();
    expect(read("m.md")).toBe("other");
  });
});

describe("deleting what others link to", () => {
  const NOTES = {
    "Trips/Kyoto.md": "See [[Osaka]].",
    "Trips/Osaka.md": "",
    "Plan.md": "[[Kyoto]] and [[Kyoto|again]]",
    "Board.canvas":
      '{"nodes":[{"id":"1","type":"file","file":"Trips/Kyoto.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}',
  };
  const warned = async (
    work: (author: { tool: string; onWarning: (sentence: string) => void }) => Promise<unknown>,
  ) => {
    const warnings: string[] = [];
    await work({ ...author, onWarning: (sentence) => warnings.push(sentence) });
    return warnings;
  };

  it("says how many files do", async () => {
    const { vault } = vaultWith(NOTES);
    const without = "without it these links lead to nothing.";
    expect(await warned((by) => deleteNote(vault, by, "Trips/Kyoto"))).toEqual([
      `Trips/Kyoto.md has 2 backlinks: ${without}`,
    ]);
    expect(await warned((by) => deleteNote(vault, by, "Plan"))).toEqual([]);
  });

  it("counts for a folder those outside of it, in the preview too", async () => {
    const { vault } = vaultWith(NOTES);
    const expected = ["Trips has 2 backlinks: without it these links lead to nothing."];
    expect(await warned((by) => previewFolderDeletion(vault, by, "Trips"))).toEqual(expected);
    expect(await warned((by) => deleteFolder(vault, by, "Trips/", true))).toEqual(expected);
  });
});
