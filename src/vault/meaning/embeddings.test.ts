// Related notes by an embeddings endpoint: a real HTTP server on this machine stands for
// Ollama, with vectors that only count words, so that what it finds is known.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { accessRules } from "../../files/files.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import type { NoteIndex } from "../note-index/note-index.ts";
import { BackgroundFill } from "./background-fill.ts";
import { openSqliteNoteIndex } from "../note-index/sqlite-note-index.ts";

const TABLE = join(import.meta.dirname, "../../../assets/word-vectors/words.bin");
const indexes: NoteIndex[] = [];
const servers: Server[] = [];
afterAll(async () => {
  for (const index of indexes) await index.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const NOTES = {
  "Fjord.md": "Havet møter fjellet, og båten ligger stille i den dype vika om morgenen.",
  "Regnskap.md": "Inntekter, skatter og lønn for kvartalet, og hva selskapet tjente i fjor.",
  "Suppe.md": "Kok løk og gulrøtter i saltet vann, og server suppen varm med brød.",
};

/** Each word of a topic points in its direction: the model of this endpoint knows three topics and some Norwegian. */
const TOPICS = [
  ["fjord", "havet", "båten", "ship"],
  ["regnskap", "skatter", "inntekter", "money"],
  ["suppe", "løk", "suppen", "dinner"],
];

interface Stub {
  readonly url: string;
  /** All texts that were sent. */
  readonly texts: string[];
  /** How the next requests are answered, instead of with vectors. */
  answer: ((response: ServerResponse, texts: readonly string[]) => void) | undefined;
  dimensions: number;
  readonly stop: () => Promise<void>;
}

async function stub(dimensions = 5): Promise<Stub> {
  const state: Stub = { url: "", texts: [], answer: undefined, dimensions, stop: async () => {} };
  const server = createServer((request, response) => void respond(state, request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, stop });
}

async function respond(state: Stub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const part of request) body += String(part);
  const { input } = JSON.parse(body) as { input: string[] };
  state.texts.push(...input);
  if (state.answer !== undefined) return state.answer(response, input);
  send(response, {
    data: input.map((text, index) => ({ index, embedding: vectorOf(text, state.dimensions) })).toReversed(),
  });
}

function send(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function vectorOf(text: string, dimensions: number): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = TOPICS.map((topic) => words.filter((word) => topic.includes(word)).length);
  return [...counts, 0.1, ...Array.from({ length: dimensions - 4 }, () => 0)];
}

function setUp(options: Parameters<typeof vaultWith>[1] = {}) {
  const vault = vaultWith(NOTES, options);
  const cache = join(dirname(vault.folder), "cache");
  const open = (embeddings: { url: string; model: string } | undefined, logged: string[] = []) => {
    const log = (text: string) => void logged.push(text);
    const index = openSqliteNoteIndex(vault.vault, { cache, log, wordVectors: TABLE, embeddings });
    indexes.push(index);
    return index;
  };
  return { ...vault, open };
}

const ask = (index: NoteIndex, query: string) => index.search(query, { limit: 10, related: 3 });

describe("an embeddings endpoint", () => {
  it("finds what the table cannot, and sends each passage once", async () => {
    const { open } = setUp();
    const endpoint = await stub();
    const index = open({ url: endpoint.url, model: "words" });
    await index.refresh();
    expect(endpoint.texts).toHaveLength(3);
    const { hits, related, relatedFault } = await ask(index, "ship");
    expect({ hits, relatedFault }).toEqual({ hits: [], relatedFault: undefined });
    expect(related[0]).toMatchObject({ path: "Fjord.md", passage: expect.stringContaining("Havet") });
    expect((await ask(index, "money"))!.related[0]!.path).toBe("Regnskap.md");
    expect(endpoint.texts.slice(3)).toEqual(["ship", "money"]);
    const without = setUp().open(undefined);
    expect((await ask(without, "ship")).related).toEqual([]);
  });

  it("is never sent what is hidden, neither for an index nor for a search", async () => {
    const { open, write } = setUp({ access: accessRules({ hide: ["private/"] }) });
    write("private/Secret.md", "Suppen er hemmelig.");
    const endpoint = await stub();
    const index = open({ url: endpoint.url, model: "words" });
    await index.refresh();
    await ask(index, "dinner");
    await index.similar("Suppe.md", 3);
    expect(endpoint.texts).toHaveLength(4);
    expect(endpoint.texts.join("\n")).not.toMatch(/hemmelig|secret/i);
  });

  it("gives vectors to changed notes alone, and finds similar notes without being asked", async () => {
    const { open, write } = setUp();
    const endpoint = await stub();
    const index = open({ url: endpoint.url, model: "words" });
    await index.refresh();
    write("Middag.md", "Suppen med løk");
    await index.refresh();
    expect(endpoint.texts.slice(3)).toEqual(["Middag\n\nSuppen med løk"]);
    expect((await index.similar("Middag.md", 1)).answer.notes[0]!.path).toBe("Suppe.md");
    expect(endpoint.texts).toHaveLength(4);
  });

  it("makes the vectors again for another model, and for the same name with vectors of another length", async () => {
    const { open } = setUp();
    const endpoint = await stub();
    await open({ url: endpoint.url, model: "words" }).refresh();
    const other = open({ url: endpoint.url, model: "more-words" });
    await other.refresh();
    expect(endpoint.texts).toHaveLength(6);
    endpoint.dimensions = 12;
    expect((await ask(other, "ship")).relatedFault).toContain("another length");
    await other.refresh();
    const { related, relatedFault } = await ask(other, "dinner");
    expect(relatedFault).toBeUndefined();
    expect(related[0]!.path).toBe("Suppe.md");
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ["an error", (response) => send(response, { error: "no such model" }, 500), "status 500"],
    ["a refusal of every text", (response) => send(response, { error: "no such model" }, 400), "status 400"],
    ["no JSON", (response) => void response.end("<html>"), "not one vector for each text"],
    ["no vectors", (response) => send(response, { data: null }), "not one vector for each text"],
    ["too few vectors", (response) => send(response, { data: [] }), "not one vector for each text"],
    [
      "vectors of other places",
      (response) => send(response, { data: [{ index: 1, embedding: [1] }] }),
      "not one vector",
    ],
    ["a vector of words", (response) => send(response, { data: [{ embedding: ["a"] }] }), "not one vector"],
    ["an empty vector", (response) => send(response, { data: [{ embedding: [0, 0] }] }), "not one vector"],
    [
      "a redirection",
      (response) => void response.writeHead(307, { location: "http://example.org" }).end(),
      "status 307",
    ],
    ["a torn connection", (response) => void response.destroy(), "cannot be reached"],
  ])("that answers with %s is replaced by the table, and the result says so", async (_, answer, fault) => {
    const { open, write } = setUp();
    write("Octopus.md", "The octopus has eight arms, lives in the ocean among rocks, and hunts crabs and small fish.");
    const endpoint = await stub();
    const logged: string[] = [];
    const index = open({ url: endpoint.url, model: "words" }, logged);
    await index.refresh();
    endpoint.answer = answer;
    const { related, relatedFault } = await ask(index, "cephalopod tentacles");
    expect(related[0]!.path).toBe("Octopus.md");
    expect(relatedFault).toContain(fault);
    // It is left alone for a while: searches do not wait for it again.
    const asked = endpoint.texts.length;
    await ask(index, "corporate finance");
    if (!fault.includes("400")) expect(endpoint.texts).toHaveLength(asked);
  });

  it("that is not there, or fails while notes are indexed, is replaced by the table", async () => {
    const { open, write } = setUp();
    write("Octopus.md", "The octopus has eight arms, lives in the ocean among rocks, and hunts crabs and small fish.");
    const endpoint = await stub();
    await endpoint.stop();
    const logged: string[] = [];
    const index = open({ url: endpoint.url, model: "words" }, logged);
    await index.refresh();
    const { related, relatedFault } = await ask(index, "cephalopod tentacles");
    expect(related[0]!.path).toBe("Octopus.md");
    expect(relatedFault).toContain("cannot be reached (ECONNREFUSED)");
    expect(logged).toEqual([relatedFault]);
  });

  it("that refuses one text still gives vectors to the others", async () => {
    const { open, write } = setUp();
    write("Lang.md", "Denne teksten er forbudt.");
    const endpoint = await stub();
    endpoint.answer = (response, texts) =>
      texts.some((text) => text.includes("forbudt"))
        ? send(response, {}, 400)
        : send(response, { data: texts.map((text) => ({ embedding: vectorOf(text, 5) })) });
    const index = open({ url: endpoint.url, model: "words" });
    await index.refresh();
    expect((await ask(index, "dinner")).related[0]!.path).toBe("Suppe.md");
    const asked = endpoint.texts.length;
    await index.refresh();
    expect(endpoint.texts).toHaveLength(asked);
  });

  it("that never answers while notes are indexed is reported by later searches", async () => {
    const { open } = setUp();
    const endpoint = await stub();
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    endpoint.answer = () => resolve();
    const index = open({ url: endpoint.url, model: "words" });
    const first = await ask(index, "ship");
    expect(first.relatedFault).toBeUndefined();
    await isAsked;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
    try {
      const { relatedFault } = await ask(index, "money");
      expect(relatedFault).toMatch(/^The embeddings endpoint http:\/\/127\.0\.0\.1:\d+ has not answered for \d+ s\.$/);
    } finally {
      vi.useRealTimers();
    }
  });

  it("makes only the first of the searches wait that it is too slow for", async () => {
    const work = Promise.withResolvers<void>();
    const fill = new BackgroundFill(() => work.promise);
    const first = fill.runForSearch();
    await fill.runForSearch();
    expect(await Promise.race([first, "waits"])).toBe("waits");
    work.resolve();
    await first;
  });
});
