// Windsurf's stores, built here from what is known of them: no real one is
// public.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { windsurf } from "./windsurf.ts";

type Values = Readonly<Record<string, unknown>>;

const ID = "0b5e6f3a-1c2d-4e5f-8a9b-0c1d2e3f4a5b";
const OTHER = "1b5e6f3a-1c2d-4e5f-8a9b-0c1d2e3f4a5b";

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

/** A field of a protobuf message: a number, a text, or a message made of fields. */
function field(number: number, value: number | string | readonly Buffer[]): Buffer {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.concat(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

const TIME = Date.UTC(2026, 5, 1, 12);
const at = (seconds: number) => field(5, [field(1, [field(1, TIME / 1000 + seconds), field(2, 250_000_000)])]);

const asked = (id: number, text: string) =>
  field(1, [field(1, id), field(4, 14), at(id), field(19, [field(2, text), field(3, [field(1, text.slice(0, 3))])])]);
const answered = (id: number, answer: readonly Buffer[]) =>
  field(1, [field(1, id), field(4, 15), at(id), field(20, answer)]);

function trajectory(id: string, steps: readonly Buffer[]): string {
  return Buffer.concat([field(1, id), field(2, steps), field(3, 1)]).toString("base64");
}

function summaries(...entries: readonly (readonly [id: string, title: string])[]): string {
  return Buffer.concat(
    entries.map(([id, title]) => field(1, [field(1, id), field(2, [field(7, 3), field(1, title), field(2, "other")])])),
  ).toString("base64");
}

function writeState(path: string, items: Values): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  for (const [key, value] of Object.entries(items))
    database
      .prepare("INSERT INTO ItemTable VALUES (?, ?)")
      .run(key, typeof value === "string" ? value : JSON.stringify(value));
  database.close();
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const user = (home: string, product = "Windsurf") => join(home, ".config", product, "User");
const GLOBAL = "globalStorage/state.vscdb";

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(windsurf, homeIn(home));
}

describe("Windsurf's cached trajectories", () => {
  const steps = [
    asked(1, "Why does it fail?"),
    answered(2, [
      field(3, "Let me look"),
      field(7, [field(1, "t1"), field(2, "view_file"), field(3, '{"AbsolutePath":"/x/a.ts"}')]),
      field(8, "I look at it."),
    ]),
    field(1, [field(1, 3), field(4, 21), at(3), field(28, [field(1, "exit code 0")])]),
    field(1, [field(1, 4), field(4, 99), field(77, [field(1, 5)])]),
    asked(5, "Thanks"),
  ];

  it("are decoded: messages with roles and times, thinking, tools and their output", async () => {
    const home = temporaryFolder();
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": {
        apiKey: "SECRET",
        [`windsurf.state.cachedTrajectorySummaries:w1`]: summaries([ID, "A failing test"], [OTHER, "Something else"]),
        [`windsurf.state.cachedActiveTrajectory:w1`]: trajectory(ID, steps),
      },
    });
    writeFile(
      join(user(home), "workspaceStorage/w1/workspace.json"),
      JSON.stringify({ folder: "file:///home/anna/x" }),
    );
    const reading = await readIn(home);
    const { facts, parts } = reading.conversation(ID);
    expect(facts).toEqual({ id: ID, title: "A failing test", folder: "/home/anna/x", workspace: "w1" });
    expect(parts.map(({ role, kind, text }) => `${role} ${kind}: ${text}`)).toEqual([
      "user prose: Why does it fail?",
      "assistant thinking: Let me look",
      "assistant prose: I look at it.",
      'assistant tool: view_file {"AbsolutePath":"/x/a.ts"}',
      "assistant tool: exit code 0",
      "user prose: Thanks",
    ]);
    expect(parts.map(({ time }) => time)).toEqual([1, 2, 2, 2, 3, 5].map((second) => TIME + second * 1000 + 250));
    expect(parts.find(({ kind }) => kind === "tool")!.files).toEqual(["/x/a.ts"]);
    expect(reading.notices).toEqual({ "skipped: steps in a form that is not known": 1 });
    expect(reading.conversation(OTHER).facts).toEqual({
      id: OTHER,
      title: "Something else",
      folder: "/home/anna/x",
      workspace: "w1",
      unavailable: "encrypted",
    });
    expect(JSON.stringify([reading.events, [...reading.checkpoints]])).not.toContain("SECRET");
    expect(new Set(reading.present)).toEqual(new Set([ID, OTHER]));
  });

  it("that cannot be read are listed by title, with the times from their list", async () => {
    const home = temporaryFolder();
    const timed = (id: string, title: string) =>
      field(1, [
        field(1, id),
        field(2, [field(1, title), field(3, [field(1, TIME / 1000)]), field(9, [field(1, TIME / 1000 + 60)])]),
      ]);
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": {
        [`windsurf.state.cachedTrajectorySummaries:w1`]: timed(OTHER, "Migrating the pelican database").toString(
          "base64",
        ),
      },
    });
    const conversations = openStore(home, [windsurf], join(home, "conversations.db"));
    const { answer: found } = await conversations.recall({ query: "pelican", limit: 5 }, { complete: true });
    expect(found.conversations).toMatchObject([
      {
        id: OTHER,
        messages: 0,
        unavailable: "encrypted",
        created: TIME,
        updated: TIME + 60_000,
        timeKnown: "inferred",
      },
    ]);
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": { [`windsurf.state.cachedActiveTrajectory:w1`]: trajectory(OTHER, steps) },
    });
    expect(await conversations.find(OTHER, { complete: true })).toMatchObject({ messages: 3, unavailable: undefined });
  });

  it("of an older form have prompts in another field", async () => {
    const home = temporaryFolder();
    const older = [field(1, [field(1, 1), field(28, [field(2, "Hello there")])]), answered(2, [field(8, "Hi!")])];
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": { [`windsurf.state.cachedActiveTrajectory:w`]: trajectory(ID, older) },
    });
    expect((await readIn(home)).prose(ID)).toEqual(["user: Hello there", "assistant: Hi!"]);
  });

  it("with the same id on several steps lose none", async () => {
    const home = temporaryFolder();
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": {
        [`windsurf.state.cachedActiveTrajectory:w`]: trajectory(ID, [asked(7, "One"), asked(7, "Two")]),
      },
    });
    expect((await readIn(home)).prose(ID)).toEqual(["user: One", "user: Two"]);
  });

  it("that are damaged are reported, and the others are read", async () => {
    const home = temporaryFolder();
    writeState(join(user(home), GLOBAL), {
      "codeium.windsurf": {
        "windsurf.state.cachedActiveTrajectory:w1": Buffer.from("no protobuf at all").toString("base64"),
        "windsurf.state.cachedActiveTrajectory:w2": trajectory(ID, steps),
        "windsurf.state.cachedTrajectorySummaries:w2": Buffer.from([0xff, 0xff]).toString("base64"),
        "windsurf.state.cachedActiveTrajectory:w3": 5,
      },
    });
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual([ID]);
    expect(reading.notices).toMatchObject({
      "unreadable: conversations in a form that is not known": 1,
      "unreadable: lists of conversations in a form that is not known": 1,
    });
  });

  it("in a value that is no JSON are reported as unreadable", async () => {
    const home = temporaryFolder();
    writeState(join(user(home), GLOBAL), { "codeium.windsurf": "{" });
    expect((await readIn(home)).notices).toEqual({
      "unreadable: no JSON under codeium.windsurf, or more than 64 MB": 1,
    });
  });

  it("are read again only if they changed", async () => {
    const home = temporaryFolder();
    const path = join(user(home), GLOBAL);
    const value = (...some: Buffer[]) => ({
      "codeium.windsurf": { "windsurf.state.cachedActiveTrajectory:w": trajectory(ID, some) },
    });
    writeState(path, value(asked(1, "One")));
    const reading = await readIn(home);
    writeState(path, { other: 1 });
    await reading.read(windsurf, homeIn(home));
    expect(reading.events.map(({ kind }) => kind)).toEqual(["present", "checkpoint"]);
    writeState(path, value(asked(1, "One"), asked(2, "Two")));
    await reading.read(windsurf, homeIn(home));
    expect(reading.prose(ID)).toEqual(["user: One", "user: Two"]);
  });
});

