// A document in a file: parsed again when it has changed, changed under the lock,
// and never written over what another program wrote.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { everythingIn, temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { FIXTURES, OPML, V3, V5, zipOf } from "../../../test/fixtures/outline-files.ts";
import { parseVaultPath } from "../../files/vault/vault-path.ts";
import type { Journal } from "../../journal/journal.ts";
import { openFileDocument } from "./file-document.ts";
import type { Edit, Outline } from "../model.ts";

function given(name: string, content?: string | Buffer) {
  const vault = temporaryVault();
  if (content !== undefined) vault.write(name, content);
  const log: string[] = [];
  const open = (journal: Journal = vault.journal) =>
    openFileDocument({
      root: vault.files,
      path: parseVaultPath(name),
      journal,
      idFolder: join(vault.home, "ids"),
      log: (message) => log.push(message),
    });
  const document = open();
  const apply = (...edits: Edit[]) => document.change({ tool: "test" }, () => ({ edits, message: "Edited" }));
  return { vault, file: join(vault.folder, name), document, apply, open, log };
}

const add = (topic: string, parentId: string | null = null): Edit => ({
  kind: "add",
  rows: [{ topic }],
  position: { parentId, index: 0 },
});
const topics = (outline: Outline) => outline.topIds.map((id) => outline.row(id)!.topic);

describe("reading a document", () => {
  it("returns its name, its path and its rows", async () => {
    const { document, file } = given("list.opml", OPML);
    const outline = await document.read();
    expect(outline).toMatchObject({ name: "list.opml", path: file, format: "opml", rowCount: 6 });
    expect(topics(outline)).toEqual(["One", 'two "quoted"', ""]);
    const row = outline.row(outline.topIds[0]!)!;
    expect(row).toMatchObject({ level: 0, parentId: null, state: "none", descendants: 3, note: null });
    expect(outline.row(row.childIds[0]!)).toMatchObject({
      topic: "A <b> & c",
      note: "first\nsecond",
      level: 1,
      parentId: row.id,
      state: "checked",
    });
    expect(outline.row("nobody")).toBeUndefined();
  });

  it("sees what another program wrote, also with the same size and the same time", async () => {
    const { document, file } = given("list.md", "- one\n");
    expect(topics(await document.read())).toEqual(["one"]);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, "- two\n");
    utimesSync(file, atime, mtime);
    expect(topics(await document.read())).toEqual(["two"]);
  });

  it("does not read a file again that has not changed", async () => {
    const { document, file } = given("list.md", "- one\n");
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
    // A file that was just changed is read again in any case.
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const first = await document.read();
    expect(await document.read()).toBe(first);
  });

  it("does not change an outline that was read before", async () => {
    const { document, apply } = given("list.md", "- one\n");
    const before = await document.read();
    await apply(add("zero"));
    expect(topics(before)).toEqual(["one"]);
    expect(topics(await document.read())).toEqual(["zero", "one"]);
  });

  it("reports that there is no document if its file is gone, and reads it again when it is back", async () => {
    const { document, file, apply } = given("list.md", "- one\n");
    await document.read();
    renameSync(file, `${file}.away`);
    await expect(document.read()).rejects.toMatchObject({ code: "no_document" });
    await expect(apply(add("x"))).rejects.toMatchObject({ code: "no_document" });
    renameSync(`${file}.away`, file);
    expect(topics(await document.read())).toEqual(["one"]);
  });
});

