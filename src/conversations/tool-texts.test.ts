// Whole texts of tools: kept, redacted, compressed, dropped beyond a limit, and
// moved into the store from the file in which 0.1.0 kept them.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, ClaudeHome, prompt, said, toolResult } from "../../test/claude-home.ts";
import { separateTexts } from "../../test/conversation-store.ts";
import { redact } from "../redaction/redaction.ts";
import { openConversations, type Conversations } from "./conversation-library.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";
import { foundFile } from "./sources/kit/transcript-search.ts";
import type { ConversationSource, MessagePart } from "./sources/source.ts";

interface Opened extends Conversations {
  readonly read: (id: string) => Promise<string[]>;
}

const storeOf = (home: ClaudeHome) => join(home.folder, "data", "conversations.db");
const textsOf = (home: ClaudeHome) => join(home.folder, "data", "conversations-tools.db");

function open(home: ClaudeHome, { limit, source = claudeCode }: { limit?: number; source?: ConversationSource } = {}) {
  const conversations = openConversations({
    file: storeOf(home),
    sources: [source],
    homes: [home],
    redact,
    log: () => {},
    toolTextLimit: limit,
  });
  onTestFinished(() => conversations.close());
  const read = async (id: string) => {
    const conversation = await conversations.find(id, { complete: true, withTools: true });
    const messages = [...conversations.messages(conversation)].flat();
    return messages.filter(({ kind }) => kind !== "prose").map(({ text }) => text);
  };
  return { ...conversations, read } satisfies Opened;
}

function rows(file: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Text that compresses badly: no two words are equal. */
const noise = (name: string, words: number) =>
  Array.from({ length: words }, (_, i) => `${name}${((i + 7) * 2_654_435_761) % 4_294_967_296}`).join(" ");

describe("the text of a tool", () => {
  it("is read whole, however long it is", async () => {
    const home = new ClaudeHome();
    const long = Array.from({ length: 3_000 }, (_, i) => `line ${i} of the log`).join("\n");
    const input = { file_path: "/code/shop/cart.ts", old_string: "a ".repeat(300).trim(), new_string: "b" };
    home.write("s1", [
      prompt("1", "Look"),
      answer("2", "m1", { type: "thinking", thinking: noise("thought", 100) }),
      answer("3", "m1", { type: "tool_use", name: "Edit", input }),
      toolResult("4", long),
      toolResult("5", "short"),
      said("6", "m1", "Done."),
    ]);
    expect(await open(home).read("s1")).toEqual([
      noise("thought", 100),
      `Edit: ${JSON.stringify(input)}`,
      long,
      "short",
    ]);
  });

  it("is found by its beginning", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Look"), toolResult("2", `heron ${noise("w", 200)} bittern`)]);
    const { recall } = open(home);
    const found = async (query: string) =>
      (await recall({ query, includeTools: true, limit: 5 }, { complete: true })).answer.total;
    expect(await found("heron")).toBe(1);
    expect(await found("bittern")).toBe(0);
  });

  it("is stored without secrets, its beginning too", async () => {
    const home = new ClaudeHome();
    const secret = "hunterpw99";
    const url = `postgres://admin:${secret}@db.local/shop`;
    home.write("s1", [
      prompt("1", "Look"),
      toolResult("2", `${url} ${"more ".repeat(100)} ${url}`),
      toolResult("3", `short: ${url}`),
    ]);
    const { read, recall } = open(home);
    expect((await read("s1")).join(" ").match(/\[redacted: password\]/g)).toHaveLength(3);
    const [block] = rows(storeOf(home), "SELECT texts FROM block");
    expect(brotliDecompressSync(block!["texts"] as Uint8Array).toString()).not.toContain(secret);
    const { answer: found } = await recall({ query: secret, includeTools: true, limit: 5 });
    expect(found.total).toBe(0);
  });

  it("is kept in few blocks if a session is read line by line", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Look")]);
    const { read } = open(home);
    const texts = Array.from({ length: 8 }, (_, i) => noise(`t${i}n`, 60));
    for (const [i, text] of texts.entries()) {
      home.append("s1", toolResult(`t${i}`, text));
      await read("s1");
    }
    expect(await read("s1")).toEqual(texts);
    expect(rows(storeOf(home), "SELECT id FROM block")).toHaveLength(1);
  });

  it("is cut beyond four million characters", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Look"), toolResult("2", "a b ".repeat(1_020_000))]);
    const [text] = await open(home).read("s1");
    expect(text!.length).toBeLessThan(4_000_100);
    expect(text).toMatch(/ … \(\d+ characters more\)$/);
  });
});

