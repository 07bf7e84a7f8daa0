// Archives of claude.ai and ChatGPT, imported into a real store: what is added,
// replaced and left alone, and that nothing which renews the store loses them.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { zipArchive } from "../../../test/fixtures/zip-archives.ts";
import { chatGptConversation, chatGptMessage, claudeAiConversation } from "../../../test/program-stores/archives.ts";
import { madeConversations, type MadeConversation } from "../../../test/program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../../test/program-stores/program-stores.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { type Conversations } from "../conversation-library.ts";
import type { ConversationSource } from "../sources/source.ts";
import { loadSources } from "../sources/sources.ts";

const SOURCES = await loadSources();

const SERVICES = [
  ["claude-ai", "claude.ai", claudeAiConversation],
  ["chatgpt", "ChatGPT", chatGptConversation],
] as const;

function open(folder: string, sources: readonly ConversationSource[] = SOURCES): Conversations {
  return openStore(folder, sources, join(folder, "data", "conversations.db"));
}

function fileOf(folder: string, content: unknown, name = "conversations.json"): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.isBuffer(content) || typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** The first `turns` turns. */
const until = (made: MadeConversation, turns: number): MadeConversation => ({
  ...made,
  turns: made.turns.slice(0, turns),
});

async function textsOf(conversations: Conversations, id: string): Promise<string[]> {
  const conversation = await conversations.find(id, { complete: true, withTools: true });
  const messages = [...conversations.messages(conversation)].flat().filter(({ kind }) => kind === "prose");
  return messages.map(({ text, isAbandoned }) => (isAbandoned ? `(${text})` : text));
}

const NOTHING = { added: 0, replaced: 0, unchanged: 0, empty: 0, forgotten: 0, unreadable: 0 };

it("tool texts of an archive are kept whole, without secrets, and beginnings are searched", async () => {
  const folder = temporaryFolder();
  const conversations = open(folder);
  const [made] = madeConversations(1, 1) as [MadeConversation];
  const archived = JSON.parse(JSON.stringify(claudeAiConversation(made))) as { chat_messages: { content: object[] }[] };
  const long = `walrus postgres://admin:hunterpw99@db.local/shop ${"and more ".repeat(100)}heron`;
  archived.chat_messages
    .at(-1)!
    .content.push({ type: "tool_result", name: "web", content: [{ type: "text", text: long }] });
  await conversations.importArchive(fileOf(folder, [archived]));
  const conversation = await conversations.find(made.id, { withTools: true });
  const texts = [...conversations.messages(conversation)].flat().map(({ text }) => text);
  expect(texts).toContain(long.replace("hunterpw99", "[redacted: password]"));
  const found = async (query: string) =>
    (await conversations.recall({ query, includeTools: true, limit: 5 })).answer.total;
  expect([await found("walrus"), await found("hunterpw99"), await found("heron")]).toEqual([1, 0, 0]);
});

