// Sessions of GitHub Copilot CLI in all forms that it has had: events as 1.0.102
// writes them and as the published list of all events describes them, those of
// 2025 as the schemas in the packages 0.0.340 and 0.0.384 describe them.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { copilotCli } from "./copilot-cli.ts";

type Values = Readonly<Record<string, unknown>>;

const ID = "dd2d5b78-5da3-42f2-920c-825d1d591261";
const FORK = "1dc91008-7651-4b6b-a2dd-8d16393757f7";
const folderOf = (id: string) => `.copilot/session-state/${id}`;
const START = Date.UTC(2026, 10, 16, 10);

let count = 0;
const event = (type: string, data: Values, more: Values = {}): Values => ({
  type,
  data,
  id: `event-${++count}`,
  timestamp: new Date(START + count * 1000).toISOString(),
  parentId: null,
  ...more,
});
const started = (more: Values = {}) =>
  event("session.start", {
    sessionId: ID,
    version: 1,
    copilotVersion: "1.0.102",
    startTime: "2026-11-16T10:00:00.000Z",
    selectedModel: "gpt-5",
    context: { cwd: "/home/anna/x", gitRoot: "/home/anna/x", branch: "main" },
    ...more,
  });
const asked = (content: string, more: Values = {}, top: Values = {}) =>
  event("user.message", { content, transformedContent: `<current_datetime/>\n\n${content}`, ...more }, top);
const said = (content: string, more: Values = {}, top: Values = {}) =>
  event("assistant.message", { messageId: "m", model: "claude-opus", content, toolRequests: [], ...more }, top);

function write(home: string, path: string, content: readonly Values[] | string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  const text = typeof content === "string" ? content : content.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(file, text);
  return file;
}

const readIn = (home: string, reading = new Reading()) => reading.read(copilotCli, homeIn(home));

async function readOne(...lines: Values[]): Promise<Reading> {
  const home = temporaryFolder();
  write(home, `${folderOf(ID)}/events.jsonl`, [started(), ...lines]);
  return readIn(home);
}

const kindsIn = (reading: Reading, id = ID) =>
  reading.conversation(id).parts.map(({ kind, role, text }) => `${kind} ${role}: ${text}`);

