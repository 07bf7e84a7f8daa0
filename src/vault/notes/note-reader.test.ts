import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { excerptOf, lineCount, readNote, withLineNumbers } from "./note-reader.ts";

const TEXT = "# A\none\ntwo\n\n## B\nthree ^id\n\n# C\nfour\n";

describe("reading a note", () => {
  it("finds it with and without its extension, and refuses what is not there", async () => {
    const { vault } = vaultWith({ "A/n.md": TEXT });
    expect((await readNote(vault, "A/n")).note.text).toBe(TEXT);
    expect((await readNote(vault, "/A/n.md")).hash).toBe((await readNote(vault, "A/n")).hash);
    await expect(readNote(vault, "A/m")).rejects.toThrow("File not found: A/m");
  });

  it("reports a path that a link leads out of the vault as it was sent", async () => {
    const { vault, folder } = vaultWith({});
    symlinkSync("/etc", join(folder, "out"));
    await expect(readNote(vault, "/out/passwd")).rejects.toThrow(/^Invalid path: \/out\/passwd$/);
  });

  it.each([
    [{}, TEXT, 1, 9],
    [{ offset: 1, limit: 2 }, "one\ntwo\n", 2, 3],
    [{ offset: 7 }, "# C\nfour\n", 8, 9],
    [{ heading: "A" }, "# A\none\ntwo\n\n## B\nthree ^id\n\n", 1, 7],
    [{ heading: "A/B" }, "## B\nthree ^id\n\n", 5, 7],
    [{ heading: "B", offset: 1, limit: 1 }, "three ^id\n", 6, 6],
    [{ block: "^id" }, "three ^id\n", 6, 6],
  ])("gives the part %j", (part, content, startLine, endLine) => {
    expect(excerptOf(TEXT, part)).toEqual({ content, startLine, endLine });
  });

  it.each([
    [{ offset: 9 }, "offset must be less than 9"],
    [{ heading: "Z" }, "Z"],
    [{ heading: "A", block: "id" }, "not both"],
  ])("refuses %j", (part, sentence) => {
    expect(() => excerptOf(TEXT, part)).toThrow(sentence);
  });

  it("numbers the lines as they are in the note", () => {
    expect(withLineNumbers(excerptOf(TEXT, { offset: 7 }))).toBe("8  # C\n9  four\n");
    expect([lineCount(""), lineCount("a"), lineCount("a\n"), lineCount("a\nb")]).toEqual([0, 1, 1, 2]);
  });
});