describe("changing a document", () => {
  it("saves the change before it returns", async () => {
    const { apply, file } = given("list.md", "- one\n");
    const { added, outline } = await apply(add("zero"));
    expect(readFileSync(file, "utf8")).toBe("- zero\n- one\n");
    expect(outline.row(added[0]!)).toMatchObject({ topic: "zero" });
  });

  it("gives another version each time, and the old one after an undo", async () => {
    const { document, apply, vault } = given("list.md", "- one\n");
    const first = await document.read();
    const second = (await apply(add("zero"))).outline;
    expect(second.version).not.toBe(first.version);
    expect((await document.read()).version).toBe(second.version);
    expect([await document.canUndo(), await document.canRedo()]).toEqual([true, false]);
    await vault.journal.undo();
    expect((await document.read()).version).toBe(first.version);
    expect([await document.canUndo(), await document.canRedo()]).toEqual([false, true]);
    await vault.journal.redo();
    expect((await document.read()).version).toBe(second.version);
    expect((await document.read()).topIds).toEqual(second.topIds);
  });

  it("is refused for a stale version, with the current one", async () => {
    const { document, apply } = given("list.md", "- one\n");
    const { version } = await document.read();
    const { outline } = await apply(add("zero"));
    const stale = document.change({ tool: "test", expectedVersion: version }, () => ({
      edits: [add("x")],
      message: "",
    }));
    await expect(stale).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(outline.version) });
    await document.change({ tool: "test", expectedVersion: outline.version }, () => ({
      edits: [add("x")],
      message: "",
    }));
    expect(topics(await document.read())).toEqual(["x", "zero", "one"]);
  });

  it("starts from what another program has just written, with the same size and time", async () => {
    const { document, apply, file } = given("list.md", "- one\n- two\n");
    const [, two] = (await document.read()).topIds;
    const { atime, mtime } = statSync(file);
    writeFileSync(file, "- ONE\n- two\n");
    utimesSync(file, atime, mtime);
    await apply({ kind: "update", id: two!, topic: "2" });
    expect(readFileSync(file, "utf8")).toBe("- ONE\n- 2\n");
  });

  it("is planned again if a program writes between our read and our rename", async () => {
    const { vault, open, file } = given("list.md", "- one\n");
    let plans = 0;
    const document = open({
      ...vault.journal,
      change: (about, plan) =>
        vault.journal.change(about, async (read) => {
          const planned = await plan(read);
          if (plans++ === 0) writeFileSync(file, "- outside\n- one\n");
          return planned;
        }),
    });
    await document.change({ tool: "test" }, () => ({ edits: [add("zero")], message: "" }));
    expect(readFileSync(file, "utf8")).toBe("- zero\n- outside\n- one\n");
    expect(plans).toBe(2);
  });

  it("reports a row that no longer exists", async () => {
    const { document, apply, file } = given("list.md", "- one\n- two\n");
    const [, two] = (await document.read()).topIds;
    writeFileSync(file, "- one\n");
    await expect(apply({ kind: "update", id: two!, topic: "2" })).rejects.toMatchObject({ code: "row_not_found" });
    expect(readFileSync(file, "utf8")).toBe("- one\n");
  });

  it("writes nothing and is not in the history if nothing changes", async () => {
    const { document, apply, vault, file } = given("list.md", "- one\n");
    const [one] = (await document.read()).topIds;
    const before = statSync(file);
    const { outline } = await apply({ kind: "update", id: one!, topic: "one" });
    expect(outline.version).toBe((await document.read()).version);
    expect(statSync(file).mtimeMs).toBe(before.mtimeMs);
    expect((await vault.journal.history()).entries).toEqual([]);
  });

  it("does not compress the document again if nothing changes", async () => {
    const { document, apply, vault, file } = given("plan.ooutline", zipOf({ "contents.xml": V5 }));
    const before = readFileSync(file);
    const [first] = (await document.read()).topIds;
    await apply({ kind: "update", id: first!, topic: "First" });
    await apply({ kind: "move", id: first!, position: { parentId: null, index: 0 } });
    expect(readFileSync(file)).toEqual(before);
    expect((await vault.journal.history()).entries).toEqual([]);
  });

  it("is saved if only the last of several edits changes nothing", async () => {
    const { document, apply, file } = given("list.md", "- one\n- two\n");
    const [one] = (await document.read()).topIds;
    await apply(
      { kind: "update", id: one!, topic: "1" },
      { kind: "move", id: one!, position: { parentId: null, index: 0 } },
    );
    expect(readFileSync(file, "utf8")).toBe("- 1\n- two\n");
  });

  it("changes nothing if it fails half-way", async () => {
    const { document, apply, vault } = given("list.opml", OPML);
    const before = everythingIn(vault.folder);
    const [one] = (await document.read()).topIds;
    await expect(apply(add("x"), { kind: "update", id: one!, topic: "\u0001" })).rejects.toMatchObject({
      code: "invalid",
    });
    expect(everythingIn(vault.folder)).toEqual(before);
    expect((await document.read()).rowCount).toBe(6);
  });

  it("keeps the journal small: it contains only what was replaced", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `<outline text="row number ${row}"/>`).join("\n");
    const { document, apply, vault } = given("large.opml", `<opml><body>\n${rows}\n</body></opml>`);
    const { topIds } = await document.read();
    await apply({ kind: "delete", id: topIds[3]! }, { kind: "delete", id: topIds[19_990]! });
    await apply({ kind: "update", id: topIds[5]!, state: "checked" });
    const size = readdirSync(vault.journals).reduce((sum, name) => sum + statSync(join(vault.journals, name)).size, 0);
    expect(size).toBeLessThan(1_500_000);
  });
});