describe("a session", () => {
  it("has folder, branch, start and the model that answered last", async () => {
    const reading = await readOne(asked("Hi"), said("Hello"));
    expect(reading.conversation(ID).facts).toEqual({
      id: ID,
      folder: "/home/anna/x",
      branch: "main",
      model: "claude-opus",
      created: { at: START, known: "stored" },
    });
  });

  it("separates prose, thinking, tools and summaries, and ignores what the program tells the model", async () => {
    const call = { toolCallId: "c", name: "view", arguments: { path: "/x/a.ts" } };
    const reading = await readOne(
      asked("Read it"),
      event("system.message", { role: "system", content: "You are …" }),
      said("I will.", { reasoningText: "Hm.", toolRequests: [call] }),
      event("tool.execution_start", { toolCallId: "c", toolName: "view", arguments: call.arguments }),
      event("tool.execution_complete", {
        toolCallId: "c",
        success: true,
        result: { content: "1. a", detailedContent: "" },
      }),
      event("session.compaction_complete", { success: true, summaryContent: "So far." }),
      event("model.messages_snapshot", { messages: [{ role: "user", content: "Read it" }] }),
      event("system.notification", { content: "<system_notification>", kind: { type: "shell_completed" } }),
      said("Done."),
    );
    expect(kindsIn(reading)).toEqual([
      "prose user: Read it",
      "thinking assistant: Hm.",
      "prose assistant: I will.",
      'tool assistant: view {"path":"/x/a.ts"}',
      "tool assistant: 1. a",
      "summary assistant: So far.",
      "prose assistant: Done.",
    ]);
    const tools = reading.conversation(ID).parts.filter(({ kind }) => kind === "tool");
    expect(tools.map(({ tool, files }) => [tool, files])).toEqual([
      ["view", ["/x/a.ts"]],
      ["view", undefined],
    ]);
    expect(reading.notices).toEqual({});
  });

  it("gives thinking once that is also an event of its own", async () => {
    const reasoning = event("assistant.reasoning", { reasoningId: "r", content: "Hm." });
    const reading = await readOne(asked("Hi"), reasoning, said("Hello", { reasoningText: "Hm." }));
    expect(kindsIn(reading)).toEqual(["prose user: Hi", "thinking assistant: Hm.", "prose assistant: Hello"]);
  });

  it.each([
    ["a skill", { source: "skill-pdf" }],
    ["a hook or a reminder", { source: "system" }],
    ["autopilot", { isAutopilotContinuation: true }],
  ])("does not take for typed what comes from %s", async (_, more) => {
    expect(kindsIn(await readOne(asked("Injected", more), asked("Hi")))).toEqual(["prose user: Hi"]);
  });

  it("takes for typed what was sent from another device, and marks images", async () => {
    const image = { type: "blob", data: "AAAA", mimeType: "image/png" };
    const reading = await readOne(asked("Hi", { source: "command-5" }), asked("See", { attachments: [image] }));
    expect(kindsIn(reading)).toEqual(["prose user: Hi", "prose user: See\n\n[image]"]);
  });

  it("has prompts that speak of reminders", async () => {
    const prompt = "What does <reminder> mean here?";
    expect(kindsIn(await readOne(asked(prompt)))).toEqual([`prose user: ${prompt}`]);
  });

  it("of an answer that came in chunks are of one message", async () => {
    const call = { toolCallId: "c", name: "bash", arguments: { command: "ls" } };
    const reading = await readOne(
      said("I will.", { toolRequests: [call] }),
      said("First", { chunkIndex: 0, chunkCount: 2, apiCallId: "api" }),
      said("Second", { chunkIndex: 1, chunkCount: 2, apiCallId: "api" }),
    );
    const { parts } = reading.conversation(ID);
    expect(new Set(parts.map(({ message }) => message)).size).toBe(2);
  });

  it("tells sub-agents apart, also those of versions without agentId, and keeps their model to themselves", async () => {
    const reading = await readOne(
      asked("Ask a helper"),
      event("subagent.started", { toolCallId: "c", agentName: "explore" }, { agentId: "a" }),
      event("session.model_change", { newModel: "small" }, { agentId: "a" }),
      asked("Find it", { source: `agent-${ID}` }, { agentId: "a" }),
      said("Found", { model: "small", reasoningText: "Where?" }, { agentId: "a" }),
      said("Found too", { model: "small", parentToolCallId: "c" }),
      said("There it is."),
    );
    expect(kindsIn(reading)).toEqual([
      "prose user: Ask a helper",
      "subagent user: Find it",
      "subagent assistant: Where?",
      "subagent assistant: Found",
      "subagent assistant: Found too",
      "prose assistant: There it is.",
    ]);
    expect(reading.conversation(ID).facts.model).toBe("claude-opus");
  });

  it("that runs in the background of another one is its sub-agent", async () => {
    const home = temporaryFolder();
    const start = started({ sessionId: FORK, detachedFromSpawningParentSessionId: ID });
    write(home, `${folderOf(FORK)}/events.jsonl`, [start, asked("Remember this"), said("I do")]);
    const reading = await readIn(home);
    expect(reading.conversations.size).toBe(0);
    expect(kindsIn(reading)).toEqual(["subagent user: Remember this", "subagent assistant: I do"]);
  });

  it("has commands that the person ran, and the output of failed ones", async () => {
    const call = { toolCallId: "u", toolName: "bash", arguments: { command: "ls" } };
    const reading = await readOne(
      event("tool.user_requested", call),
      event("tool.execution_start", call),
      event("tool.execution_complete", { toolCallId: "u", success: false, error: { message: "not found" } }),
    );
    expect(kindsIn(reading)).toEqual(['tool user: bash {"command":"ls"}', "tool assistant: not found"]);
  });

  it("says at the end what autopilot did, unless it was said before", async () => {
    const done = (summary: string) => event("session.task_complete", { summary, success: true });
    expect(kindsIn(await readOne(said("All done."), done("All done."), done("Two files changed.")))).toEqual([
      "prose assistant: All done.",
      "prose assistant: Two files changed.",
    ]);
  });

  it("follows the folder and the model that were changed", async () => {
    const reading = await readOne(
      event("session.context_changed", { cwd: "/home/anna/y", branch: "next" }),
      event("session.model_change", { newModel: "gpt-6" }),
    );
    expect(reading.conversation(ID).facts).toMatchObject({ folder: "/home/anna/y", branch: "next", model: "gpt-6" });
  });

  it("reports unknown events and lines that are not events, and is silent about known ones", async () => {
    const home = temporaryFolder();
    const file = write(home, `${folderOf(ID)}/events.jsonl`, [
      started(),
      event("session.unheard_of", {}),
      event("permission.requested", {}),
      event("mcp.tools.list_changed", {}),
    ]);
    appendFileSync(file, `nonsense\n[]\n{"type":"user.message","data":7}\n{"type":{},"data":{}}\n`);
    expect((await readIn(home)).notices).toEqual({
      "skipped: events of the unknown type session.unheard_of": 1,
      "skipped: lines that are no records": 4,
    });
  });

  it("is read on from where it stopped, with the tool of a call that was read before", async () => {
    const home = temporaryFolder();
    const call = { toolCallId: "c", name: "bash", arguments: { command: "ls" } };
    const file = write(home, `${folderOf(ID)}/events.jsonl`, [started(), said("", { toolRequests: [call] })]);
    const reading = await readIn(home);
    appendFileSync(
      file,
      `${JSON.stringify(event("tool.execution_complete", { toolCallId: "c", result: { content: "a" } }))}\n`,
    );
    await readIn(home, reading);
    expect(reading.events.flatMap((one) => (one.kind === "part" ? [one.part.tool] : []))).toEqual(["bash"]);
  });

  it("that was rewound is read again: the program removes the events from the file", async () => {
    const home = temporaryFolder();
    const lines = [started(), asked("First"), said("One"), asked("Second"), said("Two")];
    const file = `${folderOf(ID)}/events.jsonl`;
    write(home, file, lines);
    const reading = await readIn(home);
    write(home, file, [...lines.slice(0, 3), asked("Instead"), said("Three, which is longer than what was there")]);
    await readIn(home, reading);
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect(reading.events.flatMap((one) => (one.kind === "part" ? [one.part.text] : []))).toEqual([
      "First",
      "One",
      "Instead",
      "Three, which is longer than what was there",
    ]);
  });
});

