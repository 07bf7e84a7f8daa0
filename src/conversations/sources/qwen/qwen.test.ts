// Sessions of Qwen Code in all of its forms. Records are as its
// chatRecordingService.ts, sessionService.ts and agent-transcript.ts of August
// 2026 write them, the documents as its release of October 2025 did, and the
// list of prompts as logger.ts does.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { qwen } from "./qwen.ts";

type Values = Readonly<Record<string, unknown>>;

const SESSION = "7dbc8953-0acf-4e87-9ea6-941d075b7ca3";
const OTHER = "11111111-2222-4333-8444-555555555555";

let clock = 0;
/** One record, which follows the one before unless told otherwise. */
function recordsOf(session: string, records: readonly Values[]): Values[] {
  let before: string | null = null;
  return records.map((values) => {
    const record = {
      uuid: `u${++clock}`,
      parentUuid: before,
      sessionId: session,
      timestamp: new Date(Date.UTC(2026, 7, 1) + clock * 1000).toISOString(),
      cwd: "/home/anna/x",
      version: "0.15.10",
      gitBranch: "main",
      ...values,
    };
    before = record.uuid;
    return record;
  });
}

const asked = (text: string, more: Values = {}): Values => ({
  type: "user",
  message: { role: "user", parts: [{ text }] },
  ...more,
});
const said = (text: string, more: Values = {}): Values => ({
  type: "assistant",
  model: "qwen3-coder",
  message: { role: "model", parts: [{ text }] },
  ...more,
});
const system = (subtype: string, systemPayload: unknown): Values => ({ type: "system", subtype, systemPayload });

