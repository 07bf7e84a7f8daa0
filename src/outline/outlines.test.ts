import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onPlatform, withAnswers } from "../../test/fixtures/simulated-file-systems.ts";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { addRow } from "./row-changes.ts";
import { makeEmbeddedOutline } from "./embedded-outline.ts";
import { openOutlines, type OpenedOutline, type Outlines } from "./outlines.ts";

let home: string;
let opened: Outlines[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-outlines-")));
  opened = [];
});
afterEach(async () => {
  for (const outlines of opened) await outlines.close();
  rmSync(home, { recursive: true, force: true });
});

function open(file: string | undefined, vault = vaultWith({}), folders: readonly string[] = []): Outlines {
  const outlines = openOutlines({
    file,
    isEmbedded: false,
    folders,
    vaults: [{ folder: vault.folder, open: async () => vault.vault }],
    journalFolder: join(home, "journal"),
    idFolder: join(home, "ids"),
    log: () => {},
  });
  opened.push(outlines);
  return outlines.forClient(session());
}

/** A client that keeps the outline that it opened. */
function session(): OpenedOutline {
  let path: string | undefined;
  return {
    read: async () => path,
    keep: async (given) => {
      path = given;
    },
  };
}

const add = async (outlines: Outlines, topic: string) =>
  addRow(await outlines.current(), { tool: "add_row" }, { topic }, { position: "last" });
const topics = async (outlines: Outlines) => {
  const outline = await (await outlines.current()).read();
  return outline.topIds.map((id) => outline.row(id)!.topic);
};