describe("the name of a session", () => {
  const named = async (workspace: string) => {
    const home = temporaryFolder();
    write(home, `${folderOf(ID)}/events.jsonl`, [started(), asked("Hi")]);
    write(home, `${folderOf(ID)}/workspace.yaml`, workspace);
    const { title, titleBy } = (await readIn(home)).conversation(ID).facts;
    return { title, titleBy };
  };

  it.each([
    ["name: kookaburra\nuser_named: true", "kookaburra", "user"],
    ["name: Emu title\nuser_named: false", "Emu title", undefined],
    ["summary: Emu title", "Emu title", undefined],
    ["name: kookaburra\nsummary: Emu title", "kookaburra", "user"],
    ['name: "Fix: the \\"door\\""\nuser_named: false', 'Fix: the "door"', undefined],
    ["name: >-\n  A long\n  title\nuser_named: false", "A long title", undefined],
    ["name: 5\n", undefined, undefined],
    ["name: [a\n\u0000", undefined, undefined],
    ["", undefined, undefined],
  ])("is in workspace.yaml: %j", async (workspace, title, titleBy) => {
    expect(await named(workspace)).toEqual({ title, titleBy });
  });

  it("is read again when only it has changed", async () => {
    const home = temporaryFolder();
    write(home, `${folderOf(ID)}/events.jsonl`, [started(), asked("Hi")]);
    const reading = await readIn(home);
    const { stamp } = reading.transcripts[0]!;
    write(home, `${folderOf(ID)}/workspace.yaml`, "name: kookaburra\nuser_named: true");
    await readIn(home, reading);
    expect(reading.transcripts[0]!.stamp).not.toBe(stamp);
    expect(reading.conversation(ID).facts).toMatchObject({ title: "kookaburra", titleBy: "user" });
    expect(reading.events.filter(({ kind }) => kind === "part")).toEqual([]);
  });
});