describe("Windsurf's databases of workspaces", () => {
  const messages = [
    { id: "m1", role: "user", content: "Hi", timestamp: TIME },
    { id: "m2", role: "assistant", content: [{ type: "text", text: "Hello" }] },
    { id: "m3", role: "tool", content: "ls" },
  ];

  it.each([
    ["windsurf.chatSessionStore", { sessions: { s1: { title: "T", createdAt: TIME, messages } } }],
    ["cascade.chatdata", { conversations: [{ id: "s1", title: "T", createdAt: TIME, messages }] }],
    ["cascade.sessionData", [{ sessionId: "s1", name: "T", createdAt: TIME, messages }]],
    ["chat.data", { sessionId: "s1", title: "T", createdAt: TIME, messages }],
    [
      "chat.ChatSessionStore.index",
      { version: 1, entries: { s1: { sessionId: "s1", title: "T", createdAt: TIME, messages } } },
    ],
    [
      "aiChat.chatdata",
      {
        tabs: [
          {
            tabId: "s1",
            chatTitle: "T",
            createdAt: TIME,
            bubbles: [
              { type: "user", id: "m1", text: "Hi", timestamp: TIME },
              { type: "ai", id: "m2", text: "Hello" },
              { type: "tool", text: "ls" },
            ],
          },
        ],
      },
    ],
    [
      "workbench.panel.aichat.view.aichat.chatdata",
      {
        tabs: [
          {
            tabId: "s1",
            chatTitle: "T",
            createdAt: TIME,
            bubbles: [
              { type: 1, id: "m1", text: "Hi", timestamp: TIME },
              { type: 2, id: "m2", rawText: "Hello" },
              { type: "tool", text: "ls" },
            ],
          },
        ],
      },
    ],
  ])("tell the conversations under %s", async (key, value) => {
    const home = temporaryFolder();
    writeState(join(user(home), "workspaceStorage/w1/state.vscdb"), { [key]: value });
    writeFile(
      join(user(home), "workspaceStorage/w1/workspace.json"),
      JSON.stringify({ folder: "file:///home/anna/x" }),
    );
    const reading = await readIn(home);
    expect(reading.conversation("s1").facts).toEqual({
      id: "s1",
      title: "T",
      folder: "/home/anna/x",
      workspace: "w1",
      created: { at: TIME, known: "stored" },
    });
    expect(reading.conversation("s1").parts.map(({ role, kind, text, time }) => [role, kind, text, time])).toEqual([
      ["user", "prose", "Hi", TIME],
      ["assistant", "prose", "Hello", undefined],
      ["assistant", "tool", "ls", undefined],
    ]);
  });

  it("give questions with their answers, as VS Code stores them", async () => {
    const home = temporaryFolder();
    const requests = [
      {
        requestId: "r",
        message: { text: "Why?" },
        response: [{ value: "Because." }, { kind: "other" }],
        timestamp: TIME,
      },
    ];
    writeState(join(user(home), "workspaceStorage/w1/state.vscdb"), { "chat.data": { sessionId: "s1", requests } });
    expect((await readIn(home)).prose("s1")).toEqual(["user: Why?", "assistant: Because."]);
  });

  it("that only list conversations report that nothing else can be read", async () => {
    const home = temporaryFolder();
    writeState(join(user(home), "workspaceStorage/w1/state.vscdb"), {
      "chat.ChatSessionStore.index": { version: 1, entries: { a: { title: "One" }, b: { title: "Two" } } },
    });
    const reading = await readIn(home);
    expect(reading.conversations.size).toBe(0);
    expect(reading.notices).toEqual({});
    const listed = reading.events.flatMap((one) => (one.kind === "conversation" ? [one.facts.unavailable] : []));
    expect(listed).toEqual(["encrypted", "encrypted"]);
  });
});

