import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, ClaudeHome, prompt, said, toolResult } from "../../test/claude-home.ts";
import { openConversations, type Conversations } from "./conversation-library.ts";
import type { Message } from "./store/conversation-reader.ts";
import type { ConversationSource } from "./sources/source.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";
import { redact } from "../redaction/redaction.ts";

interface Opened extends Conversations {
  /** Titles, best first, of everything or of what words find, after a look at all files. */
  readonly titles: (query?: string) => Promise<string[]>;
  readonly read: (id: string) => Promise<Message[]>;
}

function open(
  home: ClaudeHome,
  log: (line: string) => void = () => {},
  source = claudeCode,
  toolTextLimit?: number,
): Opened {
  const file = join(home.folder, "data", "conversations.db");
  const conversations = openConversations({ file, sources: [source], homes: [home], redact, log, toolTextLimit });
  onTestFinished(() => conversations.close());
  return {
    ...conversations,
    titles: async (query) => {
      const { answer: found } = await conversations.recall({ query, limit: 100 }, { complete: true });
      return found.conversations.map(({ title }) => title);
    },
    read: async (id) => {
      const conversation = await conversations.find(id, { complete: true, withTools: true });
      return [...conversations.messages(conversation)].flat();
    },
  };
}

describe("a source", () => {
  it("is not reached before the first index has been through all sources, whatever else is stored by then", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Why is the cart empty?")]);
    const stop = new AbortController();
    let reached: boolean | undefined;
    const slow: ConversationSource = {
      ...claudeCode,
      read: async function* (transcript, ...rest) {
        yield* claudeCode.read(transcript, ...rest);
        reached = (await conversations.sources({ asItIs: true })).answer[0]!.isReached;
        stop.abort();
      },
    };
    const conversations = open(home, undefined, slow);
    await conversations.refresh({ signal: stop.signal }).catch(() => {});
    expect(reached).toBe(false);
    expect((await conversations.sources({ asItIs: true })).answer[0]!.isReached).toBe(false);
    expect((await open(home).sources({ complete: true })).answer[0]!.isReached).toBe(true);
  });
});

