// The text of PDF files in the index: read once, after the sweep, and again only
// when a file changes. The reader is a stand-in; test/e2e/files has the real one.
import { mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { parseQuery } from "../../search/query.ts";
import { type PdfReader, UnreadablePdf } from "../pdf/pdf-reader.ts";
import { openNoteDatabase, type NoteDatabase } from "./note-database.ts";
import { indexedFolder } from "./indexed-files.ts";

const opened: NoteDatabase[] = [];
afterAll(() => {
  for (const index of opened) index.close();
});

/** Takes the bytes for the text, with `|` between pages; `!reason` cannot be read. */
function standIn() {
  const texts: string[] = [];
  const reader: PdfReader = {
    read: async ({ file }) => {
      const text = file.read(0, file.size).toString();
      texts.push(text);
      if (text.startsWith("!")) throw new UnreadablePdf(text.slice(1) as UnreadablePdf["reason"]);
      const [total, rest = text] = text.includes("#") ? text.split("#") : [];
      const pages = rest.split("|");
      return { total: Number(total ?? pages.length), pages };
    },
    close: () => {},
  };
  return { reader, texts };
}

function setUp(files: Readonly<Record<string, string | Uint8Array>>) {
  const { vault, folder, write } = vaultWith(files);
  const file = join(dirname(folder), "cache", "index.db");
  const open = () => {
    const index = openNoteDatabase({ file, log: () => {} });
    opened.push(index);
    return index;
  };
  const index = open();
  const { reader, texts } = standIn();
  const { root } = vault;
  const readAll = async () => {
    await index.sweep(indexedFolder(root));
    return index.readPdfs(root, reader);
  };
  const paths = (query: string) => index.search(parseQuery(query), { limit: 10 }).hits.map(({ path }) => path);
  return { index, open, root, reader, texts, readAll, paths, write, at: (path: string) => join(folder, path) };
}

describe("a PDF file in the index", () => {
  it("is found by its name at once, and by its text when it was read", async () => {
    const { index, root, readAll, paths } = setUp({ "Papers/Meadow study.pdf": "first|the heron nests", "a.md": "x" });
    await index.sweep(indexedFolder(root));
    expect([index.waitingPdfs(), paths("meadow"), paths("heron")]).toEqual([1, ["Papers/Meadow study.pdf"], []]);
    expect(await readAll()).toBe(true);
    expect([index.waitingPdfs(), paths("heron"), paths('"first the heron"')]).toEqual([
      0,
      ["Papers/Meadow study.pdf"],
      ["Papers/Meadow study.pdf"],
    ]);
    expect(index.pdfText("Papers/Meadow study.pdf")).toBe("first\fthe heron nests");
    expect(index.unreadPdfs()).toEqual([]);
  });

  it("is read once, and again only after a change", async () => {
    const { readAll, texts, write, paths, index, root } = setUp({ "a.pdf": "apple", "b.pdf": "banana" });
    await readAll();
    await readAll();
    expect(texts.toSorted()).toEqual(["apple", "banana"]);
    write("b.pdf", "blueberry");
    await index.sweep(indexedFolder(root));
    expect([paths("banana"), index.waitingPdfs()]).toEqual([[], 1]);
    await readAll();
    expect(texts.slice(2)).toEqual(["blueberry"]);
    expect(paths("blueberry")).toEqual(["b.pdf"]);
  });

  it("that cannot be read is remembered with the reason, and not tried again until it changes", async () => {
    const { readAll, texts, index, write, paths } = setUp({
      "a.pdf": "!encrypted",
      "b.pdf": "!damaged",
      "c.pdf": "!time",
      "d.pdf": "5#one|two",
      "e.pdf": "good",
      "f.pdf": new Uint8Array(64 * 1024 * 1024 + 1),
    });
    await readAll();
    await readAll();
    expect(texts).toHaveLength(5);
    expect(index.unreadPdfs().toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "a.pdf", reason: "encrypted" },
      { path: "b.pdf", reason: "damaged" },
      { path: "c.pdf", reason: "takes too long to read" },
      { path: "d.pdf", reason: "2 of 5 pages were read: the rest is not indexed" },
      { path: "f.pdf", reason: "larger than 64 MB" },
    ]);
    // They are not named in every search, as notes are that cannot be read.
    expect(index.unread()).toEqual([]);
    expect([paths("good"), paths("two"), paths("a")]).toEqual([["e.pdf"], ["d.pdf"], ["a.pdf"]]);
    write("a.pdf", "opened");
    await readAll();
    expect(paths("opened")).toEqual(["a.pdf"]);
  });

  it("keeps its text when its folder is moved, and loses it when it is deleted", async () => {
    const { readAll, texts, index, paths, at, root } = setUp({ "Old/a.pdf": "apple", "b.pdf": "banana" });
    await readAll();
    renameSync(at("Old"), at("New"));
    await index.relocate({ from: "Old", to: "New" });
    rmSync(at("b.pdf"));
    await index.sweep(indexedFolder(root));
    expect([paths("apple"), index.pdfText("New/a.pdf"), index.waitingPdfs()]).toEqual([["New/a.pdf"], "apple", 0]);
    expect([paths("banana"), index.pdfText("b.pdf")]).toEqual([[], undefined]);
    expect(texts).toHaveLength(2);
  });

  it("is read again after the index was emptied", async () => {
    const { readAll, texts, index, paths } = setUp({ "a.pdf": "apple" });
    await readAll();
    await index.clear();
    await readAll();
    expect([texts.length, paths("apple")]).toEqual([2, ["a.pdf"]]);
  });

  it("waits while no process can be started for it, or it is gone", async () => {
    const { index, root, reader, at } = setUp({ "a.pdf": "!no process", "b.pdf": "banana" });
    utimesSync(at("a.pdf"), new Date(), new Date(Date.now() + 60_000));
    await index.sweep(indexedFolder(root));
    await expect(index.readPdfs(root, reader)).rejects.toThrow("no process");
    expect(index.waitingPdfs()).toBe(2);
    rmSync(at("a.pdf"));
    mkdirSync(at("a.pdf"));
    expect(await index.readPdfs(root, reader)).toBe(true);
    expect(index.waitingPdfs()).toBe(1);
  });

  it("that changes while it is read is left to the next time", async () => {
    const { index, root, reader, write, readAll, paths } = setUp({ "a.pdf": "apple" });
    await index.sweep(indexedFolder(root));
    const slow: PdfReader = {
      ...reader,
      read: async (request) => {
        write("a.pdf", "avocado");
        await index.sweep(indexedFolder(root));
        return reader.read(request);
      },
    };
    await index.readPdfs(root, slow);
    expect([paths("apple"), index.waitingPdfs()]).toEqual([[], 1]);
    await readAll();
    expect(paths("avocado")).toEqual(["a.pdf"]);
  });

  it("is read by one process at a time", async () => {
    const { index, open, root, reader } = setUp({ "a.pdf": "apple" });
    await index.sweep(indexedFolder(root));
    const other = open();
    let second: boolean | undefined;
    const first: PdfReader = {
      ...reader,
      read: async (request) => {
        second = await other.readPdfs(root, reader);
        return reader.read(request);
      },
    };
    expect([await index.readPdfs(root, first), second]).toEqual([true, false]);
  });

  it("is not the only one that is read until the caller gives up", async () => {
    const { index, root, reader, paths } = setUp({ "a.pdf": "apple", "b.pdf": "banana" });
    await index.sweep(indexedFolder(root));
    const stop = new AbortController();
    const stopping: PdfReader = {
      ...reader,
      read: async (request) => {
        if (paths("apple").length + paths("banana").length > 0) stop.abort(new Error("enough"));
        return reader.read(request);
      },
    };
    await expect(index.readPdfs(root, stopping, { signal: stop.signal })).rejects.toThrow("enough");
    expect(index.waitingPdfs()).toBe(1);
  });
});