describe("Windsurf's folder", () => {
  it("gives plans and memories, and counts encrypted conversations", async () => {
    const home = temporaryFolder();
    const root = join(home, ".codeium/windsurf");
    writeFile(join(root, `brain/${ID}/plan.md`), "# The plan\n\n- [ ] Do it");
    writeFile(join(root, "memories/style.md"), "## House style\n\nTabs.");
    writeFile(join(root, "memories/global_rules.md"), "Be nice");
    writeFile(join(root, `cascade/${ID}.pb`), "\u0001");
    writeFile(join(root, `cascade/${OTHER}.pb`), "\u0002");
    const reading = await readIn(home);
    expect(reading.prose(ID)).toEqual(["assistant: # The plan\n\n- [ ] Do it"]);
    expect(reading.conversation("memory-style").facts.title).toBe("House style");
    expect(reading.conversations.size).toBe(2);
    expect(reading.notices).toEqual({ "skipped: encrypted by Windsurf": 2 });
    expect(reading.events).toContainEqual({ kind: "title", message: `${ID}:plan`, title: "The plan" });
  });
});

describe("Windsurf's places", () => {
  it.each([
    ["linux", ".config/Windsurf/User"],
    ["linux", ".config/Windsurf - Next/User"],
    ["linux", ".config/Devin/User"],
    ["linux", ".windsurf-server/data/User"],
    ["darwin", "Library/Application Support/Windsurf/User"],
    ["win32", "AppData/Roaming/Devin/User"],
  ] as const)("of %s include %s", async (system, folder) => {
    const home = temporaryFolder();
    writeState(join(home, folder, GLOBAL), {
      "codeium.windsurf": { "windsurf.state.cachedActiveTrajectory:w": trajectory(ID, [asked(1, "Hello there")]) },
    });
    const reading = await new Reading().read(windsurf, homeIn(home, system));
    expect([...reading.conversations.keys()]).toEqual([ID]);
    expect(reading.findings).toContainEqual({ kind: "looked", place: join(home, folder), isThere: true });
  });
});
