// Sessions that were made as copies of others, as Claude Code and Qwen Code write them: the
// original keeps what was said in it, whichever file is read first.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, ClaudeHome, prompt, record, said, toolResult } from "../../test/claude-home.ts";
import { homeIn } from "../../test/source-reader.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openConversations, type Conversations } from "./conversation-library.ts";
import { exportConversations } from "./export/export.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";
import { qwen } from "./sources/qwen/qwen.ts";
import type { Home } from "./sources/source.ts";
import type { Message } from "./store/conversation-reader.ts";

function open(home: Home): Conversations {
  const file = join(home.folder, "data", "conversations.db");
  const conversations = openConversations({
    file,
    sources: [claudeCode, qwen],
    homes: [home],
    redact: (text) => text,
    log: () => {},
  });
  onTestFinished(() => conversations.close());
  return conversations;
}

async function textsOf(conversations: Conversations, id: string): Promise<string[]> {
  const conversation = await conversations.find(id, { complete: true, withTools: true });
  return [...conversations.messages(conversation)].flat().map(({ text }: Message) => text);
}

/** The texts of an export, in order. */
async function exported(conversations: Conversations, id: string): Promise<string[]> {
  const { title } = await conversations.find(id, { complete: true, withTools: true });
  const files: string[] = [];
  const writer = {
    create: async (name: string, pieces: Iterable<string>) => {
      files.push([...pieces].join(""));
      return name;
    },
  };
  await exportConversations(conversations, { format: "json", limit: 10, title }, writer);
  const all = files.map((file) => JSON.parse(file) as { id: string; messages: { text: string }[] });
  return all.find((one) => one.id === id)!.messages.map(({ text }) => text);
}

/** As `--fork-session` writes it: everything once more, behind a record of the moment at which it was forked. */
const forked = (records: readonly object[], later: object) => [
  { type: "mode", mode: "default", sessionId: "fork" },
  { type: "queue-operation", operation: "enqueue", timestamp: (later as { timestamp: string }).timestamp },
  ...records,
];

function originalAndFork() {
  const beginning = [
    prompt("1", "Explain otters"),
    answer("2", "m1", { type: "thinking", thinking: "Fur." }),
    said("3", "m1", "They swim."),
    toolResult("4", "otter facts"),
  ];
  // Not by this moment: records are younger the more of them were made before.
  const forkedAt = Date.parse(beginning.at(-1)!.timestamp) + 10_000;
  const at = (seconds: number) => ({ timestamp: new Date(forkedAt + seconds * 1000).toISOString() });
  const inFork = [prompt("5", "And badgers?", at(5)), said("6", "m2", "They dig.", at(6))];
  const inOriginal = [prompt("7", "And foxes?", at(50)), said("8", "m3", "They hunt.", at(51))];
  return { beginning, inFork, inOriginal, fork: forked(beginning, at(0)), at };
}

async function expectBothWhole(conversations: Conversations): Promise<void> {
  expect(await textsOf(conversations, "original")).toEqual([
    "Explain otters",
    "Fur.",
    "They swim.",
    "otter facts",
    "And foxes?",
    "They hunt.",
  ]);
  expect(await textsOf(conversations, "fork")).toEqual(["And badgers?", "They dig."]);
  expect(await conversations.find("original")).toMatchObject({ continues: undefined, messages: 4 });
  expect(await conversations.find("fork")).toMatchObject({ continues: "original", messages: 2 });
  expect(await exported(conversations, "fork")).toEqual([
    "Explain otters",
    "Fur.",
    "They swim.",
    "And badgers?",
    "They dig.",
  ]);
  const { answer: found } = await conversations.recall({ query: "otters", limit: 10 }, { complete: true });
  expect(found.conversations.map(({ id }) => id)).toEqual(["original"]);
}

