// Sessions of Cline's newer versions, as the published code of its SDK writes
// them (cline/cline, sdk/packages/core/src/session, August 2026).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { cline } from "./cline.ts";

const AT = Date.UTC(2026, 7, 1, 12);
const SESSIONS = ".cline/data/sessions";

function write(home: string, path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content, undefined, 2));
}

let ids = 0;
const message = (role: string, content: unknown, more: object = {}) => ({ id: `msg_${++ids}`, role, content, ...more });
const asked = (text: string, at = 0, more: object = {}) =>
  message("user", [{ type: "text", text: `<user_input mode="act">${text}</user_input>` }], { ts: AT + at, ...more });
const answered = (text: string, at = 0) =>
  message("assistant", [{ type: "text", text }], { ts: AT + at, modelInfo: { id: "model-1", provider: "p" } });

function writeSession(
  home: string,
  id: string,
  messages: readonly unknown[],
  metadata: object = {},
  started_at = "2026-08-01T12:00:00.000Z",
): void {
  write(home, `${SESSIONS}/${id}/${id}.messages.json`, { version: 1, agent: "lead", sessionId: id, messages });
  write(home, `${SESSIONS}/${id}/${id}.json`, { version: 1, session_id: id, started_at, cwd: "/code/x", metadata });
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(cline, homeIn(home));
}

describe("a session", () => {
  it("has what was typed without what the program put around it", async () => {
    const home = temporaryFolder();
    const notice =
      "<mode_notice>The user switched from plan mode to act mode before sending this message.</mode_notice>";
    writeSession(home, "s1", [
      message("user", "plain, as older versions wrote it"),
      message("user", [
        {
          type: "text",
          text: `${notice}<user_input mode="plan">why < 5 & > 3?</user_input>\n<file_content path="a">x</file_content>`,
        },
        { type: "file", path: "/code/a", content: "x" },
        { type: "image", data: "AAAA", mediaType: "image/png" },
      ]),
      message("user", `<user_command slash="team">build it</user_command>`),
      message("user", [
        {
          type: "text",
          text: '<user_input mode="act">The user approved switching to act mode. Continue with the approved plan now.</user_input>',
        },
      ]),
      message("user", "[TASK RESUMPTION] This task was interrupted."),
      message("user", "Do not forget.", { metadata: { kind: "completion_reminder" } }),
      message("user", "Status.", { metadata: { displayRole: "status" } }),
    ]);
    expect((await readIn(home)).prose("s1")).toEqual([
      "user: plain, as older versions wrote it",
      "user: why < 5 & > 3?\n\n[image]",
      "user: /team build it",
    ]);
  });

  it("tells thinking, tools and summaries apart", async () => {
    const home = temporaryFolder();
    writeSession(home, "s1", [
      asked("Go"),
      message("assistant", [
        { type: "thinking", thinking: "Hm." },
        { type: "redacted_thinking", data: "x" },
        { type: "text", text: "I run it." },
        { type: "tool_use", id: "c1", name: "edit_file", input: { path: "/code/a.ts", content: "x" } },
      ]),
      message("user", [
        {
          type: "tool_result",
          tool_use_id: "c1",
          name: "edit_file",
          content: [
            { query: "a", result: "", error: "exit 2", success: false },
            { type: "image", data: "A" },
          ],
        },
      ]),
      message("user", [{ type: "text", text: "Context summary:\n\n## Goal" }], {
        metadata: { kind: "compaction_summary" },
      }),
    ]);
    const { parts } = (await readIn(home)).conversation("s1");
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: Go",
      "thinking: Hm.",
      "prose: I run it.",
      'tool: edit_file {"path":"/code/a.ts","content":"x"}',
      "tool: a\nexit 2\n[image]",
      "summary: Context summary:\n\n## Goal",
    ]);
    expect(parts[3]!.files).toEqual(["/code/a.ts"]);
  });

  it("has its sub-agents' messages, which nobody typed", async () => {
    const home = temporaryFolder();
    writeSession(home, "s1", [asked("Go"), answered("Done.", 9)]);
    const agent = { version: 1, agent: "a1", messages: [asked("Look for it", 3), answered("Found it.", 4)] };
    write(home, `${SESSIONS}/s1/agent_1.messages.json`, agent);
    write(home, `${SESSIONS}/s1/agent_2__Xy12ab.messages.json`, agent);
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["s1"]);
    expect(reading.conversation("s1").parts.map(({ kind }) => kind)).toEqual([
      "prose",
      ...Array.from({ length: 4 }, () => "subagent"),
      "prose",
    ]);
  });

  it("is the same when it is resumed: new ids and times make no new messages", async () => {
    const home = temporaryFolder();
    writeSession(home, "s1", [asked("Go"), answered("Done."), asked("Go"), answered("Done.")]);
    const reading = await readIn(home);
    const keys = reading.conversation("s1").parts.map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
    writeSession(home, "s1", [
      asked("Go", 5),
      answered("Done.", 6),
      asked("Go", 7),
      answered("Done.", 8),
      asked("More", 9),
    ]);
    await reading.read(cline, homeIn(home));
    expect(
      reading
        .conversation("s1")
        .parts.map(({ key }) => key)
        .slice(0, 4),
    ).toEqual(keys);
    expect(reading.prose("s1")).toHaveLength(5);
  });

  it("is read again when only its title changed", async () => {
    const home = temporaryFolder();
    writeSession(home, "s1", [asked("Go")], { title: "Go" });
    const reading = await readIn(home);
    await reading.read(cline, homeIn(home));
    expect(reading.events).toEqual([]);
    writeSession(home, "s1", [asked("Go")], {
      title: '<user_input mode="act">Renamed</user_input>',
      git: { branch: "b" },
    });
    await reading.read(cline, homeIn(home));
    expect(reading.conversation("s1").facts).toMatchObject({ title: "Renamed", folder: "/code/x", branch: "b" });
  });

  it("that continues a task of an older version does not repeat it", async () => {
    const home = temporaryFolder();
    const warning =
      "Warning: this is a legacy conversation, which means tool names may have changed. Please use the most up-to-date tools you are aware of.";
    write(home, ".cline/data/tasks/1700/ui_messages.json", [
      { ts: AT, type: "say", say: "task", text: "Old prompt" },
      { ts: AT + 1, type: "say", say: "text", text: "Old answer" },
    ]);
    writeSession(home, "1700", [
      message("user", "Old prompt"),
      message("assistant", "Old answer"),
      message("user", warning),
      asked("New prompt", 10),
    ]);
    expect((await readIn(home)).prose("1700")).toEqual([
      "user: Old prompt",
      "assistant: Old answer",
      "user: New prompt",
    ]);
  });

  it("with forks of each other ends", async () => {
    const home = temporaryFolder();
    for (const [id, other] of [
      ["s1", "s2"],
      ["s2", "s1"],
      ["s3", "../../x"],
    ] as const)
      writeSession(home, id, [asked(`Go ${id}`)], { fork: { forkedFromSessionId: other } });
    expect((await readIn(home)).conversations.size).toBe(3);
  });
});