describe("a conversation in the store", () => {
  it("has its messages in order, with an assistant's lines merged and tools separate", async () => {
    const home = new ClaudeHome();
    home.write("s1", [
      prompt("1", "Why is the cart empty?"),
      answer("2", "m1", { type: "thinking", thinking: "Sessions?" }),
      said("3", "m1", "Because the session"),
      answer("4", "m1", { type: "tool_use", name: "Read", input: { file_path: "/code/shop/src/cart.ts" } }),
      toolResult("5", "export const cart = []"),
      said("6", "m1", "expires."),
      answer("7", "m2", { type: "tool_use", name: "Bash", input: { command: "npm test" } }),
    ]);
    const { read, find } = open(home);
    const messages = await read("s1");
    expect(messages.filter(({ kind }) => kind === "prose")).toMatchObject([
      { id: "1", role: "user", text: "Why is the cart empty?" },
      { id: "m1", role: "assistant", text: "Because the session\n\nexpires." },
    ]);
    expect(messages.map(({ kind }) => kind)).toEqual(["prose", "thinking", "prose", "tool", "tool", "tool"]);
    expect(await find("s1")).toMatchObject({ messages: 2, title: "Why is the cart empty?" });
  });

  it("has a long answer of several lines as one message", async () => {
    const home = new ClaudeHome();
    const long = "Lorem ipsum dolor sit amet. ".repeat(250);
    home.write("s1", [prompt("1", "Go on."), said("2", "m1", `One. ${long}`)]);
    const { read, find } = open(home);
    await read("s1");
    home.append("s1", said("3", "m1", `Two. ${long}`), said("4", "m1", `Three. ${long}`), said("5", "m2", "Done."));
    const messages = await read("s1");
    expect(messages.map(({ id }) => id)).toEqual(["1", "m1", "m2"]);
    expect(messages[1]!.text.match(/One|Two|Three/g)).toEqual(["One", "Two", "Three"]);
    expect(await find("s1")).toMatchObject({ messages: 3 });
  });

  it("gets its type from its first four prompts, even if they are read one by one", async () => {
    const home = new ClaudeHome();
    home.write("early", [prompt("1", "a"), prompt("2", "b"), prompt("3", "c")]);
    home.write("late", [prompt("4", "a"), prompt("5", "b"), prompt("6", "c"), prompt("7", "d")]);
    const { titles, find } = open(home);
    await titles();
    home.append("early", prompt("8", "in time: an exception, with a stack trace"));
    home.append("late", prompt("9", "far too late: an exception, with a stack trace"));
    await titles();
    expect((await find("early")).type).toBe("debugging");
    expect((await find("late")).type).toBe("general");
  });

  it("of a renamed project is not mixed with the list of prompts that is read together with it", async () => {
    const home = new ClaudeHome();
    const typed = { display: "Where is the walrus?", timestamp: 1e12, project: "/code/old-shop", sessionId: "s1" };
    const history = join(home.folder, ".claude", "history.jsonl");
    home.write("s1", [prompt("1", "Where is the walrus?")]);
    writeFileSync(history, `${JSON.stringify(typed)}\n`);
    // The newest folder is read first.
    utimesSync(history, new Date("2026-01-01"), new Date("2026-01-01"));
    const { titles, find } = open(home);
    expect(await titles()).toEqual(["Where is the walrus?"]);
    expect(await find("s1")).toMatchObject({ messages: 1, folder: "/code/shop" });
  });

  it("is found by its words, its title and the beginning of its id", async () => {
    const home = new ClaudeHome();
    home.write("0a1b2c3d-session", [
      prompt("1", "Explain the flux capacitor"),
      said("2", "m", "It makes time travel possible."),
    ]);
    home.write("other", [prompt("3", "Explain recursion")]);
    const { titles, find } = open(home);
    expect(await titles("time travel")).toEqual(["Explain the flux capacitor"]);
    expect(await titles("capacitors")).toEqual(["Explain the flux capacitor"]);
    expect(await titles("capactior")).toEqual(["Explain the flux capacitor"]);
    expect(await titles()).toHaveLength(2);
    expect((await find("0a1b2c")).id).toBe("0a1b2c3d-session");
    await expect(find("nothing")).rejects.toThrow("There is no conversation with the id nothing.");
  });

  it("is found by tool output only on request, and ranks below matches in prose", async () => {
    const home = new ClaudeHome();
    home.write("tool", [prompt("1", "Look."), toolResult("2", "quokka in the log")]);
    home.write("said", [prompt("3", "What is a quokka?")]);
    const { recall } = open(home);
    const ask = async (includeTools: boolean) =>
      (await recall({ query: "quokka", includeTools, limit: 9 }, { complete: true })).answer.conversations.map(
        ({ id }) => id,
      );
    expect(await ask(false)).toEqual(["said"]);
    expect(await ask(true)).toEqual(["said", "tool"]);
  });

  it("is found by the beginning of a word in tool output, as in prose", async () => {
    const home = new ClaudeHome();
    home.write("tool", [prompt("1", "Look."), toolResult("2", "quokkahunting in the log")]);
    const found = await open(home).recall({ query: "quokkahunt", includeTools: true, limit: 9 }, { complete: true });
    expect(found.answer.conversations.map(({ id }) => id)).toEqual(["tool"]);
  });

  it.each([
    ["thinking", "wombat", "m2"],
    ["tool", "numbat", "m3"],
    ["tool", "dingo", "m3"],
    ["subagent", "potoroo", "m4"],
    ["prose", "bilby", "m2"],
  ])("is returned with what the snippet is, and its message: %s", async (kind, query, message) => {
    const home = new ClaudeHome();
    home.write("s1", [
      prompt("1", "Look."),
      answer("2", "m2", { type: "thinking", thinking: "Could it be a wombat?" }),
      said("3", "m2", "Perhaps a bilby."),
      answer("4", "m3", { type: "tool_use", name: "Bash", input: { command: "grep numbat" } }),
      toolResult("5", "dingo in the log"),
      answer("6", "m4", { type: "thinking", thinking: "Or a potoroo?" }, { isSidechain: true }),
    ]);
    const { recall, find, chunkOf } = open(home);
    const { answer: found } = await recall({ query, includeTools: true, limit: 5 }, { complete: true });
    expect(found.conversations).toMatchObject([{ snippet: expect.stringContaining(query), kind, message }]);
    expect(chunkOf(await find("s1"), message)).toBe(0);
  });

  it("is returned with the message that has all words, not one that has some", async () => {
    const home = new ClaudeHome();
    home.write("s1", [
      prompt("1", "Tell me."),
      ...Array.from({ length: 40 }, (_, i) => said(`a${i}`, `m${i}`, `Part ${i} of it.`)),
    ]);
    const { recall } = open(home);
    for (const number of [20, 8, 39]) {
      const { answer: found } = await recall({ query: `part ${number} of it`, limit: 5 }, { complete: true });
      expect(found.conversations[0]!.message).toBe(`m${number}`);
    }
  });

  it("with the words as a phrase ranks first, then with the exact words, then with other forms, whatever its age", async () => {
    const home = new ClaudeHome();
    const old = { timestamp: "2025-01-01T00:00:00.000Z", cwd: "/code/other" };
    home.write("phrase", [prompt("1", "It was inlined everywhere, we saw.", old)]);
    home.write("typed", [
      prompt("2", "Everywhere it was said to be inlined.", { ...old, timestamp: "2025-02-01T00:00:00.000Z" }),
    ]);
    for (let i = 0; i < 6; i++)
      home.write(`form${i}`, [
        prompt(`f${i}`, `Fix the bug: inline it everywhere in src/file${i}.ts, and inlines too`),
      ]);
    const { recall } = open(home);
    const found = await recall({ query: "inlined everywhere", here: "/code/shop", limit: 9 }, { complete: true });
    expect(found.answer.conversations.map(({ id }) => id).slice(0, 2)).toEqual(["phrase", "typed"]);
    const single = await recall({ query: "inlined", here: "/code/shop", limit: 9 }, { complete: true });
    expect(new Set(single.answer.conversations.map(({ id }) => id).slice(0, 2))).toEqual(new Set(["phrase", "typed"]));
  });

  it("without messages is not listed", async () => {
    const home = new ClaudeHome();
    home.write("draft", [{ type: "mode", mode: "normal" }]);
    home.write("tools", [toolResult("1", "nobody said anything")]);
    expect(await open(home).titles()).toEqual([]);
  });

  it("is updated with an appended line without reading the other lines again", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "First question")]);
    const { read, refresh } = open(home);
    await read("s1");
    home.append("s1", said("2", "m", "First answer"));
    expect(await refresh()).toEqual({ total: 1, changed: 1, gone: 0 });
    expect((await read("s1")).map(({ text }) => text)).toEqual(["First question", "First answer"]);
    expect(await refresh()).toEqual({ total: 1, changed: 0, gone: 0 });
  });

  it("has the new content after its file was rewritten", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Old zebra"), said("2", "m", "Old answer")]);
    const { read, titles } = open(home);
    await read("s1");
    home.write("s1", [prompt("3", "New giraffe"), said("2", "m", "Old answer")]);
    expect((await read("s1")).map(({ text }) => text)).toEqual(["New giraffe", "Old answer"]);
    expect(await titles("zebra")).toEqual([]);
    expect(await titles("giraffe")).toEqual(["New giraffe"]);
  });

  it("has none of the old content after its file was rewritten, however late the first message comes", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Old zebra")]);
    let isLate = false;
    const late: ConversationSource = {
      ...claudeCode,
      read: async function* (...asked) {
        for await (const batch of claudeCode.read(...asked)) {
          const said = batch.findIndex(({ kind }) => kind === "part");
          yield isLate ? batch.slice(0, said) : batch;
          if (!isLate) continue;
          // Events are written before the next ones are read.
          await pause(200);
          yield [];
          yield batch.slice(said);
        }
      },
    };
    const { read, titles } = open(home, undefined, late);
    await read("s1");
    home.write("s1", [prompt("2", "New giraffe")]);
    isLate = true;
    expect((await read("s1")).map(({ text }) => text)).toEqual(["New giraffe"]);
    expect(await titles("zebra")).toEqual([]);
  });

  it("marks an edited prompt and its answers as abandoned", async () => {
    const home = new ClaudeHome();
    home.write("s1", [
      prompt("1", "Begin", { parentUuid: null }),
      said("2", "m1", "Ready"),
      prompt("3", "Make it blue", { parentUuid: "2" }),
      said("4", "m2", "It is blue"),
      prompt("5", "Make it red", { parentUuid: "2" }),
      said("6", "m3", "It is red"),
    ]);
    expect((await open(home).read("s1")).map(({ text, isAbandoned }) => [text, isAbandoned])).toEqual([
      ["Begin", false],
      ["Ready", false],
      ["Make it blue", true],
      ["It is blue", true],
      ["Make it red", false],
      ["It is red", false],
    ]);
  });

  it("gets its title from a summary in another file, whichever is read first", async () => {
    const home = new ClaudeHome();
    home.write("a", [prompt("1", "first prompt")]);
    const { titles } = open(home);
    await titles();
    home.write("b", [
      { type: "summary", summary: "A better title", leafUuid: "1" },
      { type: "summary", summary: "Later", leafUuid: "9" },
    ]);
    expect(await titles()).toEqual(["A better title"]);
    home.write("c", [prompt("9", "another prompt")]);
    expect((await titles()).toSorted()).toEqual(["A better title", "Later"]);
    expect(await titles("better title")).toEqual(["A better title"]);
  });

  it("does not repeat messages that an earlier conversation has (a resumed session)", async () => {
    const home = new ClaudeHome();
    const beginning = [prompt("1", "Explain otters"), said("2", "m1", "They swim."), toolResult("3", "otter facts")];
    home.write("first", beginning);
    const { read, find, titles } = open(home);
    await read("first");
    home.write("second", [...beginning, prompt("4", "And badgers?"), said("5", "m2", "They dig.")]);
    expect(await titles("otters")).toEqual(["Explain otters"]);
    expect((await read("second")).map(({ text }) => text)).toEqual(["And badgers?", "They dig."]);
    expect(await find("second")).toMatchObject({ continues: "first", messages: 2 });
  });

  it("is listed for its project however many newer ones there are of others", async () => {
    const home = new ClaudeHome();
    home.write("ours", [{ ...prompt("1", "Explain otters"), timestamp: "2026-01-01T10:00:00.000Z" }]);
    for (let i = 0; i < 600; i++) home.write(`other-${i}`, [prompt(`p${i}`, "Explain badgers", { cwd: "/code/blog" })]);
    const { recall } = open(home);
    const { answer } = await recall({ here: "/code/shop", minScore: 2, limit: 5 }, { complete: true });
    expect(answer).toMatchObject({ total: 1, listed: 1, belowMinScore: 600, conversations: [{ id: "ours" }] });
    const grouped = await recall({ groupBy: "project", limit: 0 });
    expect(grouped.answer.groups.project).toEqual([
      { key: "blog", count: 600, messages: 600 },
      { key: "shop", count: 1, messages: 1 },
    ]);
  });

  it("is returned without secrets", async () => {
    const home = new ClaudeHome();
    const key = `sk-ant-api03-${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY".repeat(3)}AA`;
    const where = { gitBranch: `try/${key}`, cwd: `/code/${key}` };
    home.write("s1", [prompt("1", `My key ${key} does not work`, where), said("2", "m", `Do not post ${key}.`, where)]);
    const { recall, read } = open(home);
    const { answer: found } = await recall({ query: "key work", limit: 5 }, { complete: true });
    expect(JSON.stringify([found, await read("s1")])).not.toContain("aB3dE5fG7hJ9");
    expect(found.conversations[0]!.title).toContain("[redacted");
  });

  it("has no secrets in its title and keywords, even if only their context identifies them", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Here is the password:\nTr0ub4dor&3xyzQQ\nPlease use it for the staging database")]);
    home.write("s2", [prompt("2", 'Connect with password = "CorrectHorseBattery" to staging')]);
    const { answer: found } = await open(home).recall({ limit: 5 }, { complete: true });
    expect(JSON.stringify(found)).not.toMatch(/tr0ub4dor|correcthorse/i);
    expect(found.conversations.flatMap(({ keywords }) => keywords)).toContain("staging");
    expect(found.conversations.flatMap(({ keywords }) => keywords)).not.toContain("redacted");
  });

  it("shows no secret in a snippet, even if what identifies it is far above", async () => {
    const home = new ClaudeHome();
    const rows = Array.from({ length: 30 }, (_, i) => `otter${i},Kq${i}xR7tuWm,reader`);
    home.write("s1", [prompt("1", `Load these:\n\nuser,password,role\n${rows.join("\n")}\n`)]);
    const lines = Array.from({ length: 30 }, (_, i) => `  badger${i}: lettersonly${"abcdefghij"[i % 10]}`);
    home.write("s2", [prompt("2", `apiVersion: v1\nkind: Secret\nstringData:\n${lines.join("\n")}`)]);
    const { recall } = open(home);
    for (const [query, secret] of [
      ["otter25", "xR7tuWm"],
      ["badger27", "lettersonly"],
      ["", "xR7tuWm"],
      ["", "lettersonly"],
    ] as const) {
      const { answer } = await recall({ ...(query === "" ? {} : { query }), limit: 5 }, { complete: true });
      expect(answer.conversations.length).toBeGreaterThan(0);
      expect(JSON.stringify(answer)).not.toContain(secret);
      if (query !== "") expect(answer.conversations[0]!.snippet).toContain(query);
    }
  });

  it("has no half of a secret where tool output is cut", async () => {
    const home = new ClaudeHome();
    const results = Array.from({ length: 60 }, (_, i) =>
      toolResult(
        `t${i}`,
        `${"log ".repeat(60).slice(0, 190 + i)} postgres://admin:hunterpw99@db.local/shop ${"more ".repeat(20)}`,
      ),
    );
    home.write("s1", [prompt("1", "Look at the log"), ...results]);
    const keepsBeginnings = open(home, () => {}, claudeCode, 0);
    const shown = (await keepsBeginnings.read("s1")).map(({ text }) => text).join("\n");
    expect(shown).not.toContain("hunter");
    expect(shown.match(/\[redacted: password\]/g)!.length).toBeGreaterThan(5);
    expect(shown).toContain("characters more)");
  });

  it("that begins with a long URL has it as its title", async () => {
    const home = new ClaudeHome();
    const address = `https://example.org/${"deeply/".repeat(12)}nested/page`;
    home.write("s1", [prompt("1", address), said("2", "m", "I see.")]);
    expect(await open(home).titles()).toEqual([expect.stringMatching(/^https:\/\/example\.org\/deeply.*…$/)]);
  });

  it("of the requested project is listed, however old it is", async () => {
    const home = new ClaudeHome();
    const old = { timestamp: "2024-01-01T00:00:00Z" };
    home.write("s1", [prompt("1", "Old question", { ...old, cwd: "/code/attic" })]);
    home.write("s2", [prompt("2", "New question", { cwd: "/code/shop" })]);
    const { recall } = open(home);
    for (const project of ["/code/attic", "attic"]) {
      const { answer: found } = await recall({ project, minScore: 1, limit: 5 }, { complete: true });
      expect(found.conversations).toMatchObject([{ title: "Old question", parts: { project: 1.1 } }]);
    }
  });

  it("scores higher if it touched a file that the question names, by path or name", async () => {
    const home = new ClaudeHome();
    const edit = (uuid: string, file_path: string) =>
      answer(uuid, `m${uuid}`, { type: "tool_use", name: "Edit", input: { file_path } });
    home.write("s1", [prompt("1", "One"), edit("2", "/code/shop/src/Cart_Item.ts"), edit("3", "/code/shop/tax.ts")]);
    home.write("s2", [prompt("4", "Two"), edit("5", "/code/shop/src/cartXitem.ts")]);
    const { recall } = open(home);
    const asked = { prompt: "Look at cart_item.ts and tax.ts", limit: 5 };
    const { answer: found } = await recall(asked, { complete: true });
    const parts = Object.fromEntries(found.conversations.map((one) => [one.id, one.parts.files]));
    expect(parts).toEqual({ s1: 0.33, s2: 0 });
  });

  it("with an invalid time gets the time of its file", async () => {
    const home = new ClaudeHome();
    home.write("s2", [{ ...prompt("2", "And that?"), timestamp: "+275760-09-13T00:00:00.000Z" }]);
    home.write("s3", [{ ...prompt("3", "And this?"), timestamp: 1e30 }]);
    const { answer: found } = await open(home).recall({ limit: 5 }, { complete: true });
    expect(found.total).toBe(2);
    for (const { updated } of found.conversations) expect(Math.abs(updated - Date.now())).toBeLessThan(3_600_001);
  });

  it("is found by a part of its title in any script and case", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Über die ÄNDERUNG reden")]);
    const { recall } = open(home);
    for (const title of ["über die", "Änderung", "REDEN"])
      expect((await recall({ title, limit: 5 }, { complete: true })).answer.total).toBe(1);
    expect((await recall({ title: "anders", limit: 5 })).answer.total).toBe(0);
  });
});