describe("a fork", () => {
  it("says when it was copied: its start is later than its first events", async () => {
    const home = temporaryFolder();
    const forked = new Date(START + 3_600_000_000).toISOString();
    const start = { ...started({ sessionId: FORK, startTime: forked }), timestamp: forked };
    write(home, `${folderOf(FORK)}/events.jsonl`, [start, asked("Hi"), said("Hello")]);
    const { facts } = (await readIn(home)).conversation(FORK);
    expect(facts).toMatchObject({ copiedAt: Date.parse(forked), created: { at: Date.parse(forked) } });
  });

  it.each([0, 1])("continues the original, whichever file is younger (%i)", async (order) => {
    const home = temporaryFolder();
    const call = { toolCallId: "c", name: "bash", arguments: { command: "oil" } };
    const shared = [
      asked("Why does the door creak?"),
      said("", { toolRequests: [call], reasoningText: "Hinges?" }),
      event("tool.execution_complete", { toolCallId: "c", result: { content: "dry" } }),
      said("Its hinges are dry."),
    ];
    const start = started();
    const forked = new Date(START + 3_600_000_000).toISOString();
    const data = { ...(start["data"] as object), sessionId: FORK, startTime: forked };
    const files = [
      write(home, `${folderOf(ID)}/events.jsonl`, [start, ...shared, asked("And the window?"), said("Its frame.")]),
      write(home, `${folderOf(FORK)}/events.jsonl`, [
        { ...start, data, timestamp: forked },
        ...shared,
        { ...asked("Which oil?"), timestamp: new Date(START + 3_700_000_000).toISOString() },
      ]),
    ];
    for (const [i, file] of (order === 0 ? files : files.toReversed()).entries())
      utimesSync(file, 1_790_000_000 + i, 1_790_000_000 + i);
    const conversations = openStore(home, [copilotCli]);
    const { answer } = await conversations.recall({ limit: 10 }, { complete: true, withTools: true });
    const found = new Map(answer.conversations.map((one) => [one.id, one]));
    expect(found.get(ID)).toMatchObject({ messages: 4 });
    expect(found.get(FORK)).toMatchObject({ messages: 1, continues: ID });
    const kinds = [...conversations.messages(found.get(ID)!)].flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "tool")).toHaveLength(2);
  });

  it("of version 1.0.40 does not, but its workspace is younger than its start", async () => {
    const home = temporaryFolder();
    const forked = new Date(START + 3_600_000_000).toISOString();
    write(home, `${folderOf(FORK)}/events.jsonl`, [started({ sessionId: FORK }), asked("Hi")]);
    write(home, `${folderOf(FORK)}/workspace.yaml`, `created_at: ${forked}`);
    expect((await readIn(home)).conversation(FORK).facts.copiedAt).toBe(Date.parse(forked));
  });

  it("is not what a session is that was only resumed", async () => {
    const home = temporaryFolder();
    write(home, `${folderOf(ID)}/events.jsonl`, [started(), asked("Hi"), event("session.resume", { eventCount: 2 })]);
    write(home, `${folderOf(ID)}/workspace.yaml`, "created_at: 2026-11-16T10:00:00.061Z");
    expect((await readIn(home)).conversation(ID).facts.copiedAt).toBeUndefined();
  });
});

