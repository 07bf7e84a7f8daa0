// A store that version 0.1.0 wrote (test/samples/stores, from three sessions of
// Claude Code of which the program then deleted one) is migrated, and goes on.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openStore } from "../../test/conversation-store.ts";
import { prompt, said, toolResult } from "../../test/claude-home.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type Conversations } from "./conversation-library.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";

const SAMPLES = join(import.meta.dirname, "../../test/samples/stores");
const TRANSCRIPTS = ["kept.jsonl", "resumed.jsonl"];

interface Opened extends Conversations {
  readonly file: string;
  readonly home: string;
  readonly titles: (query?: string) => Promise<string[]>;
  readonly texts: (id: string) => Promise<string[]>;
}

/** @param change applied to the store of 0.1.0 before it is opened */
function openEarlier({ transcripts = TRANSCRIPTS, change = "" } = {}): Opened {
  const home = temporaryFolder();
  const folder = join(home, ".claude/projects/-code-shop");
  mkdirSync(folder, { recursive: true });
  for (const name of transcripts) copyFileSync(join(SAMPLES, "claude-code", name), join(folder, name));
  const file = join(home, "conversations.db");
  writeFileSync(file, gunzipSync(readFileSync(join(SAMPLES, "conversations-0.1.0.db.gz"))));
  const store = new DatabaseSync(file);
  expect(store.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  store.prepare("UPDATE unit SET path = replace(path, '/tmp/old-home', ?)").run(home);
  store.exec(change);
  store.close();
  const conversations = openStore(home, [claudeCode], file);
  const titles = async (query?: string) => {
    const { answer } = await conversations.recall({ query, limit: 10 }, { complete: true });
    return answer.conversations.map(({ title }) => title);
  };
  const texts = async (id: string) => {
    const messages = [...conversations.messages(await conversations.find(id))].flat();
    return messages.filter(({ kind }) => kind === "prose").map(({ text }) => text);
  };
  return { ...conversations, file, home, titles, texts };
}

function rowsIn(file: string, sql: string): unknown[] {
  const store = new DatabaseSync(file, { readOnly: true });
  try {
    return store.prepare(sql).all();
  } finally {
    store.close();
  }
}

describe("a store of version 0.1.0", () => {
  it("is searchable by titles and messages before anything is read again", async () => {
    const { recall } = openEarlier();
    const find = async (query: string) => {
      const { answer } = await recall({ query, limit: 10 }, { asItIs: true });
      return answer.conversations.map(({ id, message }) => ({ id, inMessage: message !== undefined }));
    };
    expect(await find('"rename the flamingo"')).toEqual([{ id: "deleted", inMessage: false }]);
    expect(await find("ibis")).toEqual([{ id: "deleted", inMessage: true }]);
    expect(await find("stork")).toEqual([{ id: "resumed", inMessage: false }]);
    expect(await find("cormorant")).toEqual([]);
  });

  it("gets the rows of titles into a column of their own, and knows only what is on pages", async () => {
    const { file, recall } = openEarlier();
    await recall({ limit: 10 }, { asItIs: true });
    expect(rowsIn(file, "SELECT id FROM text_docsize WHERE id <= 0")).toEqual([]);
    expect(rowsIn(file, "SELECT id, title_row FROM conversation ORDER BY id")).toEqual([
      { id: 1, title_row: 5 },
      { id: 2, title_row: 6 },
      { id: 3, title_row: 7 },
    ]);
    expect(rowsIn(file, "SELECT page, count(*) AS count FROM known GROUP BY page")).toEqual([
      { page: 1, count: 3 },
      { page: 2, count: 3 },
      { page: 3, count: 3 },
    ]);
    expect(rowsIn(file, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });

  it("counts messages of prose, and those that are added to them once", async () => {
    const { recall, find, home, texts } = openEarlier();
    const { answer } = await recall({ limit: 10 }, { asItIs: true });
    expect(Object.fromEntries(answer.conversations.map(({ id, messages }) => [id, messages]))).toEqual({
      deleted: 2,
      kept: 2,
      resumed: 2,
    });
    const more = [prompt("p9", "And the crane?"), said("a9", "m9", "It"), said("b9", "m9", "flew.")];
    const file = join(home, ".claude/projects/-code-shop/kept.jsonl");
    appendFileSync(file, more.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(await texts("kept")).toHaveLength(4);
    expect((await find("kept")).messages).toBe(4);
  });

  it("is read again by newer readers, and keeps what its program deleted", async () => {
    const { titles, texts, find } = openEarlier({
      change: "UPDATE conversation SET title = 'Misread' WHERE key = 'kept'",
    });
    expect((await titles()).toSorted()).toEqual([
      "And the stork?",
      "Rename the flamingo module",
      "Why does the pelican test hang?",
    ]);
    expect(await titles("misread")).toEqual([]);
    expect(await texts("kept")).toEqual([
      "Why does the pelican test hang?",
      "The pelican waits for the heron in src/heron.ts.",
    ]);
    expect(await texts("deleted")).toEqual(["Rename the flamingo module", "The flamingo is renamed to ibis."]);
    expect(await find("kept")).toMatchObject({ messages: 2, model: "claude-opus", isArchived: false });
    expect(await find("resumed")).toMatchObject({ messages: 2, continues: "kept" });
    expect(await find("deleted")).toMatchObject({ messages: 2, isArchived: true });
  });

  it("counts the tokens of transcripts that still exist", async () => {
    const { find, tokens, recall, home } = openEarlier();
    const counted = said("a9", "m9", "It flew.") as object as { message: object };
    const usage = { input_tokens: 100, output_tokens: 5, cache_read_input_tokens: 900 };
    appendFileSync(
      join(home, ".claude/projects/-code-shop/kept.jsonl"),
      `${JSON.stringify({ ...counted, message: { ...counted.message, usage } })}\n`,
    );
    await recall({ limit: 10 }, { complete: true, withTools: true });
    expect(tokens(await find("kept"))).toEqual({ input: 1000, output: 5, cached: 900 });
    expect(tokens(await find("deleted"))).toBeUndefined();
  });

  it("gets the whole texts of tools of transcripts that still exist", async () => {
    // The sample has tools only in the conversation that is kept: the one that was deleted gets theirs.
    const { find, messages, home } = openEarlier({ change: "UPDATE page SET conversation = 1 WHERE id = 4" });
    const result = JSON.stringify(toolResult("t9", "heron ".repeat(100).trim()));
    appendFileSync(join(home, ".claude/projects/-code-shop/kept.jsonl"), `${result}\n`);
    const toolTexts = async (id: string) => {
      const all = [...messages(await find(id, { complete: true, withTools: true }))].flat();
      return all.filter(({ kind }) => kind === "tool").map(({ text }) => text);
    };
    expect((await toolTexts("kept")).at(-1)).toBe("heron ".repeat(100).trim());
    expect(await toolTexts("deleted")).toContain("cormorant timed out");
  });

  it("forgets archived conversations with their titles and messages", async () => {
    const { titles, forgetArchived, file } = openEarlier({ transcripts: [] });
    expect(await titles()).toHaveLength(3);
    expect(await forgetArchived()).toBe(3);
    expect(await titles("pelican")).toEqual([]);
    for (const table of ["text_docsize", "known", "page", "conversation", "unit"])
      expect(rowsIn(file, `SELECT * FROM ${table}`), table).toEqual([]);
  });

  it("is searched for emoji and signs, in titles and messages, as if it had been written today", async () => {
    const { titles, file, close, home } = openEarlier();
    appendFileSync(
      join(home, ".claude/projects/-code-shop/kept.jsonl"),
      `${JSON.stringify(said("a9", "m9", "The heron ⭐ is done."))}\n`,
    );
    const [title] = await titles("⭐");
    await close();
    const store = new DatabaseSync(file);
    // As the release before left it.
    store.exec(
      "DELETE FROM unredacted; PRAGMA user_version = 9; UPDATE conversation SET title = 'The 🚀' WHERE id = 1",
    );
    const rows = store.prepare("SELECT id FROM text_docsize").all();
    for (const { id } of rows) {
      store.prepare("DELETE FROM text WHERE rowid = ?").run(id!);
      store.prepare("INSERT INTO text (rowid, title, prose) VALUES (?, '', 'heron')").run(id!);
    }
    store.close();
    const later = openStore(home, [claudeCode], file);
    await later.recall({ limit: 10 }, { complete: true, withTools: true });
    const found = async (query: string) =>
      (await later.recall({ query, limit: 10 })).answer.conversations.map((one) => one.title);
    expect([title, await found("🚀")]).toEqual([expect.any(String), ["The 🚀"]]);
    expect(await found("⭐")).toHaveLength(1);
  });

  it("is searched for words with marks, in messages, titles and what tools returned", async () => {
    const { titles, file, close, home } = openEarlier();
    appendFileSync(
      join(home, ".claude/projects/-code-shop/kept.jsonl"),
      `${JSON.stringify(said("a9", "m9", "भारत की राजधानी नई दिल्ली है।"))}\n`,
    );
    const [title] = await titles("heron");
    await titles();
    await close();
    const store = new DatabaseSync(file);
    // As the release before left it.
    store.exec(`
      PRAGMA user_version = 10; UPDATE conversation SET title = 'हिमालय' WHERE id = 1; DROP TABLE text;
      CREATE VIRTUAL TABLE text USING fts5(title, prose, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`);
    store.close();
    const later = openStore(home, [claudeCode], file);
    await later.recall({ limit: 10 }, { complete: true, withTools: true });
    const found = async (query: string) =>
      (await later.recall({ query, limit: 10, includeTools: true })).answer.conversations.map((one) => one.title);
    expect(await found("हिमालय क्या है?")).toEqual(["हिमालय"]);
    expect(await found("भारत की राजधानी क्या है?")).toHaveLength(1);
    expect(await found("heron")).toContain(title);
  });
});