describe("a conversation that its program deleted", () => {
  const deleted = async () => {
    const home = new ClaudeHome();
    home.write("kept", [prompt("1", "Kept walrus")]);
    const path = home.write("gone", [prompt("2", "Deleted walrus"), said("3", "m", "It had tusks.")]);
    const store = open(home);
    await store.titles();
    rmSync(path);
    return { home, store };
  };

  it("stays, and is marked as archived", async () => {
    const { store } = await deleted();
    expect((await store.titles("walrus")).toSorted()).toEqual(["Deleted walrus", "Kept walrus"]);
    expect(await store.find("gone")).toMatchObject({ isArchived: true });
    expect(await store.find("kept")).toMatchObject({ isArchived: false });
    expect((await store.sources()).answer[0]).toMatchObject({ conversations: 2, archived: 1, transcripts: 1 });
  });

  it("is deleted when its owner asks for it, and nothing else is", async () => {
    const { store } = await deleted();
    await store.titles();
    expect(await store.forgetArchived()).toBe(1);
    expect(await store.titles("walrus")).toEqual(["Kept walrus"]);
    expect(await store.titles("tusks")).toEqual([]);
    await expect(store.find("gone")).rejects.toThrow("There is no conversation");
  });

  it("is no longer archived when it comes back", async () => {
    const { home, store } = await deleted();
    await store.titles();
    home.write("gone", [prompt("2", "Deleted walrus"), said("3", "m", "It had tusks.")]);
    await store.titles();
    expect(await store.find("gone")).toMatchObject({ isArchived: false, messages: 2 });
  });

  it("is no longer archived when its very file comes back, with nothing new in it", async () => {
    const home = new ClaudeHome();
    const path = home.write("away", [prompt("1", "Travelling walrus")]);
    const store = open(home);
    await store.titles();
    renameSync(path, join(home.folder, "elsewhere"));
    await store.titles();
    expect(await store.find("away")).toMatchObject({ isArchived: true });
    renameSync(join(home.folder, "elsewhere"), path);
    await store.titles();
    expect(await store.find("away")).toMatchObject({ isArchived: false, messages: 1 });
  });

  it("is not mixed with its prompts in the program's history", async () => {
    const { home, store } = await deleted();
    await store.titles();
    const typed = { display: "Deleted walrus", timestamp: 1e12, project: "/code/shop", sessionId: "gone" };
    const other = { ...typed, display: "Forgotten narwhal", sessionId: "older" };
    writeFileSync(
      join(home.folder, ".claude", "history.jsonl"),
      `${JSON.stringify(typed)}\n${JSON.stringify(other)}\n`,
    );
    await store.refresh({ rebuild: true });
    expect(await store.find("gone")).toMatchObject({ isArchived: true, messages: 2 });
    expect((await store.read("gone")).map(({ text }) => text)).toEqual(["Deleted walrus", "It had tusks."]);
    expect(await store.titles("narwhal")).toEqual(["Forgotten narwhal"]);
  });

  it("stays when everything else is read again", async () => {
    const { store } = await deleted();
    await store.titles();
    await store.refresh({ rebuild: true });
    expect((await store.titles("walrus")).toSorted()).toEqual(["Deleted walrus", "Kept walrus"]);
  });

  it("stays when its file is only emptied", async () => {
    const { home, store } = await deleted();
    writeFileSync(home.path("kept"), "");
    expect(await store.titles("walrus")).toHaveLength(2);
    expect(await store.find("kept")).toMatchObject({ isArchived: true });
  });

  it("leaves its messages to the session that repeats them when it is deleted", async () => {
    const home = new ClaudeHome();
    const beginning = [prompt("1", "Explain otters"), said("2", "m1", "They swim.")];
    const path = home.write("first", beginning);
    home.write("second", [...beginning, prompt("4", "And badgers?")]);
    const store = open(home);
    await store.titles();
    rmSync(path);
    await store.titles();
    await store.forgetArchived();
    expect((await store.read("second")).map(({ text }) => text)).toEqual([
      "Explain otters",
      "They swim.",
      "And badgers?",
    ]);
  });
});