describe("a forked session", () => {
  for (const [order, times] of [
    ["before", [1_700_000_000, 1_700_000_100]],
    ["after", [1_700_000_100, 1_700_000_000]],
  ] as const)
    it(`leaves to the original what that said, where the original's file is read ${order} its own`, async () => {
      const home = new ClaudeHome();
      const { beginning, inFork, inOriginal, fork } = originalAndFork();
      const paths = [home.write("original", [...beginning, ...inOriginal]), home.write("fork", [...fork, ...inFork])];
      paths.forEach((path, i) => utimesSync(path, times[i]!, times[i]!));
      await expectBothWhole(open(home));
    });

  it("gives shared messages to the original when that is found later, and may continue", async () => {
    const home = new ClaudeHome();
    const { beginning, inFork, inOriginal, fork } = originalAndFork();
    home.write("fork", [...fork, ...inFork.slice(0, 1)]);
    const conversations = open(home);
    expect(await textsOf(conversations, "fork")).toHaveLength(5);
    home.write("original", [...beginning, ...inOriginal]);
    expect(await textsOf(conversations, "fork")).toEqual(["And badgers?"]);
    home.append("fork", ...inFork.slice(1));
    await expectBothWhole(conversations);
  });

  it("keeps everything if the original is gone", async () => {
    const home = new ClaudeHome();
    const { inFork, fork } = originalAndFork();
    home.write("fork", [...fork, ...inFork]);
    const conversations = open(home);
    expect(await textsOf(conversations, "fork")).toHaveLength(6);
    expect(await conversations.find("fork")).toMatchObject({ continues: undefined, messages: 4 });
  });

  it("of a fork leaves its own messages to each session", async () => {
    const { beginning, inFork, fork, at } = originalAndFork();
    const third = [...forked([...beginning, ...inFork], at(100)), prompt("9", "And cats?", at(101))];
    const files: Record<string, readonly object[]> = { original: beginning, fork: [...fork, ...inFork], third };
    for (const order of [
      ["original", "fork", "third"],
      ["third", "fork", "original"],
      ["fork", "third", "original"],
    ]) {
      const home = new ClaudeHome();
      order.forEach((id, i) => utimesSync(home.write(id, files[id]!), 1_700_000_000 + i, 1_700_000_000 + i));
      const conversations = open(home);
      expect(await textsOf(conversations, "original"), order.join()).toHaveLength(4);
      expect(await textsOf(conversations, "fork"), order.join()).toEqual(["And badgers?", "They dig."]);
      expect(await textsOf(conversations, "third"), order.join()).toEqual(["And cats?"]);
      expect(await conversations.find("fork")).toMatchObject({ continues: "original" });
      expect(await conversations.find("third"), order.join()).toMatchObject({ continues: "fork" });
      expect(await exported(conversations, "third"), order.join()).toEqual([
        "Explain otters",
        "Fur.",
        "They swim.",
        "And badgers?",
        "They dig.",
        "And cats?",
      ]);
    }
  });

  it("marks no prompt of the original as edited, even if both follow the same message", async () => {
    const home = new ClaudeHome();
    const { beginning, inFork, inOriginal, fork } = originalAndFork();
    const follow = (records: readonly object[]) => records.map((one) => ({ ...one, parentUuid: "3" }));
    home.write("original", [...beginning, ...follow(inOriginal)]);
    home.write("fork", [...fork, ...follow(inFork)]);
    const conversations = open(home);
    for (const id of ["original", "fork"]) {
      const conversation = await conversations.find(id, { complete: true, withTools: true });
      const messages = [...conversations.messages(conversation)].flat();
      expect(
        messages.filter(({ isAbandoned }) => isAbandoned),
        id,
      ).toEqual([]);
    }
  });
});

