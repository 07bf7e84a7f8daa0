// Moves and renamed tags beside hidden and protected notes: links stay whole, and nothing hidden is
// named.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith, type TestVault } from "../../../test/fixtures/vaults.ts";
import { accessRules } from "../../files/files.ts";
import type { Problem } from "../../kernel/kernel.ts";
import { linksOf } from "../link-report.ts";
import { deleteFolder } from "../folders.ts";
import { create } from "./note-changes.ts";
import { editNote } from "./note-editor.ts";
import { moveFolder, moveNote } from "./note-mover.ts";
import { previewTagRename, renameTag } from "./tag-rename.ts";

const AUTHOR = { tool: "test" };
const OUT_OF_REACH = "A link that the settings keep out of reach would break. Nothing was moved.";

function hiding(files: Readonly<Record<string, string>>, protect: readonly string[] = []): TestVault {
  return vaultWith(files, { access: accessRules({ hide: ["Private/", "*.secret.md"], protect }) });
}

const move = ({ vault }: TestVault, path: string, newPath: string, overwrite = false) =>
  moveNote(vault, AUTHOR, { path, newPath, overwrite });

it("a link that leads to what is hidden is refused as a new name in the same words, whether something is there or not", async () => {
  const own = hiding({ "Private/P.md": "secret", "A.md": "a" });
  symlinkSync(join(own.folder, "Private/P.md"), join(own.folder, "link.md"));
  symlinkSync(join(own.folder, "Private"), join(own.folder, "linked"));
  for (const filePath of ["link.md", "linked/P.md", "linked/new.md", "Private/P.md"])
    await expect(editNote(own.vault, AUTHOR, { filePath, change: create("x") })).rejects.toThrow(
      "The settings keep this path out of reach.",
    );
  for (const newPath of ["link.md", "linked/P.md", "linked/new.md"])
    await expect(move(own, "A.md", newPath)).rejects.toThrow("The settings keep this path out of reach.");
});

/** With an index and without one. */
describe.each([true, false])("a move, with an index: %s", (isIndexed) => {
  const prepared = async (...given: Parameters<typeof hiding>) => {
    const own = hiding(...given);
    if (isIndexed) await own.vault.index.refresh();
    return own;
  };

  it("keeps the links in hidden notes whole, says nothing of them, and so does its undo", async () => {
    const files = {
      "A.md": "a",
      "B.md": "see [[A]]",
      "Private/P.md": "see [[A]] and [A](../A.md)",
      "x.secret.md": "[[A|b]]",
    };
    const own = await prepared(files);
    const moved = await move(own, "A.md", "Sub/Aa.md");
    expect(JSON.stringify(moved)).not.toMatch(/Private|secret/);
    expect(own.files()).toEqual({
      "Sub/Aa.md": "a",
      "B.md": "see [[Aa]]",
      "Private/P.md": "see [[Aa]] and [A](../Sub/Aa.md)",
      "x.secret.md": "[[Aa|b]]",
    });
    const { entries } = await own.vault.journal.history();
    expect(entries).toMatchObject([{ paths: ["A.md", "Sub/Aa.md", "B.md"] }]);
    const undone = await own.vault.journal.undo();
    expect(JSON.stringify(undone)).not.toMatch(/Private|secret/);
    expect(own.files()).toEqual(files);
    await own.vault.journal.redo();
    expect(own.read("Private/P.md")).toBe("see [[Aa]] and [A](../Sub/Aa.md)");
    own.write("Private/P.md", "edited by hand");
    const refused = await own.vault.journal.undo().catch((error: unknown) => error as Problem);
    expect(refused).toMatchObject({ code: "conflict" });
    expect(`${(refused as Problem).message} ${(refused as Problem).hint}`).not.toMatch(/Private|secret/);
  });

  it("is refused if a hidden note is protected as well, or a visible one would have to name a hidden one", async () => {
    const own = await prepared({ "A.md": "a", "Private/P.md": "[[A]]" }, ["Private/"]);
    await expect(move(own, "A.md", "Sub/Aa.md")).rejects.toThrow(OUT_OF_REACH);
    const named = await prepared({ "A.md": "a", "B.md": "see [[P]]", "Private/P.md": "p" });
    await expect(move(named, "A.md", "P.md")).rejects.toThrow(OUT_OF_REACH);
    const relative = await prepared({ "B.md": "see [p](Private/P.md)", "Private/P.md": "p" });
    await expect(move(relative, "B.md", "Sub/B.md")).rejects.toThrow(OUT_OF_REACH);
    expect(named.files()["A.md"]).toBe("a");
  });

  it("is refused for a folder with hidden notes in it, which a new path could show", async () => {
    const own = await prepared({ "F/a.md": "a", "F/b.secret.md": "b", "G/c.md": "c" });
    const sentence = "F cannot be moved or deleted as a whole: the settings keep a part of it out of reach.";
    await expect(moveFolder(own.vault, AUTHOR, { path: "F", newPath: "H" })).rejects.toThrow(sentence);
    await expect(deleteFolder(own.vault, AUTHOR, "F", true)).rejects.toThrow(sentence);
    await moveFolder(own.vault, AUTHOR, { path: "G", newPath: "H" });
    await expect(moveFolder(own.vault, AUTHOR, { path: "H", newPath: "Private/H" })).rejects.toThrow("out of reach");
    expect(Object.keys(own.files())).toEqual(["F/a.md", "F/b.secret.md", "H/c.md"]);
  });

  it("is refused as a preview, too, wherever the move would be", async () => {
    const own = await prepared({ "A.md": "a", "L/b.md": "b", "Private/P.md": "[[A]]", "V.md": "[[P]]" }, ["L/"]);
    const files = own.files();
    const preview = (path: string, newPath: string) =>
      moveNote(own.vault, AUTHOR, { path, newPath, overwrite: false, preview: true });
    await expect(preview("A.md", "L/A.md")).rejects.toThrow("The settings protect L/A.md.");
    await expect(preview("L/b.md", "b.md")).rejects.toThrow("The settings protect L/b.md.");
    await expect(preview("A.md", "Private/P.md")).rejects.toThrow("out of reach");
    // Its link to A would be rewritten, which must not show that it is there.
    await expect(move(own, "A.md", "Private/P.md")).rejects.toThrow("out of reach");
    await expect(preview("A.md", "Private/none.md")).rejects.toThrow("out of reach");
    await expect(preview("A.md", "P.md")).rejects.toThrow(OUT_OF_REACH);
    await expect(preview("L", "M")).rejects.toThrow("The settings protect L");
    expect(await preview("A.md", "B.md")).toEqual({ path: "A.md", newPath: "B.md", recommendations: [] });
    expect(own.files()).toEqual(files);
    expect((await own.vault.journal.history()).entries).toEqual([]);
  });

  it("is refused into, out of and around a protected folder", async () => {
    const own = await prepared({ "A.md": "a", "L/b.md": "b", "Up/L/c.md": "c" }, ["L/"]);
    await expect(move(own, "A.md", "L/A.md")).rejects.toThrow("The settings protect L/A.md.");
    await expect(move(own, "L/b.md", "b.md")).rejects.toThrow("The settings protect L/b.md.");
    await expect(move(own, "A.md", "L/b.md", true)).rejects.toThrow("The settings protect L/b.md.");
    await expect(moveFolder(own.vault, AUTHOR, { path: "Up", newPath: "Down" })).rejects.toThrow(
      "The settings protect Up/L",
    );
    expect(own.files()).toEqual({ "A.md": "a", "L/b.md": "b", "Up/L/c.md": "c" });
  });
});