describe("the store", () => {
  it("is created on first use, readable by its owner only", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Hello")]);
    const { titles } = open(home);
    const file = join(home.folder, "data", "conversations.db");
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    await titles();
    for (const name of readdirSync(join(home.folder, "data")))
      expect(statSync(join(home.folder, "data", name)).mode & 0o777).toBe(0o600);
  });

  it("is kept under another name and rebuilt if it is damaged", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Precious pelican")]);
    const first = open(home);
    await first.titles();
    await first.close();
    const file = join(home.folder, "data", "conversations.db");
    const damaged = readFileSync(file).fill(7, 0, 20_000);
    writeFileSync(file, damaged);
    const lines: string[] = [];
    expect(await open(home, (line) => lines.push(line)).titles("pelican")).toEqual(["Precious pelican"]);
    expect(lines).toEqual(["the store of conversations is damaged and is rebuilt"]);
    const aside = readdirSync(join(home.folder, "data")).filter((name) => name.includes("damaged"));
    expect(aside).toEqual([expect.stringMatching(/^conversations-damaged-\d{14}\.db$/)]);
    expect(readFileSync(join(home.folder, "data", aside[0]!)).equals(damaged)).toBe(true);
  });

  it("keeps a conversation that its program deleted from an existing file when it is rebuilt", async () => {
    const home = new ClaudeHome();
    home.write("both", [prompt("1", "Ignored")]);
    let present = ["one", "two"];
    const { readsProseFirst: _, ...whole } = claudeCode;
    const source: ConversationSource = {
      ...whole,
      read: async function* (transcript) {
        const parts = present.map((conversation) => ({
          kind: "part" as const,
          part: {
            conversation,
            key: conversation,
            message: conversation,
            order: 1,
            role: "user" as const,
            kind: "prose" as const,
            text: `Pelican ${conversation}`,
          },
        }));
        yield [
          ...parts,
          { kind: "present", conversations: present },
          { kind: "checkpoint", checkpoint: transcript.stamp },
        ];
      },
    };
    const { titles, refresh } = open(home, () => {}, source);
    expect((await titles()).toSorted()).toEqual(["Pelican one", "Pelican two"]);
    present = ["two"];
    home.write("both", [prompt("1", "Ignored"), prompt("2", "Ignored too")]);
    await titles();
    await refresh({ rebuild: true });
    expect((await titles("pelican")).toSorted()).toEqual(["Pelican one", "Pelican two"]);
  });

  it("is not touched if a newer release wrote it", async () => {
    const home = new ClaudeHome();
    const first = open(home);
    await first.titles();
    await first.close();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(join(home.folder, "data", "conversations.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expect(open(home).titles()).rejects.toThrow("A newer release of this program has written");
  });

  it("answers at once during the first refresh, and reports the progress", async () => {
    const home = new ClaudeHome();
    for (let i = 0; i < 30; i++) home.write(`s${i}`, [prompt(`p${i}`, `Question ${i}`)]);
    const isAnswered = Promise.withResolvers<void>();
    let begun = 0;
    const slow = {
      ...claudeCode,
      read: async function* (...args: Parameters<typeof claudeCode.read>) {
        // The first ones take longer than a slice of the refresh, and are written; the others wait.
        await (begun++ < 10 ? pause(400) : isAnswered.promise);
        yield* claudeCode.read(...args);
      },
    };
    const file = join(home.folder, "data", "conversations.db");
    const conversations = openConversations({ file, sources: [slow], homes: [home], redact, log: () => {} });
    onTestFinished(() => {
      isAnswered.resolve();
      return conversations.close();
    });
    const recall = () => conversations.recall({ limit: 100 });
    await expect.poll(async () => (await recall()).indexing?.total).toBe(30);
    const { answer: found, stale } = await recall();
    expect(stale).toBe(true);
    expect(found.conversations.length).toBeLessThan(30);
    isAnswered.resolve();
    await expect.poll(async () => (await recall()).answer.conversations.length).toBe(30);
  });
});