describe("a branched session", () => {
  it("made after a compaction has everything in its export, and begins where it diverged", async () => {
    const home = new ClaudeHome();
    const times = [
      "10:00:00",
      "10:00:10",
      "10:01:00",
      "10:01:10",
      "10:02:00",
      "10:02:01",
      "10:03:00",
      "10:04:00",
      "10:01:05",
    ];
    const at = (i: number) => ({ timestamp: `2026-11-16T${times[i]}.000Z` });
    const original = [
      prompt("1", "First question", at(0)),
      said("2", "m1", "First answer", at(1)),
      prompt("3", "Second question", at(2)),
      answer("4", "m2", { type: "thinking", thinking: "Second thought" }, at(8)),
      said("5", "m2", "Second answer", at(3)),
      record("system", "6", { subtype: "compact_boundary", ...at(4) }),
      prompt("7", "This session is being continued from a previous conversation: a summary", {
        isCompactSummary: true,
        ...at(5),
      }),
      prompt("8", "Third question", at(6)),
    ];
    // After a compaction the copy begins with its summary, and goes on with messages that are older.
    const copied = [5, 6, 3, 4, 7].map((i) => ({
      ...original[i]!,
      forkedFrom: { sessionId: "original", messageUuid: original[i]!.uuid },
    }));
    for (const order of [0, 1]) {
      const fresh = order === 0 ? home : new ClaudeHome();
      const paths = [
        fresh.write("original", original),
        fresh.write("branch", [...copied, prompt("9", "Fourth question", at(7))]),
      ];
      paths.forEach((path, i) =>
        utimesSync(path, 1_700_000_000 + Math.abs(i - order), 1_700_000_000 + Math.abs(i - order)),
      );
      const conversations = open(fresh);
      expect(await exported(conversations, "branch")).toEqual([
        "First question",
        "First answer",
        "Second question",
        "Second thought",
        "Second answer",
        "This session is being continued from a previous conversation: a summary",
        "Third question",
        "Fourth question",
      ]);
      const branch = await conversations.find("branch");
      expect(branch).toMatchObject({ continues: "original", messages: 1 });
      expect(new Date(branch.created).toISOString()).toBe("2026-11-16T10:04:00.000Z");
      expect(await conversations.find("original")).toMatchObject({ messages: 5 });
    }
  });
});

describe("a session of Qwen Code with a tool", () => {
  const ORIGINAL = "11111111-2222-4333-8444-555555555555";
  const FORK = "00000000-2222-4333-8444-555555555555";

  /** As `--fork-session` writes it: a fork repeats every record, and says of each where it is from. */
  function write(home: string, session: string, copied: readonly string[], own: readonly string[], changed: number) {
    let before: string | null = null;
    const records = [...copied, ...own].map((text, i) => {
      const uuid = text.replaceAll(" ", "-");
      const timestamp = new Date(
        Date.UTC(2026, 10, 16, 12, i) + (i < copied.length ? 0 : changed * 1000),
      ).toISOString();
      const parts = text.startsWith("output")
        ? [{ functionResponse: { id: "c", name: "shell", response: { output: text } } }]
        : [{ text }];
      const type = text.startsWith("output") ? "tool_result" : text.startsWith("answer") ? "assistant" : "user";
      const forkedFrom = { sessionId: ORIGINAL, messageUuid: uuid };
      const isCopy = i < copied.length && session !== ORIGINAL;
      const record = { uuid, parentUuid: before, sessionId: session, timestamp, type, cwd: "/x", message: { parts } };
      before = uuid;
      return { ...record, ...(isCopy ? { forkedFrom } : {}) };
    });
    const path = join(home, ".qwen", "projects", "-x", "chats", `${session}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    utimesSync(path, 1_700_000_000 + changed, 1_700_000_000 + changed);
  }

  it("and its fork are both there when tools are read too, whichever was changed last", async () => {
    for (const [changedOriginal, changedFork] of [
      [0, 100],
      [100, 0],
    ] as const) {
      const folder = temporaryFolder();
      const shared = ["prompt one", "output one", "answer one"];
      write(folder, ORIGINAL, shared, ["prompt two", "answer two"], changedOriginal);
      write(folder, FORK, shared, ["prompt three", "answer three"], changedFork);
      const conversations = open(homeIn(folder));
      const { answer: found } = await conversations.recall({ limit: 10 }, { complete: true, withTools: true });
      expect(found.conversations).toHaveLength(2);
      expect(await textsOf(conversations, ORIGINAL)).toEqual([...shared, "prompt two", "answer two"]);
      expect(await textsOf(conversations, FORK)).toEqual(["prompt three", "answer three"]);
    }
  });
});

describe("a conversation", () => {
  it("names the model that answered last", async () => {
    const home = new ClaudeHome();
    const by = (model: string) => ({ message: { id: model, model, content: [{ type: "text", text: "Yes." }] } });
    home.write("s1", [
      prompt("1", "Otters?"),
      record("assistant", "2", by("claude-sonnet-4-5")),
      record("assistant", "3", by("claude-opus-4-8")),
      record("assistant", "4", by("<synthetic>")),
    ]);
    const conversations = open(home);
    await conversations.refresh();
    expect(await conversations.find("s1")).toMatchObject({ model: "claude-opus-4-8" });
  });
});
