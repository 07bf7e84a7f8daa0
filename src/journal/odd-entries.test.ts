// Entries that may be on a disk although no call could have created them: names that the
// parser refuses, links, names of full length, very deep folders and large files.
// The journal must handle all of it.
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { processorSecondsOf } from "../../test/growth.ts";
import { contentHash, temporaryName } from "../files/disk/atomic.ts";
import { openDatabase } from "../sqlite/open.ts";
import type { VaultPath } from "../files/vault/vault-path.ts";
import { encode, type Action } from "./plan/action.ts";
import type { Journal } from "./journal.ts";
import type { Step } from "./plan/step.ts";

/** As a walk lists it. */
const listed = (path: string) => path as VaultPath;
const hashOf = (text: string) => contentHash(Buffer.from(text));
const create = (path: string, text: string | Buffer): Step => ({
  kind: "create",
  path: listed(path),
  bytes: Buffer.from(text),
});
const rename = (path: string, to: string): Step => ({ kind: "rename", path: listed(path), to: listed(to) });
const remove = (path: string): Step => ({ kind: "remove", path: listed(path) });
const replace = (path: string, before: string, text: string): Step => ({
  kind: "replace",
  path: listed(path),
  before: hashOf(before),
  bytes: Buffer.from(text),
});

async function change(journal: Journal, ...steps: Step[]) {
  return (await journal.change({ tool: "test" }, () => ({ message: "A change", steps })))!;
}

const move = (path: string, to: string, fingerprint: string): Action => ({
  kind: "move",
  path: listed(path),
  to: listed(to),
  fingerprint,
});
/** A file that was to be written. */
const put = (path: string, folder = ""): Action => ({
  kind: "put",
  path: listed(path),
  temporary: listed(folder + temporaryName()),
  after: hashOf("x"),
});

/** Makes the newest entry what a killed process left: planned, with these actions. */
async function leave(vault: TemporaryVault, actions: string | readonly Action[]): Promise<void> {
  const made = vault.another();
  await change(made, create("for the entry.md", ""));
  await made.close();
  rmSync(join(vault.folder, "for the entry.md"));
  const name = readdirSync(vault.journals).find((file) => /^[0-9a-f]{32}\.db$/.test(file))!;
  const database = openDatabase(join(vault.journals, name));
  const { text, removed } = typeof actions === "string" ? { text: actions, removed: Buffer.alloc(0) } : encode(actions);
  database
    .prepare("UPDATE entry SET state = 0, actions = ?, removed = ? WHERE number = (SELECT max(number) FROM entry)")
    .run(text, removed);
  database.close();
}

test("an undo that was killed just before it removed an emptied folder is completed", async () => {
  const vault = temporaryVault();
  mkdirSync(join(vault.folder, "made", "for it"), { recursive: true });
  mkdirSync(join(vault.folder, "made", "used since"));
  vault.write(".trash/note.md", "x");
  const unmake = (path: string): Action => ({ kind: "unmake", path: listed(path), implied: true });
  await leave(vault, [
    move("made/for it/note.md", ".trash/note.md", hashOf("x")),
    unmake("made/for it"),
    unmake("made"),
    unmake("gone/long ago"),
  ]);
  await change(vault.journal);
  expect(everythingIn(vault.folder)).toEqual({ "made/": "", "made/used since/": "" });
});

describe("a move that was killed when an empty file had claimed the new name", () => {
  test.each(["text", ""])("is rolled back if the note contains %j", async (text) => {
    const vault = temporaryVault();
    vault.write("a.md", text);
    vault.write("b.md", "");
    await leave(vault, [move("a.md", "b.md", hashOf(text))]);
    await change(vault.journal, create("next.md", ""));
    expect(everythingIn(vault.folder)).toEqual({ "a.md": text, "next.md": "" });
    expect((await vault.journal.history()).entries).toHaveLength(1);
  });
});