describe("sessions of 2025", () => {
  it("have no folder of their own; the project is in the prompt of the program", async () => {
    const home = temporaryFolder();
    const prompt = "<environment_context>\n* Current working directory: /home/anna/x\n* Git repository root: …";
    write(home, `.copilot/session-state/${ID}.jsonl`, [
      started({ context: undefined }),
      event("system.message", { role: "system", content: prompt }),
      asked("Hi\n\n<reminder>\n<sql_tables/></reminder>"),
    ]);
    const reading = await readIn(home);
    expect(reading.conversation(ID).facts.folder).toBe("/home/anna/x");
    expect(kindsIn(reading)).toEqual(["prose user: Hi"]);
  });

  const timeline = [
    { type: "info", text: "Welcome", id: "t0", timestamp: "2025-10-01T10:00:00.000Z" },
    { type: "user", text: "Hi", id: "t1", timestamp: "2025-10-01T10:00:01.000Z" },
    {
      type: "tool_call_completed",
      callId: "c",
      name: "bash",
      arguments: { command: "ls" },
      result: { type: "success", log: "a.ts" },
      id: "t2",
      timestamp: "2025-10-01T10:00:02.000Z",
    },
    { type: "copilot", text: "Hello", id: "t3", timestamp: "2025-10-01T10:00:03.000Z" },
  ];
  const chatMessages = [
    { role: "system", content: "* Current working directory: /home/anna/x\n" },
    { role: "user", content: "Hi\n\n<reminder>x</reminder>" },
    { role: "assistant", content: "Hello", tool_calls: [] },
    { role: "tool", content: "a.ts", tool_call_id: "c" },
  ];
  const legacy = {
    sessionId: ID,
    startTime: "2025-10-01T10:00:00.000Z",
    chatMessages,
    timeline,
    selectedModel: "gpt-5",
  };

  it("are documents with a timeline", async () => {
    const home = temporaryFolder();
    write(home, `.copilot/history-session-state/session_${ID}_1759312800000.json`, JSON.stringify(legacy));
    const reading = await readIn(home);
    expect(kindsIn(reading)).toEqual([
      "prose user: Hi",
      'tool assistant: bash {"command":"ls"}\na.ts',
      "prose assistant: Hello",
    ]);
    expect(reading.conversation(ID).facts).toMatchObject({
      folder: "/home/anna/x",
      model: "gpt-5",
      created: { at: Date.UTC(2025, 9, 1, 10), known: "stored" },
    });
    await readIn(home, reading);
    expect(reading.events).toEqual([]);
  });

  it("without a timeline have the messages for the model", async () => {
    const home = temporaryFolder();
    const path = `.copilot/history-session-state/session_${ID}_1759312800000.json`;
    write(home, path, JSON.stringify({ ...legacy, timeline: [] }));
    expect(kindsIn(await readIn(home))).toEqual(["prose user: Hi", "prose assistant: Hello", "tool assistant: a.ts"]);
  });

  it("that a newer version imported have the same messages, each once", async () => {
    const home = temporaryFolder();
    write(home, `.copilot/history-session-state/session_${ID}_1759312800000.json`, JSON.stringify(legacy));
    write(home, `${folderOf(ID)}/events.jsonl`, [
      started({ startTime: legacy.startTime, context: undefined }),
      event("session.import_legacy", { legacySession: legacy, importTime: "2026-01-01T00:00:00Z", sourceFile: "x" }),
      asked("More"),
    ]);
    expect((await readIn(home)).prose(ID)).toEqual(["user: Hi", "assistant: Hello", "user: More"]);
    const conversations = openStore(home, [copilotCli]);
    const stored = await conversations.find(ID, { complete: true, withTools: true });
    const kinds = [...conversations.messages(stored)].flat().map(({ kind, tool }) => tool ?? kind);
    expect(kinds).toEqual(["prose", "bash", "prose", "prose"]);
  });

  it.each(["", "{", "[]", "null", '"x"', "\u0000"])("that are damaged are unreadable: %j", async (text) => {
    const home = temporaryFolder();
    write(home, `.copilot/history-session-state/session_${ID}_1.json`, text);
    await expect(readIn(home)).rejects.toThrow("no JSON, or not finished");
  });
});

it("COPILOT_HOME moves the sessions, and XDG_STATE_HOME moved them once", async () => {
  const home = temporaryFolder();
  write(home, `elsewhere/session-state/${ID}/events.jsonl`, [started(), asked("Hi")]);
  write(home, `state/.copilot/session-state/${FORK}.jsonl`, [started({ sessionId: FORK }), asked("Ho")]);
  const environment = { COPILOT_HOME: join(home, "elsewhere"), XDG_STATE_HOME: join(home, "state") };
  const reading = await new Reading().read(copilotCli, { ...homeIn(home), environment });
  expect([...reading.conversations.keys()].toSorted()).toEqual([FORK, ID]);
});