const FORKED = { fork: { forkedFromSessionId: "s1", forkedAt: new Date(AT + 100).toISOString(), source: "cli" } };
/** `/undo` goes on in another session, as Cline CLI 3.0.65 writes it. */
const RESTORED = { restoredFromSessionId: "s1", restoredCheckpointRunCount: 2 };

it.each([
  ["a fork", "s1", FORKED, 110],
  ["a fork", "s2", FORKED, 110],
  ["what was restored from a checkpoint", "s1", RESTORED, 0],
  ["what was restored from a checkpoint", "s2", RESTORED, 0],
] as const)("%s continues the session that it was copied from (%s first)", async (_, first, metadata, copiedAt) => {
  const home = temporaryFolder();
  const copied = (from: number) => [asked("Prompt one", from), answered("Answer one", from + 1)];
  const started = new Date(AT + 100).toISOString();
  const writers = {
    s1: () => writeSession(home, "s1", [...copied(0), asked("Kept", 200), answered("Yes", 201)]),
    // The copies of a fork have new ids and times.
    s2: () =>
      writeSession(home, "s2", [...copied(copiedAt), asked("Other way", 300), answered("No", 301)], metadata, started),
  };
  const conversations = openStore(home, [cline]);
  writers[first]();
  await conversations.refresh();
  writers.s1();
  writers.s2();
  const { answer } = await conversations.recall({ limit: 10 }, { complete: true });
  const found = new Map(
    answer.conversations.map((one) => {
      const said = [...conversations.messages(one)].flat().map(({ text }) => text);
      return [one.id, { continues: one.continues, count: one.messages, said }];
    }),
  );
  expect(found.get("s1")).toEqual({
    continues: undefined,
    count: 4,
    said: ["Prompt one", "Answer one", "Kept", "Yes"],
  });
  expect(found.get("s2")).toMatchObject({ continues: "s1", count: 2 });
  expect(found.get("s2")!.said.slice(-2)).toEqual(["Other way", "No"]);
});