describe.each(SERVICES)("an archive of %s", (source, title, conversationOf) => {
  const [first, second] = madeConversations(2, 3) as [MadeConversation, MadeConversation];
  const all = ({ turns }: MadeConversation) => turns.flatMap(({ prompt, answer }) => [prompt, answer]);

  it("is imported, found and read, and importing it again changes nothing", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const path = fileOf(folder, [conversationOf(first), conversationOf(second)]);
    expect(await conversations.importArchive(path)).toEqual({ ...NOTHING, from: [title], added: 2 });
    const { answer } = await conversations.recall({ query: "answer0x1", limit: 10 });
    expect(answer.conversations).toMatchObject([
      { id: first.id, source, title: first.title, messages: 6, created: first.turns[0]!.at, timeKnown: "stored" },
    ]);
    expect(await textsOf(conversations, first.id)).toEqual(all(first));
    const tools = await conversations.recall({ query: "output1x2", includeTools: true, limit: 10 });
    expect(tools.answer.conversations.map(({ id }) => id)).toEqual([second.id]);
    expect(await conversations.importArchive(path)).toEqual({ ...NOTHING, from: [title], unchanged: 2 });
  });

  it("that is newer adds and replaces; one that is older changes nothing; what it lacks stays", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const older = fileOf(folder, [conversationOf(until(first, 2)), conversationOf(second)], "older.json");
    const newer = fileOf(folder, [conversationOf({ ...first, title: "Renamed" })], "newer.json");
    await conversations.importArchive(older);
    expect(await conversations.importArchive(newer)).toEqual({ ...NOTHING, from: [title], replaced: 1 });
    expect(await conversations.importArchive(older)).toEqual({ ...NOTHING, from: [title], unchanged: 2 });
    expect(await textsOf(conversations, first.id)).toEqual(all(first));
    expect(await textsOf(conversations, second.id)).toEqual(all(second));
    expect(await conversations.find(first.id)).toMatchObject({ title: "Renamed", messages: 6 });
    const { answer } = await conversations.recall({ query: "answer0x1", limit: 10 });
    expect(answer.conversations).toHaveLength(1);
  });

  it("stays whole, whatever renews the store", async () => {
    const folder = temporaryFolder();
    const path = fileOf(folder, [conversationOf(first)]);
    PROGRAM_STORES["codex"]!.write(folder, [second]);
    const conversations = open(folder);
    await conversations.importArchive(path);
    const look = async (library: Conversations) => {
      expect(await textsOf(library, first.id)).toEqual(all(first));
      const { answer } = await library.recall({ query: "answer0x1", limit: 10 }, { complete: true });
      expect(answer.conversations).toMatchObject([{ id: first.id, isArchived: false, messages: 6 }]);
    };
    await conversations.refresh();
    await look(conversations);
    await conversations.refresh({ rebuild: true });
    await look(conversations);
    expect(await conversations.forgetArchived()).toBe(0);
    await look(conversations);
    await conversations.close();
    const newer = SOURCES.map((one) => ({ ...one, reader: one.reader + 1 }));
    const later = open(folder, newer);
    await later.refresh();
    await look(later);
    expect(await later.importArchive(path)).toEqual({ ...NOTHING, from: [title], replaced: 1 });
    await look(later);
    await later.close();
    // A version of the program that does not know the service.
    const without = open(
      folder,
      SOURCES.filter(({ name }) => name !== source),
    );
    await without.refresh({ rebuild: true });
    expect(await without.forgetArchived()).toBe(0);
    await without.close();
    await look(open(folder));
  });

  it("may be a zip file, or the folder that a browser unpacked it to", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const members = [
      { name: "users.json", content: "must not be read" },
      { name: "export/conversations.json", content: JSON.stringify([conversationOf(first)]) },
      { name: "__MACOSX/export/._conversations.json", content: "junk" },
    ];
    const zip = fileOf(folder, zipArchive(members), "export.zip");
    expect(await conversations.importArchive(zip)).toEqual({ ...NOTHING, from: [title], added: 1 });
    mkdirSync(join(folder, "unpacked", "export"), { recursive: true });
    fileOf(folder, members[0]!.content, "unpacked/users.json");
    cpSync(
      fileOf(folder, [conversationOf(first), conversationOf(second)]),
      join(folder, "unpacked/export/conversations.json"),
    );
    expect(await conversations.importArchive(join(folder, "unpacked"))).toEqual({
      ...NOTHING,
      from: [title],
      unchanged: 1,
      added: 1,
    });
  });

  it("that is cut off is imported as far as it goes, and says so", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const whole = JSON.stringify([conversationOf(first), conversationOf(second)]);
    const result = await conversations.importArchive(fileOf(folder, whole.slice(0, -100)));
    expect(result).toMatchObject({ added: 1, incomplete: expect.stringContaining("not downloaded completely") });
    expect(await textsOf(conversations, first.id)).toEqual(all(first));
  });

  it("does not let an empty or damaged version replace what was said", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    await conversations.importArchive(fileOf(folder, [conversationOf(until(first, 1))]));
    const empty = { ...conversationOf(first), chat_messages: [], mapping: {} };
    const result = await conversations.importArchive(fileOf(folder, [empty, { what: "ever" }, 7]));
    expect(result).toEqual({ ...NOTHING, from: [title], empty: 1, unreadable: 1 });
    expect(await textsOf(conversations, first.id)).toEqual(all(until(first, 1)));
  });
});