describe("renaming a tag", () => {
  const asked = { rename: "work", newName: "job" };

  it("is refused if a link in a hidden note to one of its headings would break, without a name", async () => {
    const own = hiding({ "A.md": "# Plan #work\n", "Private/P.md": "[[A#Plan work]]\n", "B.md": "#work" });
    const sentence = "The tag is in a heading, and a link to it that the settings keep out of reach would break.";
    await expect(previewTagRename(own.vault, {}, asked)).rejects.toThrow(sentence);
    await expect(renameTag(own.vault, AUTHOR, asked)).rejects.toThrow(sentence);
    expect(own.read("A.md")).toBe("# Plan #work\n");
  });

  it("leaves hidden notes alone, with their own headings", async () => {
    const hidden = "# Plan #work\n[[#Plan work]] [[A#Other]]\n";
    const own = hiding({ "A.md": "# Plan #work\n", "Private/P.md": hidden });
    const preview = await previewTagRename(own.vault, {}, asked);
    expect(await renameTag(own.vault, AUTHOR, asked)).toEqual(preview);
    expect(preview).toEqual({ from: "work", to: "job", notes: [{ path: "A.md", places: 1 }], places: 1 });
    expect(own.files()).toEqual({ "A.md": "# Plan #job\n", "Private/P.md": hidden });
  });

  it("is refused in a protected note, as a preview too", async () => {
    const own = hiding({ "A.md": "#work", "L/b.md": "#work" }, ["L/"]);
    await expect(previewTagRename(own.vault, {}, asked)).rejects.toThrow("The settings protect L/b.md.");
    await expect(renameTag(own.vault, AUTHOR, asked)).rejects.toThrow("The settings protect L/b.md.");
    expect(own.files()).toEqual({ "A.md": "#work", "L/b.md": "#work" });
  });
});

describe("a link to a hidden note", () => {
  it("leads nowhere, and the hidden note is no backlink", async () => {
    const { vault } = hiding({ "A.md": "see [[P]]", "Private/P.md": "see [[A]]" });
    expect((await linksOf(vault, { path: "A.md", type: "outgoing" })).links).toMatchObject([{ target: "P", to: null }]);
    expect((await linksOf(vault, { path: "A.md", type: "backlinks" })).links).toEqual([]);
  });
});

describe("the index", () => {
  it("of a vault with hidden notes is one of its own: that of another process has all of them", async () => {
    const own = hiding({ "A.md": "apple", "Private/P.md": "apple pie" });
    const everything = own.reopen({});
    const count = async ({ index }: Pick<TestVault["vault"], "index">) =>
      (await index.search("apple", { limit: 10 })).total;
    expect(await count(own.vault)).toBe(1);
    expect(await count(everything)).toBe(2);
    expect(await count(own.vault)).toBe(1);
    await everything.close();
  });
});