test("a recovery that was killed while it claimed a note's old name continues from there", async () => {
  const vault = temporaryVault();
  // On a disk without links an empty file claims the name, then what moved takes its place.
  vault.write("note.md", "");
  vault.write(".trash/note.md", "x");
  await leave(vault, [move("note.md", ".trash/note.md", hashOf("x")), put("never made.md")]);
  await change(vault.journal);
  expect(everythingIn(vault.folder, { withTrash: true })).toEqual({ ".trash/": "", "note.md": "x" });
});

test("a change that was rolled back is not rolled back again, when its file is written by somebody else", async () => {
  const vault = temporaryVault();
  vault.write("note.md", "x");
  await leave(vault, [put("note.md"), put("never made.md")]);
  await change(vault.journal);
  expect(everythingIn(vault.folder)).toEqual({});
  vault.write("note.md", "x");
  await change(vault.journal);
  expect(everythingIn(vault.folder)).toEqual({ "note.md": "x" });
  expect(vault.logged).toEqual(["an interrupted change is rolled back: test, A change"]);
});

test("an empty note at the old path of another stays, if something else is in the trash under that name", async () => {
  const vault = temporaryVault();
  vault.write("note.md", "");
  vault.write(".trash/note.md", "not what was moved");
  await leave(vault, [move("note.md", ".trash/note.md", hashOf("x")), put("never made.md")]);
  await change(vault.journal);
  expect(everythingIn(vault.folder, { withTrash: true })).toEqual({
    ".trash/": "",
    ".trash/note.md": "not what was moved",
    "note.md": "",
  });
});

const onlyWindows = process.platform === "win32";

describe.skipIf(onlyWindows)("names that only the disk can have", () => {
  test.each(["Q: why.md", "a\\b.md", "line\nbreak.md", "C:/inside a drive.md"])(
    "%j is changed, listed, undone and redone",
    async (name) => {
      const vault = temporaryVault();
      vault.write(name, "see [[a]]");
      vault.write("a.md", "a");
      await change(vault.journal, replace(name, "see [[a]]", "see [[b]]"), rename("a.md", "b.md"));
      expect((await vault.journal.history()).entries[0]?.paths).toContain(name);
      await vault.another().undo();
      expect(vault.text(name)).toBe("see [[a]]");
      await vault.journal.redo();
      expect(vault.text(name)).toBe("see [[b]]");
      await change(vault.journal, remove(name));
      await vault.journal.undo();
      expect(vault.text(name)).toBe("see [[b]]");
    },
  );

  test("a move that was killed half-way with such a name in it is rolled back", async () => {
    const vault = temporaryVault();
    vault.write("Q: why.md", "see [[b]]");
    vault.write("a.md", "a");
    await leave(vault, [
      {
        kind: "patch",
        path: listed("Q: why.md"),
        temporary: listed(temporaryName()),
        before: hashOf("see [[a]]"),
        after: hashOf("see [[b]]"),
        splices: [{ offset: 6, length: 1, removed: Buffer.from("a") }],
      },
      move("a.md", "b.md", hashOf("a")),
    ]);
    await change(vault.journal, create("next.md", ""));
    expect(everythingIn(vault.folder)).toEqual({ "Q: why.md": "see [[a]]", "a.md": "a", "next.md": "" });
    expect(vault.logged).toEqual(["an interrupted change is rolled back: test, A change"]);
  });
});

