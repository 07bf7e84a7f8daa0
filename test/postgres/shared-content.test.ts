// What the index of a space has besides words of notes: the text of PDF files, and
// vectors of an embeddings endpoint. The reader of PDF files and the endpoint are
// stand-ins; test/e2e/files has the real reader.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { accessRules, contentHash, parseVaultPath } from "../../src/files/files.ts";
import { openSharedStore } from "../../src/journal/journal.ts";
import { createStore, ensureSpace, type Store } from "../../src/shared/shared.ts";
import type { PdfReader } from "../../src/vault/pdf/pdf-reader.ts";
import { openNoteDatabase } from "../../src/vault/note-index/note-database.ts";
import { openSharedVault, spaceIndexFile } from "../../src/vault/vault.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const log = () => {};

describe.runIf(HAS_POSTGRESQL)("the index of a space", () => {
  let store: Store;

  beforeAll(async () => {
    store = (await newDatabase()).open(SUPERUSER);
    await createStore(store);
  });

  const spaceWith = async (name: string, files: Readonly<Record<string, string>>) => {
    await ensureSpace(store, name);
    const place = { store, space: name, folder: `/nowhere/${name}` };
    const opened = await openSharedStore(place, { log });
    await opened.journal.change({ tool: "test" }, () => ({
      message: "Written",
      steps: Object.entries(files).map(([path, text]) => ({
        kind: "create",
        path: parseVaultPath(path),
        bytes: Buffer.from(text),
      })),
    }));
    return { ...opened, place };
  };

  it("has PDF files by their names at once, and by their texts as soon as one process of the machine has read them", async () => {
    const { space, root, place } = await spaceWith("papers", {
      "Papers/Meadow study.pdf": "first page\fthe heron nests",
      "Papers/Broken.pdf": "!",
      "Note.md": "a note",
    });
    const read: string[] = [];
    const reader: PdfReader = {
      read: async ({ file }) => {
        const text = file.read(0, file.size).toString();
        read.push(text);
        const pages = text.split("\f");
        return { total: text === "!" ? 3 : pages.length, pages: text === "!" ? [] : pages };
      },
      close: () => {},
    };
    const cache = temporaryFolder();
    const vault = await openSharedVault(place, { cache, log });
    atTheEnd(vault.close);
    const file = spaceIndexFile(cache, space.store.address.shown, space.name);
    const index = openNoteDatabase({ file, log });
    atTheEnd(async () => index.close());
    const paths = async (query: string) =>
      (await vault.index.search(query, { limit: 10 })).hits.map(({ path, page }) => [path, page]);
    expect([await paths("meadow"), await paths("heron")]).toEqual([[["Papers/Meadow study.pdf", undefined]], []]);
    expect(index.waitingPdfs()).toBe(2);
    await Promise.all([1, 2].map(() => index.readPdfs(root, reader)));
    expect(read.toSorted()).toEqual(["!", "first page\fthe heron nests"]);
    expect(index.waitingPdfs()).toBe(0);
    expect(await paths("heron")).toEqual([["Papers/Meadow study.pdf", 2]]);
    expect(index.unreadPdfs()).toMatchObject([{ path: "Papers/Broken.pdf" }]);
    // Another text for the same name is read again.
    const { journal } = await openSharedStore(place, { log });
    await journal.change({ tool: "test" }, () => ({
      message: "Replaced",
      steps: [
        {
          kind: "replace",
          path: parseVaultPath("Papers/Meadow study.pdf"),
          before: contentHash(Buffer.from("first page\fthe heron nests")),
          bytes: Buffer.from("the egret"),
        },
      ],
    }));
    expect(await paths("heron")).toEqual([]);
    await index.readPdfs(root, reader);
    expect(await paths("egret")).toEqual([["Papers/Meadow study.pdf", 1]]);
  });

  it("has vectors of an endpoint for all notes that are not hidden, and finds by them what is related", async () => {
    const { place } = await spaceWith("topics", {
      "Fjord.md": "Havet møter fjellet i den dype vika.",
      "Regnskap.md": "Inntekter og skatter for kvartalet.",
      "Private/Fjord.md": "Havet, helt hemmelig.",
    });
    const texts: string[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const part of request) body += String(part);
        const { input } = JSON.parse(body) as { input: string[] };
        texts.push(...input);
        const vectorOf = (text: string) => [
          /havet|ship/i.test(text) ? 1 : 0.1,
          /skatter|money/i.test(text) ? 1 : 0.1,
          0.1,
        ];
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atTheEnd(async () => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const opening = {
      cache: temporaryFolder(),
      log,
      embeddings: { url, model: "stub" },
      access: accessRules({ hide: ["Private/"] }),
    };
    const vault = await openSharedVault(place, opening);
    atTheEnd(vault.close);
    await vault.index.refresh();
    expect(texts.some((text) => text.includes("fjellet"))).toBe(true);
    expect(texts.join("\n")).not.toContain("hemmelig");
    const sent = texts.length;
    const found = async (query: string) =>
      (await vault.index.search(query, { limit: 10, related: 3 })).related.map(({ path }) => path)[0];
    expect([await found("ship"), await found("money")]).toEqual(["Fjord.md", "Regnskap.md"]);
    // The queries alone: notes have their vectors.
    expect(texts.length).toBe(sent + 2);
  });
});
