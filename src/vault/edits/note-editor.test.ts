import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { processorSecondsOf } from "../../../test/growth.ts";
import {
  append,
  create,
  deleteContent,
  findReplace,
  prepend,
  replace,
  replaceByLine,
  setProperties,
} from "./note-changes.ts";
import { editNote, editNotes, type Change } from "./note-editor.ts";
import { readNote } from "../notes/note-reader.ts";

const author = { tool: "test" };

describe("editing a note", () => {
  it.each<[string, Change, string, string]>([
    ["appends on a line of its own", append("more"), "text", "text\nmore"],
    ["appends to a section", append("more", "A"), "# A\n\none\n\n# B\n", "# A\n\none\nmore\n\n# B\n"],
    ["prepends below the frontmatter", prepend("top"), "---\na: 1\n---\ntext\n", "---\na: 1\n---\ntop\ntext\n"],
    ["replaces a passage literally", replace("b", "$&", 1), "a b c", "a $& c"],
    ["replaces lines", replaceByLine(2, 3, "x"), "1\n2\n3\n4\n", "1\nx\n4\n"],
    ["deletes a passage", deleteContent("b\n"), "a\nb\nc\n", "a\nc\n"],
    [
      "replaces words everywhere",
      findReplace({ findText: "cat", replaceText: "$1", replaceAll: true, caseSensitive: false, wholeWord: true }),
      "Cat concat cat",
      "$1 concat $1",
    ],
    [
      "sets properties",
      setProperties({ set: { status: "done" } }),
      "---\nstatus: open # soon\n---\n",
      "---\nstatus: done # soon\n---\n",
    ],
  ])("%s, and one undo gives back every byte", async (_, change, before, after) => {
    const { vault, read } = vaultWith({ "Note.md": before });
    await editNote(vault, author, { filePath: "Note", change });
    expect(read("Note.md")).toBe(after);
    await vault.journal.undo();
    expect(read("Note.md")).toBe(before);
    await vault.journal.redo();
    expect(read("Note.md")).toBe(after);
  });

  it.each<[string, object, string]>([
    ["tags: [x]", { tags: "#a b" }, "tags: [a, b]"],
    ["tags:\n  - x", { tags: "x" }, "tags:\n  - x"],
    ["tags: [x]", { tags: ["#a/b", "x"] }, "tags: [a/b, x]"],
    ["tags: ['1 2']", { tags: ["1 2", "y"] }, "tags: ['1 2', y]"],
    ["tags: x", { tags: "y" }, "tags: y"],
    ["tags: [x]", { tags: [] }, "tags: []"],
    ["aliases: [One]", { aliases: "Two, Three four" }, "aliases: [Two, Three four]"],
    ["cssclasses: [one]", { cssclasses: "two" }, "cssclasses: [two]"],
    ["authors: [One]", { authors: "Two" }, "authors: Two"],
  ])("of %j sets %j as the property can hold it", async (before, set, after) => {
    const { vault, read } = vaultWith({ "Note.md": `---\n${before}\n---\n` });
    await editNote(vault, author, { filePath: "Note", change: setProperties({ set: { ...set } }) });
    expect(read("Note.md")).toBe(`---\n${after}\n---\n`);
  });

  it.each([{ tags: ["a b"] }, { tags: "2026" }, { tag: ["x.y"] }])("refuses what is no tag: %j", async (set) => {
    const { vault, files } = vaultWith({ "Note.md": "---\ntags: [x]\n---\n" });
    const setting = editNote(vault, author, { filePath: "Note", change: setProperties({ set: { ...set } }) });
    await expect(setting).rejects.toThrow("cannot be a tag.");
    expect(files()).toEqual({ "Note.md": "---\ntags: [x]\n---\n" });
  });

  it("warns once if it leaves a frontmatter that cannot be read", async () => {
    const { vault } = vaultWith({ "Note.md": "---\ntags: [a]\n---\n", "Broken.md": "---\ntags: [a\n---\n" });
    const warnings: string[] = [];
    const warned = { ...author, onWarning: (sentence: string) => warnings.push(sentence) };
    await editNote(vault, warned, { filePath: "Broken", change: append("more") });
    await editNote(vault, warned, { filePath: "Text.txt", change: create("---\ntags: [a\n---\n") });
    await editNote(vault, warned, { filePath: "Good", change: create("---\ntags: [a]\n---\n") });
    expect(warnings).toEqual([]);
    await editNote(vault, warned, { filePath: "New", change: create("---\ntags: [a\n---\n") });
    await editNote(vault, warned, { filePath: "Note", change: replace("[a]", "[a", 1) });
    expect(warnings).toEqual(
      ["New.md", "Note.md"].map((path): unknown =>
        expect.stringMatching(
          new RegExp(`^The frontmatter is not valid YAML .* but ${path} has no properties until that is repaired\\.$`),
        ),
      ),
    );
  });

  it("keeps line endings, the byte order mark and the mode of the file", async () => {
    const { vault, read, folder } = vaultWith({ "Note.md": "\uFEFFone\r\ntwo\r\n" });
    await editNote(vault, author, { filePath: "Note.md", change: append("three\nfour\n") });
    expect(read("Note.md")).toBe("\uFEFFone\r\ntwo\r\nthree\r\nfour\r\n");
    expect(statSync(join(folder, "Note.md")).mode & 0o777).toBe(0o644);
  });

  it("does not write when nothing changes", async () => {
    const { vault, folder } = vaultWith({ "Note.md": "a" });
    const long = new Date(2000, 1, 1);
    utimesSync(join(folder, "Note.md"), long, long);
    await editNote(vault, author, { filePath: "Note.md", change: replace("a", "a", 1) });
    expect(statSync(join(folder, "Note.md")).mtime).toEqual(long);
    expect((await vault.journal.history()).entries).toEqual([]);
  });

  it("refuses an outdated hash, and reports the current one", async () => {
    const { vault, write, read } = vaultWith({ "Note.md": "a" });
    const { hash } = await readNote(vault, "Note.md");
    write("Note.md", "changed elsewhere");
    const current = (await readNote(vault, "Note.md")).hash;
    await expect(
      editNote(vault, author, { filePath: "Note.md", expectedHash: hash, change: append("x") }),
    ).rejects.toThrow(current);
    expect(read("Note.md")).toBe("changed elsewhere");
    await editNote(vault, author, { filePath: "Note.md", expectedHash: current, change: append("x") });
  });

  it.each([
    ["invalid UTF-8", Buffer.from([0x61, 0xff, 0x62]), "not valid UTF-8"],
    ["a binary file", Buffer.from("a\0b"), "binary"],
  ])("refuses %s, and leaves it alone", async (_, bytes, sentence) => {
    const { vault, folder } = vaultWith({ "Note.md": bytes });
    await expect(editNote(vault, author, { filePath: "Note.md", change: append("x") })).rejects.toThrow(sentence);
    expect(statSync(join(folder, "Note.md")).size).toBe(bytes.length);
  });

  it("edits a note of 50 MB", async () => {
    const line = `${"x".repeat(99)}\n`;
    const { vault, folder } = vaultWith({ "Big.md": line.repeat(500_000) });
    const { contentHash } = await editNote(vault, author, { filePath: "Big.md", change: append("end") });
    expect(statSync(join(folder, "Big.md")).size).toBe(50_000_003);
    await vault.journal.undo();
    expect((await readNote(vault, "Big.md")).hash).not.toBe(contentHash);
    expect(statSync(join(folder, "Big.md")).size).toBe(50_000_000);
  });

  it("edits a file without an extension if it exists, and does not mistake a folder for a note", async () => {
    const { vault, read } = vaultWith({ LICENSE: "MIT", "a.excalidraw": "{}", "Folder.md/x.md": "" });
    await editNote(vault, author, { filePath: "LICENSE", change: append("x") });
    await editNote(vault, author, { filePath: "a.excalidraw", change: append("x") });
    expect([read("LICENSE"), read("a.excalidraw")]).toEqual(["MIT\nx", "{}\nx"]);
    await expect(editNote(vault, author, { filePath: "Folder", change: create("x") })).rejects.toThrow(
      "File already exists: Folder",
    );
    await expect(editNote(vault, author, { filePath: "Folder", change: append("x") })).rejects.toThrow(
      "File not found: Folder",
    );
  });

  it("sets properties only in Markdown, and only up to a depth", async () => {
    const { vault, read } = vaultWith({ "a.canvas": "{}", "n.md": "" });
    await expect(
      editNote(vault, author, { filePath: "a.canvas", change: setProperties({ set: { a: 1 } }) }),
    ).rejects.toThrow("Properties belong to Markdown notes");
    expect(read("a.canvas")).toBe("{}");
    let nested: object = {};
    for (let i = 0; i < 900; i++) nested = { nested };
    await expect(
      editNote(vault, author, { filePath: "n", change: setProperties({ set: { nested } }) }),
    ).rejects.toThrow("nested at most 50 levels deep");
  });

  it.each<[string, Change]>([
    ["a passage that repeats itself", replace("a".repeat(100_000), "b", 0.95)],
    ["a passage to delete that repeats itself", deleteContent("a".repeat(100_000))],
    [
      "a text to find that is too long",
      findReplace({
        findText: "b".repeat(40_000),
        replaceText: "",
        replaceAll: true,
        caseSensitive: false,
        wholeWord: false,
      }),
    ],
  ])("answers %s at once", async (_, change) => {
    const { vault } = vaultWith({ "n.md": "a".repeat(1_000_000) });
    const answer = () => expect(editNote(vault, author, { filePath: "n", change })).rejects.toThrow();
    expect(await processorSecondsOf(answer)).toBeLessThan(5);
  });

  it("creates one of two that are made at once", async () => {
    const { vault, reopen, read } = vaultWith({});
    const results = await Promise.allSettled([
      editNote(vault, author, { filePath: "New.md", change: create("one") }),
      editNote(reopen(), author, { filePath: "New.md", change: create("two") }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(["one", "two"]).toContain(read("New.md"));
  });
});

describe("several edits in one step", () => {
  it("see each other's results, and are undone together", async () => {
    const { vault, files } = vaultWith({ "A.md": "a\n" });
    await editNotes(
      vault,
      author,
      [
        { filePath: "A.md", change: append("b\n") },
        { filePath: "a.md", change: create("other") },
        { filePath: "A.md", change: replace("b", "B", 1) },
        { filePath: "New.md", change: create("n") },
        { filePath: "New.md", change: append("m") },
      ].filter(({ filePath }) => filePath !== "a.md" || vault.root.key("a.md") !== vault.root.key("A.md")),
    );
    expect(files()).toMatchObject({ "A.md": "a\nB\n", "New.md": "n\nm" });
    await vault.journal.undo();
    expect(files()).toEqual({ "A.md": "a\n" });
  });

  it("are one step of the history, which says what was made where", async () => {
    const { vault } = vaultWith({ "A.md": "a\n", "B.md": "b\n" });
    const at = (filePath: string, change: Change) => ({ filePath, change });
    await editNotes(vault, author, [at("A.md", append("1"))]);
    await editNotes(vault, author, [at("New.md", create("1"))]);
    await editNotes(vault, author, [at("A.md", append("2")), at("B.md", append("2"))]);
    await editNotes(vault, author, [at("A.md", append("3")), at("A.md", append("4"))]);
    await editNotes(vault, author, [at("A.md", append("5")), at("B.md", prepend("5"))]);
    const { entries } = await vault.journal.history();
    expect(entries.map(({ message }) => message).toReversed()).toEqual([
      "Appended to A.md",
      "Created New.md",
      "Appended to 2 notes",
      "Made 2 changes in A.md",
      "Made 2 changes in 2 notes",
    ]);
  });

  it("take the hash that was read before the first for all of them", async () => {
    const { vault, read } = vaultWith({ "A.md": "a" });
    const expectedHash = (await readNote(vault, "A")).hash;
    await editNotes(vault, author, [
      { filePath: "A.md", expectedHash, change: append("b") },
      { filePath: "A.md", expectedHash, change: append("c") },
    ]);
    expect(read("A.md")).toBe("a\nb\nc");
  });

  it("are all refused when one of them is", async () => {
    const { vault, files } = vaultWith({ "A.md": "a", "B.md": "b" });
    const edits = [
      { filePath: "A.md", change: append("x") },
      { filePath: "New.md", change: create("x") },
      { filePath: "B.md", change: replace("not there", "x", 1) },
    ];
    await expect(editNotes(vault, author, edits)).rejects.toThrow();
    expect(files()).toEqual({ "A.md": "a", "B.md": "b" });
  });
});

describe("a note that is named as by a link", () => {
  const NOTES = {
    "Home/Kitchen renovation.md": "---\naliases: [Chile]\n---\n# Log\none\n\n# Costs\nmany\n",
    "A/Plan.md": "a",
    "B/Plan.md": "b",
  };
  const open = () => vaultWith(NOTES);

  it.each([
    ["Chile", append("two"), "many\ntwo"],
    ["[[Kitchen renovation#Log]]", append("two"), "one\ntwo\n\n# Costs"],
    ["Kitchen renovation#Log", prepend("zero"), "# Log\nzero\none"],
    ["[[Kitchen renovation#Log]]", append("two", "Costs"), "many\ntwo"],
    ["[[kitchen renovation|it]]", replace("many", "few"), "few"],
    ["[[Kitchen renovation#Costs]]", replace("many", "few"), "few"],
    ["[[Chile#Log]]", setProperties({ set: { done: true } }), "done: true"],
  ])("is changed as %s", async (filePath, change, part) => {
    const { vault, read } = open();
    const edited = await editNote(vault, author, { filePath, change: change as Change });
    expect(edited.path).toBe("Home/Kitchen renovation.md");
    expect(read("Home/Kitchen renovation.md")).toContain(part);
  });

  it.each<[string, Change, string]>([
    [
      "[[Kitchen renovation#Log]]",
      findReplace({ findText: "many", replaceText: "few", replaceAll: true, caseSensitive: true, wholeWord: false }),
      "This edit is of a whole note",
    ],
    ["[[Kitchen renovation#^b]]", append("x"), "This edit is of a whole note"],
    ["Plan", append("x"), "File not found: Plan"],
    ["[[Nowhere]]", append("x"), "File not found: [[Nowhere]]"],
  ])("is refused as %s, and nothing is changed", async (filePath, change, message) => {
    const { vault, files } = open();
    await expect(editNote(vault, author, { filePath, change })).rejects.toThrow(message);
    expect(files()).toEqual(NOTES);
  });

  it("is created only by its path", async () => {
    const { vault, files } = open();
    await editNote(vault, author, { filePath: "Chile", change: create("new") });
    expect(files()).toEqual({ ...NOTES, "Chile.md": "new" });
  });
});
