import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REAL, realData } from "../../../test/samples.ts";
import { filesIn, vaultWith, type TestVault } from "../../../test/fixtures/vaults.ts";
import { factsOf } from "../../markdown/markdown.ts";
import { previewTagRename, renameTag } from "./tag-rename.ts";
import type { Author } from "../vault.ts";

const author: Author = { tool: "test" };
const asked = (rename: string, newName: string) => ({ rename, newName });

const FILES = {
  "One.md": "---\ntags: [a, x]\n---\nAbout #a/b and #ab.\n",
  "Two.md": "# Two #A\n\n`#a`\n",
  "Other.md": "#b\n",
  "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"#a"}]}',
  "View.base": 'filters: file.hasTag("a")\n',
  "Two (conflicted copy 2026-01-02).md": "#a\n",
  "Picture.png": "#a",
};
const AFTER = {
  "One.md": "---\ntags: [x]\n---\nAbout #x/b and #ab.\n",
  "Two.md": "# Two #x\n\n`#a`\n",
  "Other.md": "#b\n",
  "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"#x"}]}',
  "View.base": 'filters: file.hasTag("x")\n',
  "Two (conflicted copy 2026-01-02).md": "#x\n",
  "Picture.png": "#a",
};

describe("renaming a tag", () => {
  it.each(["with an index", "without an index"])(
    "changes every file that has it, in one step of undo, %s",
    async (kind) => {
      const { vault: opened, files } = vaultWith(FILES);
      await opened.index.refresh();
      const isIndexed = kind === "with an index";
      const vault = isIndexed ? opened : { ...opened, index: { ...opened.index, filesTagged: async () => undefined } };
      const report = await renameTag(vault, author, asked("#a", "x"));
      expect(files()).toEqual(AFTER);
      expect(report).toEqual({
        from: "a",
        to: "x",
        notes: expect.arrayContaining([
          { path: "One.md", places: 2 },
          { path: "Two.md", places: 1 },
          { path: "Board.canvas", places: 1 },
          { path: "View.base", places: 1 },
          { path: "Two (conflicted copy 2026-01-02).md", places: 1 },
        ]),
        places: 6,
        merges: 1,
      });
      expect((await vault.journal.history()).entries.map(({ message }) => message)).toEqual([
        "Renamed #a to #x in 5 files",
      ]);
      expect((await vault.index.tags()).answer.map(({ tag }) => tag)).toEqual(["x", "ab", "b", "x/b"]);
      await vault.journal.undo();
      expect(files()).toEqual(FILES);
      await vault.journal.redo();
      expect(files()).toEqual(AFTER);
    },
  );

  it("is only described by a preview", async () => {
    const { vault, files } = vaultWith(FILES);
    const preview = await previewTagRename(vault, author, asked("a", "x"));
    expect(files()).toEqual(FILES);
    expect((await vault.journal.history()).entries).toEqual([]);
    expect(preview).toEqual(await renameTag(vault, author, asked("a", "x")));
  });

  it("keeps the links to headings that change with it", async () => {
    const { vault, files } = vaultWith({
      "Deep/Note.md": "# About #a\n\n## More #a/b: all\n\n[[#About a]] [up](#About%20a) `[[#About a]]`\n",
      "Note.md": "# About a\n",
      "Links.md":
        '---\nup: "[[Deep/Note#About a]]"\n---\n[[Deep/Note#About a|about]] [[Deep/Note#about A#More a b all]] [t](Deep/Note.md#About%20a) [t](<Deep/Note.md#About a>) ![[Deep/Note#Other]] [[Note#About a]]\n',
      "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"[[Deep/Note#About a]]"}]}',
    });
    const { links } = await renameTag(vault, author, asked("a", "x-y"));
    expect(files()).toEqual({
      "Deep/Note.md": "# About #x-y\n\n## More #x-y/b: all\n\n[[#About x-y]] [up](#About%20x-y) `[[#About a]]`\n",
      "Note.md": "# About a\n",
      "Links.md":
        '---\nup: "[[Deep/Note#About x-y]]"\n---\n[[Deep/Note#About x-y|about]] [[Deep/Note#About x-y#More x-y/b all]] [t](Deep/Note.md#About%20x-y) [t](<Deep/Note.md#About x-y>) ![[Deep/Note#Other]] [[Note#About a]]\n',
      "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"[[Deep/Note#About x-y]]"}]}',
    });
    expect(links).toBe(9);
  });

  it("names what it could not look at", async () => {
    const { vault, read } = vaultWith({
      "Good.md": "#a\n",
      "Bad.md": "---\ntags: [a\n---\n#a\n",
      "Odd.md": "---\ntopics: &t [a]\ntags: *t\n---\n",
      "Latin.md": new Uint8Array([0x23, 0x61, 0x20, 0xe9]),
    });
    const { skipped } = await renameTag(vault, author, asked("a", "x"));
    expect(skipped?.map(({ path }) => path).toSorted()).toEqual(["Bad.md", "Latin.md", "Odd.md"]);
    expect(read("Bad.md")).toBe("---\ntags: [a\n---\n#x\n");
  });

  it("says so if no note has the tag, with the one that may be meant", async () => {
    const { vault } = vaultWith({ "A.md": "#project" });
    await expect(renameTag(vault, author, asked("projct", "x"))).rejects.toMatchObject({
      code: "not_found",
      hint: "Did you mean #project?",
    });
    await expect(renameTag(vault, author, asked("PROJECT", "project"))).rejects.toThrow("called #project everywhere");
    await expect(renameTag(vault, author, asked("project", "two words"))).rejects.toThrow("cannot be a tag");
    expect((await vault.journal.history()).entries).toEqual([]);
  });

  it("writes nothing if a note changes in between", async () => {
    const made = vaultWith({ "A.md": "#a", "B.md": "#a", "C.md": "#a" });
    const before = made.files();
    const { change } = made.vault.journal;
    const journal: typeof made.vault.journal = {
      ...made.vault.journal,
      change: (about, plan) =>
        change(about, async (read) => {
          const planned = await plan(read);
          made.write("B.md", "#a, changed");
          return planned;
        }),
    };
    await expect(renameTag({ ...made.vault, journal }, author, asked("a", "x"))).rejects.toMatchObject({
      code: "conflict",
    });
    expect(made.files()).toEqual({ ...before, "B.md": "#a, changed" });
  });

  it("writes nothing if it is given up before the first write", async () => {
    const made = vaultWith(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.md`, `#a ${i}`])));
    const before = made.files();
    const giveUp = new AbortController();
    const renaming = renameTag(
      made.vault,
      { ...author, signal: giveUp.signal, onProgress: () => giveUp.abort(new Error("given up")) },
      asked("a", "x"),
    );
    await expect(renaming).rejects.toThrow("given up");
    expect(made.files()).toEqual(before);
  });

  it("follows no link out of the vault", async () => {
    const { vault, folder } = vaultWith({ "A.md": "#a" });
    const outside = join(realpathSync(join(folder, "..")), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "B.md"), "#a");
    symlinkSync(outside, join(folder, "link"));
    symlinkSync(join(outside, "B.md"), join(folder, "B.md"));
    await renameTag(vault, author, asked("a", "x"));
    expect(filesIn(outside)).toEqual({ "B.md": "#a" });
  });
});

describe.each(["kepano", "thousand-notes"])(`renaming tags of the vault %s ${REAL}`, (name) => {
  const { folder, isHere } = realData("vaults", name);
  it.skipIf(!isHere)("changes only tags, leaves none behind, and is undone to the byte", async () => {
    const made: TestVault = vaultWith({});
    cpSync(folder, made.folder, { recursive: true });
    const before = made.files();
    const { answer: tags } = await made.vault.index.tags();
    const roots = new Set(tags.map(({ tag }) => tag.split("/")[0]!));
    for (const tag of [...roots].slice(0, 2)) {
      await renameTag(made.vault, author, asked(tag, "renamed/here"));
      const after = made.files();
      for (const [path, text] of Object.entries(before)) {
        if (!path.endsWith(".md")) continue;
        const moved = factsOf(text).tags.map((one) => {
          const [first = "", ...rest] = one.split("/");
          return first.toLowerCase() === tag.toLowerCase() ? ["renamed/here", ...rest].join("/") : one;
        });
        expect(new Set(factsOf(after[path]!).tags), path).toEqual(new Set(moved));
        const bare = (note: string) => note.toLowerCase().replaceAll("renamed/here", tag.toLowerCase());
        expect(bare(after[path]!), path).toBe(bare(text));
      }
      await made.vault.journal.undo();
      expect(made.files()).toEqual(before);
    }
  });
});