/** A program that rewrites its file as a whole: one conversation, a prompt and what its tools gave. */
function rewriting(path: string): ConversationSource {
  return {
    name: "parrot",
    title: "Parrot",
    reader: 1,
    find: () => foundFile(path),
    read: async function* ({ stamp }) {
      const common = { conversation: "c1", role: "assistant" as const };
      const part = (key: string, order: number, more: Pick<MessagePart, "kind" | "text">) => ({
        kind: "part" as const,
        part: { ...common, key, message: key, order, files: ["/a.ts"], ...more },
      });
      const texts = JSON.parse(readFileSync(path, "utf8")) as string[];
      yield [
        part("p", 0, { kind: "prose", text: "Look at this" }),
        ...texts.map((text, i) => part(`t${i}`, i + 1, { kind: "tool", text })),
        { kind: "checkpoint", checkpoint: stamp },
      ];
    },
  };
}

describe("the text of a tool that its program writes again", () => {
  it("is kept once, and counted once, and replaced if it has changed", async () => {
    const home = new ClaudeHome();
    const path = join(home.folder, "parrot.json");
    const texts = ["one", "two"].map((name) => noise(name, 80));
    const write = (...given: string[]) => writeFileSync(path, JSON.stringify(given));
    write(...texts);
    const { read, find } = open(home, { source: rewriting(path) });
    expect(await read("c1")).toEqual(texts);
    expect(await find("c1")).toMatchObject({ messages: 1, files: ["/a.ts"] });
    const size = () => rows(storeOf(home), "SELECT sum(size) AS size FROM tool_block")[0]!["size"];
    const before = size();
    write(...texts, "three");
    expect(await read("c1")).toEqual([...texts, "three"]);
    expect(size()).toBe(before);
    expect(await find("c1")).toMatchObject({ messages: 1 });
    expect(rows(storeOf(home), "SELECT count FROM file WHERE path = '/a.ts'")).toEqual([{ count: 4 }]);
    // The same beginning and the same length.
    const changed = `${texts[0]!.slice(0, -1)}x`;
    write(changed, texts[1]!, "three");
    expect(await read("c1")).toEqual([changed, texts[1], "three"]);
  });
});

describe("beyond the limit", () => {
  const sessions = (home: ClaudeHome, count: number) => {
    for (let i = 0; i < count; i++) {
      const at = { timestamp: new Date(Date.UTC(2026, 0, i + 1)).toISOString() };
      home.write(`s${i}`, [
        prompt(`p${i}`, `Question ${i}`, at),
        { ...toolResult(`t${i}`, noise(`s${i}w`, 3_000)), ...at },
      ]);
    }
  };

  it("the oldest conversations keep only beginnings, say so, and their space is returned", async () => {
    const home = new ClaudeHome();
    sessions(home, 6);
    const all = open(home);
    expect(await all.read("s0")).toEqual([noise("s0w", 3_000)]);
    await all.close();
    const [kept] = rows(storeOf(home), "SELECT sum(size) AS size FROM tool_block");
    const size = statSync(storeOf(home)).size;
    const { read, find } = open(home, { limit: Number(kept!["size"]) / 2 });
    home.append("s5", toolResult("t", noise("new", 200)));
    expect(await read("s5")).toEqual([noise("s5w", 3_000), noise("new", 200)]);
    expect((await read("s0"))[0]).toMatch(/^s0w\S+ .{150,300} … \(\d+ characters more\)$/);
    const dropped = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => find(`s${i}`)));
    expect(dropped.map(({ hasDroppedTexts }) => hasDroppedTexts)).toEqual([true, true, true, true, false, false]);
    expect(rows(storeOf(home), "PRAGMA freelist_count")).toEqual([{ freelist_count: 0 }]);
    expect(statSync(storeOf(home)).size).toBeLessThan(size);
  });

  it("of nothing no whole text is kept", async () => {
    const home = new ClaudeHome();
    sessions(home, 1);
    const { read, find } = open(home, { limit: 0 });
    expect((await read("s0"))[0]).toMatch(/ characters more\)$/);
    expect(await find("s0")).toMatchObject({ hasDroppedTexts: true });
    expect(rows(storeOf(home), "SELECT id FROM block")).toEqual([]);
  });
});