describe("an entry that cannot be read or rolled back", () => {
  test.each([
    ["leads out", '[{"kind":"put","path":"../out.md","temporary":"../x","after":""}]'],
    ["holds no actions", "[null]"],
    ["is cut off", '[{"kind":"put","path":"a'],
  ])("because it %s stops neither changes nor the history", async (_, actions) => {
    const vault = temporaryVault();
    await leave(vault, actions);
    await change(vault.journal, create("next.md", "next"));
    expect(vault.logged).toEqual([
      "an interrupted change cannot be read, and its files stay as they are: test, A change",
    ]);
    const { entries } = await vault.journal.history();
    expect(entries.map(({ paths }) => paths)).toEqual([["next.md"], []]);
    await vault.journal.undo();
    await expect(vault.journal.undo()).rejects.toMatchObject({ code: "denied", message: /is damaged/ });
    await change(vault.journal, create("more.md", ""));
    expect(everythingIn(vault.folder)).toEqual({ "more.md": "" });
  });

  test("because a folder is a file, a link or gone now, is rolled back as far as possible", async () => {
    const vault = temporaryVault();
    vault.write("was a folder", "");
    vault.write("b.md", "b");
    symlinkSync(vault.home, join(vault.folder, "out"));
    await leave(vault, [
      move("a.md", "b.md", hashOf("b")),
      { kind: "unmake", path: listed("gone/folder"), implied: false },
      put("was a folder/x.md", "was a folder/"),
      put("out/x.md", "out/"),
      put("never.md"),
    ]);
    await change(vault.journal, create("next.md", ""));
    expect(readdirSync(vault.folder).sort()).toEqual(["a.md", "next.md", "out", "was a folder"]);
    expect(vault.logged).toEqual([
      "an interrupted change is rolled back: test, A change",
      "an interrupted change could not be rolled back for " +
        "out/x.md, was a folder/x.md, gone/folder (test, A change)",
    ]);
    await change(vault.journal, create("again.md", ""));
    expect(vault.logged).toHaveLength(2);
  });
});

describe("large files", () => {
  test("of 17 MB are created, moved with a changed link and undone; a change in between is noticed", async () => {
    const vault = temporaryVault();
    const large = Buffer.alloc(17 * 1024 * 1024, "large ");
    const created = await change(vault.journal, create("large.md", large));
    const moved = await change(
      vault.journal,
      { kind: "replace", path: listed("large.md"), before: contentHash(large), bytes: Buffer.concat([large, large]) },
      rename("large.md", "moved.md"),
    );
    await vault.journal.undo({ id: moved.id });
    await vault.journal.undo({ id: created.id });
    expect(everythingIn(vault.folder)).toEqual({});
    await vault.journal.redo({ id: created.id });
    expect(readFileSync(join(vault.folder, "large.md")).equals(large)).toBe(true);
    appendFileSync(join(vault.folder, "large.md"), "x");
    await expect(vault.journal.undo({ id: created.id })).rejects.toThrow("large.md was changed since");
  });
});

test.each([
  ["a folder", "a." + "x".repeat(253)],
  ["a file", "a." + "x".repeat(253)],
  ["a file", "ab." + "ü".repeat(126)],
  ["a folder", "🗂".repeat(63) + "abc"],
  ["a file", "🗂".repeat(62) + ".md"],
])("%s whose name has 255 bytes goes to the trash again and again", async (what, name) => {
  const vault = temporaryVault();
  for (let round = 0; round < 12; round++) {
    await change(vault.journal, what === "a file" ? create(name, "x") : { kind: "folder", path: listed(name) });
    await change(vault.journal, remove(name));
  }
  const trash = readdirSync(join(vault.folder, ".trash"));
  expect(trash).toHaveLength(12);
  for (const each of trash) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(255);
  for (let step = 0; step < 24; step++) await vault.journal.undo();
  for (let step = 0; step < 23; step++) await vault.journal.redo();
  expect(readdirSync(vault.folder)).toContain(name);
});

test("a folder in the trash keeps its whole name before the number, a file its extension after it", async () => {
  const vault = temporaryVault();
  for (let round = 0; round < 2; round++) {
    await change(vault.journal, { kind: "folder", path: listed("v1.2 plan") }, create("v1.2 plan.md", ""));
    await change(vault.journal, remove("v1.2 plan"), remove("v1.2 plan.md"));
  }
  expect(readdirSync(join(vault.folder, ".trash")).sort()).toEqual([
    "v1.2 plan",
    "v1.2 plan 2",
    "v1.2 plan 2.md",
    "v1.2 plan.md",
  ]);
});