describe("a package folder", () => {
  it.each([
    ["plain", Buffer.from(V3)],
    ["gzip", gzipSync(V3)],
  ])("has only its contents.xml replaced, still %s", async (kind, contents) => {
    const { vault, document, apply } = given("notes.oo3");
    mkdirSync(join(vault.folder, "notes.oo3"));
    vault.write("notes.oo3/contents.xml", contents);
    vault.write("notes.oo3/image.png", Buffer.from([1, 2, 3]));
    expect(await document.read()).toMatchObject({ name: "notes.oo3", format: "oo3", rowCount: 4 });
    await apply(add("new"));
    const written = readFileSync(join(vault.folder, "notes.oo3", "contents.xml"));
    expect((kind === "gzip" ? gunzipSync(written) : written).toString()).toContain("<lit>new</lit>");
    expect(Object.keys(everythingIn(vault.folder)).toSorted()).toEqual([
      "notes.oo3/",
      "notes.oo3/contents.xml",
      "notes.oo3/image.png",
    ]);
    expect(await document.canUndo()).toBe(true);
    await vault.journal.undo();
    expect(readFileSync(join(vault.folder, "notes.oo3", "contents.xml"))).toEqual(contents);
  });
});

describe("ids of rows in a file without ids", () => {
  it("are the same in every process, and after a restart", async () => {
    const { document, open, vault } = given("list.opml", OPML);
    const { topIds } = await document.read();
    expect((await open(vault.another()).read()).topIds).toEqual(topIds);
    rmSync(join(vault.home, "ids"), { recursive: true });
    expect((await open(vault.another()).read()).topIds, "the first ids follow from the position").toEqual(topIds);
  });

  it("stay with their rows through edits, ours and those of other programs", async () => {
    const { document, apply, open, file, vault } = given("list.md", "- one\n- two\n- three\n");
    const [one, two, three] = (await document.read()).topIds;
    const { added } = await apply({ kind: "move", id: three!, position: { parentId: one!, index: 0 } }, add("zero"));
    writeFileSync(file, readFileSync(file, "utf8").replace("- two", "- zwei\n- drei"));
    const outline = await open(vault.another()).read();
    expect(outline.row(one!)).toMatchObject({ topic: "one", childIds: [three] });
    expect(outline.row(two!)).toMatchObject({ topic: "zwei" });
    expect(outline.row(added[0]!)).toMatchObject({ topic: "zero" });
  });

  it("are restored by an undo", async () => {
    const { document, apply, vault } = given("list.md", "- a\n- a\n- a\n");
    const before = await document.read();
    await apply({ kind: "delete", id: before.topIds[1]! });
    await vault.journal.undo();
    expect((await document.read()).topIds).toEqual(before.topIds);
  });

  it("stay with their rows after the clock was set back, though only the newest states are kept", async () => {
    const { document, apply, open, file, vault } = given("list.md", "- one\n- two\n");
    const [one] = (await document.read()).topIds;
    for (let i = 0; i < 70; i++) await apply({ kind: "update", id: one!, topic: `topic ${i}` });
    const [folder] = readdirSync(join(vault.home, "ids"));
    const states = join(vault.home, "ids", folder!);
    const ahead = Date.now() / 1000 + 400 * 24 * 60 * 60;
    for (const name of readdirSync(states)) utimesSync(join(states, name), ahead, ahead);
    const { added } = await apply(add("three"));
    writeFileSync(file, readFileSync(file, "utf8").replace("- three", "- drei\n- three"));
    expect((await open(vault.another()).read()).row(added[0]!)).toMatchObject({ topic: "three" });
  });

  it("are known to another process as soon as it sees the row", async () => {
    const { apply, open, vault } = given("list.md", "- a\n");
    const other = open(vault.another());
    await other.read();
    const { outline } = await apply(add("a"), add("a"));
    expect((await other.read()).topIds).toEqual(outline.topIds);
  });

  it("leave the file and its folder clean", async () => {
    const { document, apply, vault } = given("list.md", "- a\n");
    await document.read();
    await apply(add("b"));
    expect(everythingIn(vault.folder)).toEqual({ "list.md": "- b\n- a\n" });
  });

  it("are computed again if the stored ones are damaged", async () => {
    const { document, open, vault, log } = given("list.md", "- a\n- b\n");
    const { topIds } = await document.read();
    const [folder] = readdirSync(join(vault.home, "ids"));
    for (const name of readdirSync(join(vault.home, "ids", folder!)))
      truncateSync(join(vault.home, "ids", folder!, name), 20);
    expect((await open(vault.another()).read()).topIds).toEqual(topIds);
    expect(log).toEqual([]);
  });

  it("do not make a change fail if they cannot be stored", async () => {
    const { document, vault, log, apply } = given("list.md", "- a\n");
    writeFileSync(join(vault.home, "ids"), "a file is in the way");
    expect(topics(await document.read())).toEqual(["a"]);
    await apply(add("b"));
    expect(topics(await document.read())).toEqual(["b", "a"]);
    expect(log.join()).toContain("could not be stored");
  });

  it("are stored for a limited number of states", async () => {
    const { apply, vault } = given("list.md", "- a\n");
    for (let number = 0; number < 70; number++) await apply(add(`row ${number}`));
    const [folder] = readdirSync(join(vault.home, "ids"));
    expect(readdirSync(join(vault.home, "ids", folder!)).length).toBeLessThanOrEqual(65);
  });
});

describe("a note of the vault", () => {
  it("is changed through the vault's journal", async () => {
    const { apply, vault } = given("Projects/plan.md", "# Plan\n\nText.\n\n- [ ] a\n");
    await apply(add("b"));
    expect((await vault.journal.history()).entries).toMatchObject([{ tool: "test", paths: ["Projects/plan.md"] }]);
  });
});

it("an edit compresses the document once, and can be read back", async () => {
  const { apply, vault, document } = given("plan.ooutline", zipOf({ "contents.xml": V5, "editors.xml": "<e/>" }));
  await apply(add("new"), add("newer"));
  const fresh = openFileDocument({
    root: vault.files,
    path: parseVaultPath("plan.ooutline"),
    journal: vault.another(),
    idFolder: vault.home,
    log: () => {},
  });
  expect((await fresh.read()).topIds).toEqual((await document.read()).topIds);
  expect((await fresh.read()).rowCount).toBe(7);
});

it.each(FIXTURES)("$name does not change when it is only opened", async ({ name, bytes }) => {
  const { document, file } = given(name, bytes);
  await document.read();
  await document.change({ tool: "test" }, () => ({ edits: [], message: "" }));
  expect(readFileSync(file)).toEqual(bytes);
});