describe("the texts of a store", () => {
  const long = noise("word", 500);
  const filled = async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Look"), toolResult("2", long)]);
    home.write("s2", [prompt("3", "Look again"), toolResult("4", `other ${long}`)]);
    const conversations = open(home);
    expect(await conversations.read("s1")).toEqual([long]);
    await conversations.close();
    return home;
  };
  /** As 0.1.0 left it: with the texts in a file of their own. */
  const filledEarlier = async () => {
    const home = await filled();
    separateTexts(storeOf(home), textsOf(home));
    return home;
  };

  it("have nothing left of archived conversations that are forgotten", async () => {
    const home = await filled();
    rmSync(home.path("s1"));
    const { forgetArchived, read } = open(home);
    await read("s2");
    expect(await forgetArchived()).toBe(1);
    expect(await read("s2")).toEqual([`other ${long}`]);
    expect(rows(storeOf(home), "SELECT id FROM block")).toHaveLength(1);
  });

  it("keep nothing of a session that was rewritten", async () => {
    const home = await filled();
    home.write("s1", [prompt("8", "All is new"), toolResult("9", `fresh ${long}`)]);
    expect(await open(home).read("s1")).toEqual([`fresh ${long}`]);
    expect(rows(storeOf(home), "SELECT id FROM block")).toHaveLength(2);
  });

  it("of 0.1.0 are moved into it, those of deleted sessions too, and their file is removed", async () => {
    const home = await filledEarlier();
    rmSync(home.path("s2"));
    const { read, find, messages } = open(home);
    // Before they are moved, they are read where they are.
    const early = [...messages(await find("s1", { asItIs: true }))].flat().map(({ text }) => text);
    expect(early).toEqual(["Look", long]);
    expect(await read("s1")).toEqual([long]);
    expect(await read("s2")).toEqual([`other ${long}`]);
    expect(await find("s2")).toMatchObject({ hasDroppedTexts: false, isArchived: true });
    expect(existsSync(textsOf(home))).toBe(false);
    expect(rows(storeOf(home), "SELECT id FROM block")).toHaveLength(2);
    home.append("s1", toolResult("5", `newer ${long}`));
    expect(await read("s1")).toEqual([long, `newer ${long}`]);
  });

  it.each([
    ["deleted", (file: string) => rmSync(file)],
    [
      "damaged",
      (file: string) => writeFileSync(file, "no database, and long enough to be taken for one. ".repeat(200)),
    ],
  ])("of 0.1.0 are read again from what programs still have if their file is %s", async (_, harm) => {
    const home = await filledEarlier();
    rmSync(home.path("s2"));
    harm(textsOf(home));
    const { read, find } = open(home);
    expect((await read("s2"))[0]).toMatch(/ characters more\)$/);
    // The loss is noticed when they are moved; the next refresh reads the rest.
    expect(await read("s1")).toEqual([long]);
    expect(await find("s1")).toMatchObject({ hasDroppedTexts: false, messages: 1 });
    expect(await find("s2")).toMatchObject({ hasDroppedTexts: true, isArchived: true });
    expect(existsSync(textsOf(home))).toBe(false);
  });

  it("of 0.1.0 are not taken for those of a new store", async () => {
    const home = await filledEarlier();
    for (const ending of ["", "-wal", "-shm"]) rmSync(storeOf(home) + ending, { force: true });
    rmSync(home.path("s2"));
    expect(await open(home).read("s1")).toEqual([long]);
    expect(rows(storeOf(home), "SELECT id FROM block")).toEqual([{ id: 1 }]);
    expect(existsSync(textsOf(home))).toBe(false);
  });
});
