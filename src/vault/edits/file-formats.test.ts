import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { duplicateNote } from "../folders.ts";
import { append, create, replace } from "./note-changes.ts";
import { editNote, editNotes, type Change } from "./note-editor.ts";

const author = { tool: "test" };
const CANVAS = '{"nodes":[{"id":"1","type":"text","text":"one"}],"edges":[]}';
const BASE = "views:\n  - type: table\n";
/** A PDF may be ASCII throughout. */
const PDF = "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n";
const FILES = { "p.pdf": PDF, "Plan.canvas": CANVAS, "Books.base": BASE, "Torn.canvas": "{", "Torn.base": "views: [" };

describe("a change after which a file could not be read", () => {
  it.each<[string, string, Change, string]>([
    ["text after the JSON of a canvas", "Plan.canvas", append("- new card"), "it would not be a JSON object"],
    ["an edit of a canvas's JSON", "Plan.canvas", replace('"nodes":[', '"nodes":', 1), "it would not be a JSON object"],
    ["text after the YAML of a base", "Books.base", append("- new card: ["), "it would not be valid YAML"],
    [
      "a new canvas of prose",
      "Board.canvas",
      create("My cards"),
      "Board.canvas could not be read as a canvas: it would",
    ],
    ["a new canvas that is a list", "Board.CANVAS", create("[]"), "it would not be a JSON object"],
    ["a new base of prose", "Board.base", create("My cards"), "it would not be a list of names and values"],
    ["text in an image", "pic.png", create("My cards"), "pic.png would not be a png file"],
    ["text in a PDF file", "paper.PDF", create(""), "paper.PDF would not be a PDF file"],
    ["text in a recording", "talk.mp3", create("words"), "talk.mp3 would not be a mp3 file"],
    ["text after a PDF file of ASCII", "p.pdf", append("words"), "p.pdf is a pdf file, which cannot be edited as text"],
    ["another word in a PDF file of ASCII", "p.pdf", replace("1.4", "1.50", 1), "p.pdf is a pdf file"],
  ])("is refused: %s", async (_, filePath, change, sentence) => {
    const { vault, files } = vaultWith(FILES);
    await expect(editNote(vault, author, { filePath, change })).rejects.toThrow(sentence);
    await expect(editNote(vault, author, { filePath, change })).rejects.toThrow("Nothing was changed.");
    expect(files()).toEqual(FILES);
  });

  it("is refused as part of a step of several", async () => {
    const { vault, files } = vaultWith({ ...FILES, "Note.md": "a" });
    const edits = [
      { filePath: "Note.md", change: append("b") },
      { filePath: "Plan.canvas", change: append("b") },
    ];
    await expect(editNotes<object>(vault, author, edits)).rejects.toThrow("Plan.canvas could no longer be read");
    expect(files()).toEqual({ ...FILES, "Note.md": "a" });
  });
});

describe("a change of a file with a format", () => {
  it.each<[string, string, Change, string]>([
    ["that stays a canvas", "Plan.canvas", replace('"one"', '"two"', 1), CANVAS.replace("one", "two")],
    ["that stays a base", "Books.base", append("    name: All\n"), `${BASE}    name: All\n`],
    ["that was no canvas before", "Torn.canvas", append('"a'), '{\n"a'],
    ["that was no base before", "Torn.base", append("a: b"), "views: [\na: b"],
    ["that is a new, empty canvas", "New.canvas", create(""), ""],
    ["that is a new, empty base", "New.base", create(""), ""],
    ["that is a new image of text", "New.svg", create("<svg/>"), "<svg/>"],
  ])("is made: %s", async (_, filePath, change, after) => {
    const { vault, read } = vaultWith(FILES);
    await editNote(vault, author, { filePath, change });
    expect(read(filePath)).toBe(after);
  });

  it("is undone and redone whatever the file holds", async () => {
    const { vault, read } = vaultWith(FILES);
    await editNote(vault, author, { filePath: "Torn.canvas", change: append("}") });
    expect(read("Torn.canvas")).toBe("{\n}");
    await vault.journal.undo();
    expect(read("Torn.canvas")).toBe("{");
    await vault.journal.redo();
    expect(read("Torn.canvas")).toBe("{\n}");
  });

  it("copies a broken file as it is", async () => {
    const { vault, read } = vaultWith(FILES);
    await duplicateNote(vault, author, {
      sourcePath: "Torn.canvas",
      targetPath: "Copy.canvas",
      overwrite: false,
      autoIncrement: false,
    });
    expect(read("Copy.canvas")).toBe("{");
  });
});