describe("outline documents", () => {
  it("are closed when others are opened, without losing anything", async () => {
    const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.md`);
    for (const name of names) writeFileSync(join(home, name), `- ${name}\n`);
    const outlines = open(join(home, "a.md"), undefined, [home]);
    const first = await outlines.current();
    const ids = (await first.read()).topIds;
    for (const name of names) {
      await outlines.open(name);
      await add(outlines, `new in ${name}`);
    }
    await outlines.open("a.md");
    expect(await topics(outlines)).toEqual(["a.md", "new in a.md"]);
    expect((await (await outlines.current()).read()).topIds[0]).toBe(ids[0]);
    expect(await outlines.current()).not.toBe(first);
    expect(await outlines.journals("near")).toHaveLength(5);
  });

  it("include the configured file in another case, if that is the same file", async () => {
    writeFileSync(join(home, "Plan.md"), "- a\n");
    const asked = join(home, "plan.MD");
    const file = join(home, "Plan.md");
    await expect(open(file).open(asked)).rejects.toThrow("Access denied");
    await onPlatform("win32", async () => {
      const document = await open(file).open(asked);
      expect((await document.read()).path).toBe(file);
      await expect(open(file).open(join(home, "plans.MD"))).rejects.toThrow("Access denied");
    });
    // As on a disk of macOS.
    const { statSync } = fs;
    const answers = { statSync: (path: string, options: never) => statSync(path === asked ? file : path, options) };
    await withAnswers(answers, async () => expect((await (await open(file).open(asked)).read()).path).toBe(file));
  });

  it("in the vault are not created with names that Windows reserves", async () => {
    const vault = vaultWith({ "CON/old.md": "" });
    const outlines = open(undefined, vault);
    for (const sent of ["aux.opml", "a/nul.md", "x:y.md", "b /c.md"])
      await expect(outlines.create({ tool: "create_document" }, sent)).rejects.toThrow(`Invalid path: ${sent}`);
    await outlines.create({ tool: "create_document" }, "CON/new.md");
    expect(Object.keys(vault.files()).toSorted()).toEqual(["CON/new.md", "CON/old.md"]);
  });

  it("in the vault use the vault's journal, whatever path they are opened by", async () => {
    const vault = vaultWith({ "Lists/Plan.md": "- one\n", "Other.md": "- other\n" });
    symlinkSync(join(vault.folder, "Lists", "Plan.md"), join(home, "link.md"));
    const outlines = open(join(home, "link.md"), vault);
    expect(await outlines.openable()).toMatchObject([
      { path: join(home, "link.md"), isCurrent: true },
      { path: "Other.md" },
    ]);
    await add(outlines, "two");
    expect(vault.read("Lists/Plan.md")).toBe("- one\n- two\n");
    expect(await outlines.journals("all")).toEqual([]);
    expect((await vault.vault.journal.history()).entries).toMatchObject([
      { tool: "add_row", paths: ["Lists/Plan.md"] },
    ]);
    await outlines.open(join(vault.folder, "Other.md"));
    expect(await topics(outlines)).toEqual(["other"]);
    await outlines.open("/Lists/Plan");
    expect(await topics(outlines)).toEqual(["one", "two"]);
  });

  it("that another process changed are found by their journals", async () => {
    const lists = join(home, "lists");
    mkdirSync(join(lists, "deep"), { recursive: true });
    for (const name of ["deep/a.opml", "b.opml"])
      writeFileSync(join(lists, name), '<opml version="2.0"><body><outline text="x"/></body></opml>');
    writeFileSync(join(home, "plan.md"), "- plan\n");
    const other = open(join(lists, "deep", "a.opml"));
    await add(other, "by another");
    const outlines = open(join(home, "plan.md"), undefined, [lists]);
    expect(await outlines.journals("near")).toHaveLength(1);
    const journals = await outlines.journals("all");
    expect(journals).toHaveLength(2);
    const histories = await Promise.all(journals.map((journal) => journal.history()));
    expect(histories.flatMap(({ entries }) => entries)).toMatchObject([{ paths: ["a.opml"] }]);
  });

  it("can be opened if the application is configured but does not run", async () => {
    const outlines = open(undefined, vaultWith({ "Plan.md": "- one\n" }));
    await expect(outlines.current()).rejects.toMatchObject({ code: "app_not_running" });
    expect(await outlines.openable()).toHaveLength(1);
    await outlines.open("Plan.md");
    expect(await topics(outlines)).toEqual(["one"]);
  });

  it("that cannot be read do not become current", async () => {
    writeFileSync(join(home, "plan.md"), "- plan\n");
    writeFileSync(join(home, "broken.opml"), "<opml>");
    const outlines = open(join(home, "plan.md"), undefined, [home]);
    await expect(outlines.open("broken.opml")).rejects.toThrow();
    expect(await topics(outlines)).toEqual(["plan"]);
  });

  it("are listed once, outlines before notes, without the contents of packages", async () => {
    const vault = vaultWith({ "Note.md": "1. one\n", "Prose.md": "-no list\n", "Z.opml": "<opml/>" });
    const lists = join(home, "lists");
    mkdirSync(join(lists, "Book.oo3"), { recursive: true });
    writeFileSync(join(lists, "Book.oo3", "contents.xml"), "");
    writeFileSync(join(lists, "Book.oo3", "inside.opml"), "");
    const outlines = open(join(vault.folder, "Z.opml"), vault, [lists, vault.folder]);
    expect(await outlines.openable()).toMatchObject([
      { path: join(vault.folder, "Z.opml"), name: "Z.opml", isCurrent: true },
      { path: join(lists, "Book.oo3"), name: "Book.oo3" },
      { path: "Note.md", isCurrent: false },
    ]);
  });
});

describe("the outline of a person", () => {
  /** With the guide in the configured file, unless it has other text. */
  function openedAs(given: { isEmbedded?: boolean; isVaultEmbedded?: boolean; text?: string; isThere?: boolean }) {
    const { isEmbedded = true, isVaultEmbedded = false, text, isThere = true } = given;
    const file = join(home, "outline.opml");
    makeEmbeddedOutline(file);
    if (text !== undefined) writeFileSync(file, text);
    if (!isThere) rmSync(file);
    const { vault, folder } = vaultWith({});
    const folders = { journalFolder: join(home, "journal"), idFolder: join(home, "ids"), folders: [home] };
    const outlines = openOutlines({
      file,
      isEmbedded,
      isVaultEmbedded,
      ...folders,
      log: () => {},
      vaults: [{ folder, open: async () => vault }],
    });
    opened.push(outlines);
    return outlines.forClient(session());
  }
  const isFound = async (outlines: Outlines) => (await outlines.currentOfPerson()) !== undefined;

  it("is not the guide, beside a vault of their own", async () => {
    expect(await isFound(openedAs({}))).toBe(false);
  });

  it("is the guide beside the guide's vault, or if it was configured, changed or opened", async () => {
    expect(await isFound(openedAs({ isVaultEmbedded: true }))).toBe(true);
    expect(await isFound(openedAs({ isEmbedded: false }))).toBe(true);
    expect(await isFound(openedAs({ text: '<opml version="2.0"><body><outline text="Mine"/></body></opml>' }))).toBe(
      true,
    );
    const outlines = openedAs({});
    writeFileSync(join(home, "other.md"), "- mine\n");
    await outlines.open("other.md");
    expect(await isFound(outlines)).toBe(true);
  });

  it("is none if the guide was deleted", async () => {
    expect(await isFound(openedAs({ isThere: false }))).toBe(false);
  });

  it("is looked for in folders until the call is cancelled", async () => {
    const outlines = openedAs({});
    expect(await outlines.inFolders(new AbortController().signal)).toHaveLength(1);
    await expect(outlines.inFolders(AbortSignal.abort())).rejects.toThrow("aborted");
  });
});