function write(home: string, path: string, records: readonly Values[]): string {
  const file = join(home, ".qwen", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return file;
}

const pathOf = (session: string) => `projects/-home-anna-x/chats/${session}.jsonl`;
const readIn = (home: string, reading = new Reading()) => reading.read(qwen, homeIn(home));

async function readOne(...records: Values[]): Promise<Reading> {
  const home = temporaryFolder();
  write(home, pathOf(SESSION), recordsOf(SESSION, records));
  return readIn(home);
}

const saidIn = (reading: Reading, id = SESSION) =>
  reading.conversation(id).parts.map(({ kind, text }) => `${kind}: ${text}`);

describe("a session", () => {
  it("separates prose, thinking, tools and sub-agents", async () => {
    const reading = await readOne(
      asked("Read it"),
      said("", {
        message: {
          role: "model",
          parts: [
            { text: "Hm.", thought: true },
            { text: "I read." },
            { functionCall: { id: "c", name: "read_file", args: { file_path: "/home/anna/x/a.md" } } },
          ],
        },
      }),
      {
        type: "tool_result",
        message: {
          role: "user",
          parts: [{ functionResponse: { id: "c", name: "agent", response: { output: "ok" } } }],
        },
        toolCallResult: {
          callId: "c",
          status: "success",
          resultDisplay: { type: "task_execution", subagentName: "x", taskPrompt: "Search", result: "Found" },
        },
      },
      said("Done."),
    );
    expect(saidIn(reading)).toEqual([
      "prose: Read it",
      "thinking: Hm.",
      "prose: I read.",
      'tool: read_file {"file_path":"/home/anna/x/a.md"}',
      "tool: ok",
      "subagent: Search",
      "subagent: Found",
      "prose: Done.",
    ]);
    const { facts, parts } = reading.conversation(SESSION);
    expect(parts[3]).toMatchObject({ tool: "read_file", files: ["/home/anna/x/a.md"] });
    expect(facts).toEqual({
      id: SESSION,
      workspace: "-home-anna-x",
      folder: "/home/anna/x",
      branch: "main",
      model: "qwen3-coder",
    });
    expect(reading.notices).toEqual({});
  });

  it("gives a sub-agent's messages once if it has a transcript of its own, as since 0.24", async () => {
    const home = temporaryFolder();
    const resultDisplay = {
      type: "task_execution",
      subagentName: "x",
      taskPrompt: "Search",
      result: "Found",
      subagentSessionReady: true,
    };
    write(
      home,
      pathOf(SESSION),
      recordsOf(SESSION, [
        asked("Find it"),
        { type: "tool_result", message: { role: "user", parts: [] }, toolCallResult: { callId: "c", resultDisplay } },
      ]),
    );
    const agent = recordsOf(SESSION, [asked("Search"), said("Found")]);
    write(home, `projects/-home-anna-x/subagents/${SESSION}/agent-x-c.jsonl`, agent);
    const reading = await readIn(home);
    expect(saidIn(reading).toSorted()).toEqual(["prose: Find it", "subagent: Found", "subagent: Search"]);
  });

  it("takes for prose only what the person typed", async () => {
    const reading = await readOne(
      asked("<system-reminder>\nPlan mode is active.\n</system-reminder>\n\nFix it"),
      asked("<system-reminder>\nNothing else.\n</system-reminder>"),
      asked("See @a.md\n--- Content from referenced files ---\nContent from a.md:\nSecret\n--- End of content ---"),
      asked("Expanded by a hook", { systemPayload: { displayText: "As typed", hookContext: "x" } }),
      asked("A task ended", { subtype: "notification", provenance: "system" }),
      asked("Scheduled", { subtype: "cron", provenance: "system" }),
      asked("Go on", { subtype: "goal_runtime", provenance: "goal_runtime" }),
      asked("wait", { subtype: "mid_turn_user_message", systemPayload: { displayText: "Wait" } }),
      { type: "user", message: { role: "user", parts: [{ inlineData: { mimeType: "image/png", data: "AA" } }] } },
    );
    expect(reading.prose(SESSION)).toEqual([
      "user: Fix it",
      "user: See @a.md",
      "user: As typed",
      "user: Wait",
      "user: [image]",
    ]);
  });

  it("gives the summary of a compression, and not what it repeats", async () => {
    const reading = await readOne(
      asked("One"),
      said("1"),
      system("chat_compression", {
        info: { originalTokenCount: 9, newTokenCount: 3, compressionStatus: 1 },
        compressedHistory: [
          { role: "user", parts: [{ text: "<state_snapshot>All about one.</state_snapshot>" }] },
          { role: "model", parts: [{ text: "Got it. Thanks for the additional context!" }] },
          { role: "user", parts: [{ text: "One" }] },
        ],
      }),
      system("slash_command", { phase: "invocation", rawCommand: "/compress" }),
      asked("Two"),
    );
    expect(saidIn(reading)).toEqual([
      "prose: One",
      "prose: 1",
      "summary: <state_snapshot>All about one.</state_snapshot>",
      "prose: Two",
    ]);
  });

  it.each([
    [{ customTitle: "Parrots", titleSource: "manual" }, "user"],
    [{ customTitle: "Parrots" }, "user"],
    [{ customTitle: "Parrots", titleSource: "auto" }, "program"],
  ])("knows who named it: %j", async (payload, titleBy) => {
    const { facts } = (await readOne(asked("Hi"), system("custom_title", payload))).conversation(SESSION);
    expect(facts).toMatchObject({ title: "Parrots", titleBy });
  });

  it("marks what the person went back before as abandoned, in whichever reading that shows", async () => {
    const home = temporaryFolder();
    const [a, b, c, d] = recordsOf(SESSION, [asked("Hi"), said("Yes?"), asked("Old"), said("Hm")]);
    const file = write(home, pathOf(SESSION), [a!, b!, c!, d!]);
    const reading = await readIn(home);
    const [rewind, e] = recordsOf(SESSION, [system("rewind", { truncatedCount: 2 }), asked("New")]);
    appendFileSync(file, `${JSON.stringify({ ...rewind, parentUuid: b!["uuid"] })}\n${JSON.stringify(e)}\n`);
    await readIn(home, reading);
    expect(reading.events.flatMap((one) => (one.kind === "abandoned" ? [one.abandoned] : []))).toEqual(
      [d, c].map((record) => ({ message: record!["uuid"] })),
    );
  });

  it("that was branched shares the messages it copied, and says when it left", async () => {
    const home = temporaryFolder();
    const records = recordsOf(SESSION, [asked("Hi"), said("Yes?")]);
    const copies = records.map((record) => ({
      ...record,
      sessionId: OTHER,
      forkedFrom: { sessionId: SESSION, messageUuid: record["uuid"] },
    }));
    const [own] = recordsOf(OTHER, [asked("Else")]);
    write(home, pathOf(SESSION), records);
    write(home, pathOf(OTHER), [...copies, { ...own, parentUuid: records[1]!["uuid"] }]);
    const reading = await readIn(home);
    const keys = reading.events.flatMap((one) => (one.kind === "part" ? [one.part.key] : []));
    expect(new Set(keys).size).toBe(3);
    expect(reading.conversation(OTHER).facts).toMatchObject({
      continues: SESSION,
      copiedAt: Date.parse(String(own!["timestamp"])),
    });
  });

  it("has its sub-agents' messages in their place, and those are never prose", async () => {
    const home = temporaryFolder();
    const [a, ...agent] = recordsOf(SESSION, [
      asked("Hi"),
      { ...asked("Search"), agentId: "explore-1", isSidechain: true },
      { ...said("Here"), agentId: "explore-1", isSidechain: true },
      { ...system("agent_launch_prompt", { displayText: "Search" }), agentId: "explore-1", isSidechain: true },
    ]);
    const [z] = recordsOf(SESSION, [said("Found.")]);
    write(home, pathOf(SESSION), [a!, z!]);
    write(home, `projects/-home-anna-x/subagents/${SESSION}/agent-explore-1.jsonl`, agent);
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual([SESSION]);
    expect(saidIn(reading)).toEqual(["prose: Hi", "subagent: Search", "subagent: Here", "prose: Found."]);
    expect(reading.notices).toEqual({});
  });

  it("is found in the archive, and ledgers beside it are not read", async () => {
    const home = temporaryFolder();
    write(home, `projects/x/chats/archive/${SESSION}.jsonl`, recordsOf(SESSION, [asked("Hi")]));
    write(home, `projects/x/chats/${SESSION}.ledger.jsonl`, [{ what: "ever" }]);
    const reading = await readIn(home);
    expect(reading.transcripts).toHaveLength(1);
    expect(reading.conversation(SESSION).facts.workspace).toBe("x");
  });

  it("is found where the environment says", async () => {
    const [home, runtime] = [temporaryFolder(), temporaryFolder()];
    write(home, pathOf(SESSION), recordsOf(SESSION, [asked("At home")]));
    write(runtime, pathOf(OTHER), recordsOf(OTHER, [asked("Elsewhere")]));
    const environment = { QWEN_RUNTIME_DIR: join(runtime, ".qwen") };
    const reading = await new Reading().read(qwen, { ...homeIn(home), environment });
    expect([...reading.conversations.keys()]).toEqual([OTHER]);
  });

  it("reports unknown and damaged records by their number, and reads the others", async () => {
    const home = temporaryFolder();
    const records = recordsOf(SESSION, [asked("Hi"), { type: "dream" }, system("vision", {}), { uuid: 7 }]);
    const file = write(home, pathOf(SESSION), records);
    appendFileSync(
      file,
      `nonsense\n\u0000\u0000\n[1]\n${JSON.stringify({ ...records[0], uuid: "z", message: "x" })}\n`,
    );
    const reading = await readIn(home);
    expect(reading.prose(SESSION)).toEqual(["user: Hi"]);
    expect(reading.notices).toEqual({
      "skipped: records of the unknown type dream": 1,
      "skipped: records of the unknown type vision": 1,
      "skipped: records without an id": 1,
      "skipped: lines that are no records": 3,
    });
  });
});

describe("what versions before December 2025 wrote", () => {
  const document = {
    sessionId: SESSION,
    projectHash: "abc",
    startTime: "2025-10-30T02:08:26.108Z",
    lastUpdated: "2025-10-30T02:09:27.575Z",
    messages: [
      { id: "a", timestamp: "2025-10-30T02:08:30.000Z", type: "user", content: "Hi" },
      {
        id: "b",
        timestamp: "2025-10-30T02:08:40.000Z",
        type: "gemini",
        content: "Hello",
        thoughts: [],
        model: "qwen3",
      },
    ],
  };
  const prompts = [
    { sessionId: SESSION, messageId: 0, timestamp: "2025-09-01T10:00:00.000Z", type: "user", message: "Hi" },
    { sessionId: OTHER, messageId: 0, timestamp: "2025-09-01T11:00:00.000Z", type: "user", message: "Only this" },
    { sessionId: OTHER, messageId: 1, timestamp: "2025-09-01T11:01:00.000Z", type: "user", message: "/quit" },
  ];

  function writeJson(home: string, path: string, value: unknown): void {
    const file = join(home, ".qwen", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
    utimesSync(file, new Date("2026-01-01"), new Date("2026-01-01"));
  }

  it("is read as Gemini's documents are", async () => {
    const home = temporaryFolder();
    writeJson(home, "tmp/abc/chats/session-2025-10-30T02-08-7dbc8953.json", document);
    const reading = await readIn(home);
    expect(reading.prose(SESSION)).toEqual(["user: Hi", "assistant: Hello"]);
    expect(reading.conversation(SESSION).facts).toMatchObject({ model: "qwen3", workspace: "abc" });
  });

  it("has the prompts of sessions that were kept nowhere else", async () => {
    const home = temporaryFolder();
    writeJson(home, "tmp/abc/logs.json", prompts);
    const reading = await readIn(home);
    expect(reading.events.filter(({ kind }) => kind === "remembered")).toHaveLength(2);
    expect(reading.prose(OTHER)).toEqual(["user: Only this"]);
    await readIn(home, reading);
    expect(reading.events).toEqual([]);
  });
});