describe.skipIf(onlyWindows)("links", () => {
  const linked = () => {
    const vault = temporaryVault();
    vault.write("real/a.md", "a");
    mkdirSync(join(vault.folder, "links", "deep"), { recursive: true });
    symlinkSync("../../real/a.md", join(vault.folder, "links", "deep", "note.md"));
    symlinkSync("../../real", join(vault.folder, "links", "deep", "folder"));
    return vault;
  };
  const isLink = (vault: TemporaryVault, path: string) => lstatSync(join(vault.folder, path)).isSymbolicLink();

  test("are not moved by themselves, and nothing else of the change happens", async () => {
    const vault = linked();
    for (const name of ["links/deep/note.md", "links/deep/folder"])
      await expect(change(vault.journal, create("x.md", ""), rename(name, "moved.md"))).rejects.toMatchObject({
        code: "invalid",
        message: `${name} is a link: move its target instead. Nothing was changed.`,
      });
    expect(readdirSync(vault.folder).sort()).toEqual(["links", "real"]);
    expect((await vault.journal.history()).entries).toEqual([]);
    await change(vault.journal, rename("links/deep/folder/a.md", "moved.md"));
    expect(vault.text("moved.md")).toBe("a");
  });

  test("go to the trash and come back, though they are broken there", async () => {
    const vault = linked();
    for (const name of ["links/deep/note.md", "links/deep/folder"]) {
      await change(vault.journal, remove(name));
      expect(existsSync(join(vault.folder, "real", "a.md"))).toBe(true);
      await vault.journal.undo();
      expect(isLink(vault, name)).toBe(true);
      await vault.journal.redo();
      // The same name again: what is in the trash is in the way, even as a link to nothing.
      symlinkSync("../../real/a.md", join(vault.folder, name));
      await change(vault.journal, remove(name));
      await vault.journal.undo();
      expect(readlinkSync(join(vault.folder, name))).toBe("../../real/a.md");
    }
    expect(vault.text("real/a.md")).toBe("a");
  });

  test("whose removal was killed half-way are restored", async () => {
    const vault = linked();
    mkdirSync(join(vault.folder, ".trash"));
    renameSync(join(vault.folder, "links", "deep", "note.md"), join(vault.folder, ".trash", "note.md"));
    await leave(vault, [move("links/deep/note.md", ".trash/note.md", "link:../../real/a.md"), put("never.md")]);
    await change(vault.journal, create("next.md", ""));
    expect(vault.text("links/deep/note.md")).toBe("a");
  });

  test("that are broken count as content of their folder", async () => {
    const vault = temporaryVault();
    await change(vault.journal, { kind: "folder", path: listed("made") });
    symlinkSync("nothing.md", join(vault.folder, "made", "dangling.md"));
    await expect(vault.journal.undo()).rejects.toThrow("the folder made is not empty");
    expect(readdirSync(join(vault.folder, "made"))).toEqual(["dangling.md"]);
  });
});

test("a note below many missing folders costs no more than the folders, and is undone", async () => {
  const vault = temporaryVault();
  const room = process.platform === "linux" ? 900 : 300;
  const seconds = await processorSecondsOf(async () => {
    for (const depth of [room / 3, room]) {
      await change(vault.journal, create(`${depth} ${"d/".repeat(depth)}x.md`, "deep"));
      await vault.journal.undo();
      expect(everythingIn(vault.folder)).toEqual({});
    }
  });
  expect(seconds, "it took 55 before").toBeLessThan(20);
  const long = `${"long name/".repeat(410)}x.md`;
  await expect(change(vault.journal, create(long, ""))).rejects.toThrow("Invalid path: long name/");
});