describe("a project", () => {
  it("keeps its conversations when its folder is renamed, and shares them with its worktrees and subfolders", async () => {
    const home = new ClaudeHome();
    const folder = join(home.folder, "shop");
    mkdirSync(join(folder, ".git"), { recursive: true });
    home.write("s1", [prompt("1", "Rename me", { cwd: join(folder, "packages", "cart") })]);
    mkdirSync(join(folder, "packages", "cart"), { recursive: true });
    const { recall } = open(home);
    const project = async (here: string) =>
      (await recall({ here, limit: 9 }, { complete: true })).answer.conversations[0]!.parts.project;
    expect(await project(folder)).toBe(1.1);
    const renamed = join(home.folder, "store");
    renameSync(folder, renamed);
    expect(await project(renamed)).toBe(1.1);
    expect(await project(join(renamed, "packages"))).toBe(1.1);
    expect(await project(home.folder)).toBe(0);
  });
});

describe("a source that fails", () => {
  it("is reported, and stored conversations stay", async () => {
    const home = new ClaudeHome();
    home.write("s1", [prompt("1", "Steady as a rock")]);
    const file = join(home.folder, "data", "conversations.db");
    const denied = () => Object.assign(new Error("no"), { code: "EACCES" });
    let isBroken = false;
    const source: ConversationSource = {
      ...claudeCode,
      find: function* (where) {
        if (isBroken) throw denied();
        yield* claudeCode.find(where);
      },
      read: async function* (transcript, ...rest) {
        if (transcript.path.includes("s2")) throw denied();
        yield* claudeCode.read(transcript, ...rest);
      },
    };
    const lines: string[] = [];
    const conversations = openConversations({
      file,
      sources: [source],
      homes: [home],
      redact,
      log: (line) => lines.push(line),
    });
    onTestFinished(() => conversations.close());
    home.write("s2", [prompt("2", "Never read")]);
    const state = async () => (await conversations.sources({ complete: true, withTools: true })).answer[0];
    expect(await state()).toMatchObject({
      conversations: 1,
      archived: 0,
      unreadable: [{ reason: "permission denied" }],
    });
    isBroken = true;
    expect(await state()).toMatchObject({ conversations: 1, archived: 0, unreadable: [{ count: 2 }] });
    expect(lines).toEqual([]);
  });
});

describe("files that conversations of a project touched", () => {
  it("are returned with a weight, relative to the project", async () => {
    const home = new ClaudeHome();
    const edit = (file_path: string) =>
      answer(file_path, "m", { type: "tool_use", name: "Edit", input: { file_path } });
    home.write("s1", [
      prompt("1", "Look at src/cart.ts"),
      edit("/code/shop/src/cart.ts"),
      edit("/code/shop/src/tax.ts"),
      edit("/etc/hosts"),
    ]);
    const { titles, touchedFiles } = open(home);
    expect(touchedFiles("/code/shop", 0)).toEqual(new Map());
    await titles();
    const touched = touchedFiles("/code/shop", 0);
    expect([...touched.keys()]).toEqual(["src/cart.ts", "src/tax.ts"]);
    expect(touched.get("src/cart.ts")! / touched.get("src/tax.ts")!).toBeCloseTo(2);
    expect(touchedFiles("/code/other", 0).size).toBe(0);
    expect(touchedFiles("/code/shop", Date.now()).size).toBe(0);
  });
});