describe("a newer version of a conversation", () => {
  it("replaces which branch was abandoned", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const [made] = madeConversations(1, 1) as [MadeConversation];
    const one = chatGptConversation(made);
    const mapping = one["mapping"] as Record<string, { parent: string; message: Record<string, unknown> }>;
    const leaf = String(one["current_node"]);
    const other = {
      id: "other",
      parent: mapping[leaf]!.parent,
      children: [],
      message: { ...mapping[leaf]!.message, id: "other", content: { content_type: "text", parts: ["Another answer"] } },
    };
    const both = { ...one, mapping: { ...mapping, other } };
    const { prompt, answer } = made.turns[0]!;
    await conversations.importArchive(fileOf(folder, [{ ...both, current_node: "other" }]));
    expect(await textsOf(conversations, made.id)).toEqual([prompt, `(${answer})`, "Another answer"]);
    await conversations.importArchive(fileOf(folder, [both]));
    expect(await textsOf(conversations, made.id)).toEqual([prompt, answer, "(Another answer)"]);
  });
});

it("thinking and tools of ChatGPT are of the branch that they led to, whichever was read before them", async () => {
  const folder = temporaryFolder();
  const conversations = open(folder);
  const node = (id: string, parent: string | null, role: string, content: Record<string, unknown>) => ({
    [id]: { id, parent, children: [], message: { ...chatGptMessage(id, role, content), create_time: 1_767_225_600 } },
  });
  const text = (said: string) => ({ content_type: "text", parts: [said] });
  const thought = (content: string) => ({ content_type: "thoughts", thoughts: [{ content }] });
  const mapping = {
    ...node("a", null, "user", text("Hi")),
    ...node("b1", "a", "assistant", thought("First thought")),
    ...node("b2", "b1", "tool", { content_type: "execution_output", text: "First output" }),
    ...node("b3", "b2", "assistant", text("First")),
    ...node("c1", "a", "assistant", thought("Second thought")),
    ...node("c2", "c1", "tool", { content_type: "execution_output", text: "Second output" }),
    ...node("c3", "c2", "assistant", text("Second")),
  };
  await conversations.importArchive(fileOf(folder, [{ id: "c", title: "Otters", mapping, current_node: "c3" }]));
  const messages = [...conversations.messages(await conversations.find("c", { withTools: true }))].flat();
  expect(messages.map(({ text: said, isAbandoned }) => (isAbandoned ? `(${said})` : said))).toEqual([
    "Hi",
    "(First thought)",
    "(First output)",
    "(First)",
    "Second thought",
    "Second output",
    "Second",
  ]);
});

describe("an archive", () => {
  it("of ChatGPT may be split into several files", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const made = madeConversations(3, 1);
    const members = made.map((one, i) => ({
      name: `conversations-00${i}.json`,
      content: JSON.stringify([chatGptConversation(one)]),
    }));
    const progress: number[] = [];
    const path = fileOf(folder, zipArchive(members), "a.zip");
    const result = await conversations.importArchive(path, {
      onProgress: (done, total) => progress.push(done / total),
    });
    expect(result).toMatchObject({ added: 3 });
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it.each([
    ["no.zip", zipArchive([{ name: "user.json", content: "{}" }]), "no.zip has no conversations.json."],
    ["photo.json", '[{"a": 1}]', "This is not an archive of claude.ai, ChatGPT, DeepSeek or Gemini."],
    ["text.json", "Hello", "is no JSON, or was not downloaded completely."],
    ["empty.json", "", "empty.json is empty."],
    [
      "damaged.zip",
      zipArchive([{ name: "conversations.json", content: "[]" }]).subarray(0, -9),
      "The zip archive is damaged",
    ],
  ])("that is not an archive is refused with a sentence: %s", async (name, content, message) => {
    const folder = temporaryFolder();
    await expect(open(folder).importArchive(fileOf(folder, content, name))).rejects.toThrow(message);
  });

  it("that is missing is refused with a sentence", async () => {
    const folder = temporaryFolder();
    await expect(open(folder).importArchive(join(folder, "gone.zip"))).rejects.toThrow("There is no file");
  });

  it("with hostile conversations is read without a crash", async () => {
    const folder = temporaryFolder();
    const conversations = open(folder);
    const deep = `{"uuid":"deep","chat_messages":[{"sender":"human","content":[{"type":"tool_use","input":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}]}`;
    const wrong = {
      uuid: "x\u0000",
      chat_messages: [{ sender: "human", content: [{ type: "text", text: "a\u0000\uD800b" }] }],
    };
    const result = await conversations.importArchive(fileOf(folder, `[${deep},${JSON.stringify(wrong)}]`));
    expect(result.added + result.empty + result.unreadable).toBe(2);
    expect(result.added).toBe(1);
  });
});
