// Rollouts of Codex CLI, each kind of record that they hold, and the real one
// where the samples are at hand.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOMES } from "../../../../test/samples.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { codex } from "./codex.ts";

const ID = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";
const ROLLOUT = `sessions/2026/01/15/rollout-2026-01-15T10-00-00-${ID}.jsonl`;

type Values = Readonly<Record<string, unknown>>;

let clock = Date.UTC(2026, 0, 15, 10);
const record = (type: string, payload: Values) => ({
  timestamp: new Date((clock += 1000)).toISOString(),
  type,
  payload,
});
const meta = (more: Values = {}) =>
  record("session_meta", {
    id: ID,
    timestamp: "2026-01-15T10:00:00.000Z",
    cwd: "/home/anna/x",
    git: { branch: "main" },
    ...more,
  });
const item = (payload: Values) => record("response_item", payload);
const asked = (text: string) => item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const said = (text: string) => item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

function write(home: string, lines: readonly unknown[], path = join(".codex", ROLLOUT)): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return file;
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(codex, homeIn(home));
}

async function partsOf(...lines: unknown[]) {
  const home = temporaryFolder();
  write(home, [meta(), ...lines]);
  return (await readIn(home)).conversation(ID).parts.map(({ kind, role, text }) => `${kind} ${role}: ${text}`);
}

describe("a rollout of Codex", () => {
  it("gives role, folder and times", async () => {
    const home = temporaryFolder();
    write(home, [meta(), asked("Hi")]);
    const { facts, parts } = (await readIn(home)).conversation(ID);
    expect(facts).toEqual({
      id: ID,
      folder: "/home/anna/x",
      branch: "main",
      created: { at: Date.UTC(2026, 0, 15, 10), known: "stored" },
    });
    expect(parts[0]!.time).toBe(clock);
  });

  it("gives each message once, although it is there twice", async () => {
    const event = (type: string, message: string) => record("event_msg", { type, message });
    expect(
      await partsOf(
        event("user_message", "Hi"),
        asked("Hi"),
        said("Hello"),
        event("agent_message", "Hello"),
        record("turn_context", {}),
        record("event_msg", { type: "token_count" }),
      ),
    ).toEqual(["prose user: Hi", "prose assistant: Hello"]);
  });

  it.each([
    "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
    "<user_instructions>\nBe nice\n</user_instructions>",
    "# AGENTS.md instructions for /home/anna/x\n\n<INSTRUCTIONS>…",
    "<turn_aborted>\n</turn_aborted>",
    "<skill>\n<name>x</name></skill>",
  ])("does not take for typed what Codex put there: %s", async (text) => {
    expect(await partsOf(asked(text), asked("Hi"))).toEqual(["prose user: Hi"]);
  });

  it("extracts the prompt from what the editor's extension sends, and marks images", async () => {
    const image = item({
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "See" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    });
    expect(
      await partsOf(
        asked("# Context from my IDE setup:\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nFix it"),
        image,
      ),
    ).toEqual(["prose user: Fix it", "prose user: See\n\n[image]"]);
  });

  it("separates tools, thinking and summaries, and ignores what is encrypted or only for the model", async () => {
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** End Patch";
    expect(
      await partsOf(
        item({ type: "message", role: "developer", content: [{ type: "input_text", text: "Rules" }] }),
        item({
          type: "reasoning",
          summary: [{ type: "summary_text", text: "**Looking**" }],
          encrypted_content: "gAAA",
        }),
        item({ type: "reasoning", summary: [], encrypted_content: "gAAA" }),
        item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "1" }),
        item({ type: "function_call_output", call_id: "1", output: '{"output":"a.ts\\n","metadata":{"exit_code":0}}' }),
        item({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "2" }),
        item({ type: "custom_tool_call_output", call_id: "2", output: "ok" }),
        item({ type: "local_shell_call", action: { type: "exec", command: ["pwd"] } }),
        item({ type: "web_search_call", action: { type: "search", query: "x" } }),
        item({ type: "ghost_snapshot", ghost_commit: {} }),
        record("compacted", { message: "So far: …", replacement_history: [] }),
        said("Done."),
      ),
    ).toEqual([
      "thinking assistant: **Looking**",
      'tool assistant: shell {"command":["ls"]}',
      "tool assistant: a.ts\n",
      `tool assistant: apply_patch ${patch}`,
      "tool assistant: ok",
      'tool assistant: local_shell {"type":"exec","command":["pwd"]}',
      'tool assistant: web_search {"type":"search","query":"x"}',
      "summary assistant: So far: …",
      "prose assistant: Done.",
    ]);
    const home = temporaryFolder();
    write(home, [meta(), item({ type: "custom_tool_call", name: "apply_patch", input: patch })]);
    expect((await readIn(home)).conversation(ID).parts[0]!.files).toEqual(["src/a.ts"]);
  });

  it("is read in the form of the first versions too", async () => {
    const home = temporaryFolder();
    write(home, [
      { id: ID, timestamp: "2025-05-01T00:00:00Z", instructions: null },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
      { record_type: "state" },
    ]);
    const reading = await readIn(home);
    expect(reading.prose(ID)).toEqual(["user: Hi"]);
    expect(reading.notices).toEqual({});
  });

  it("of a sub-agent belongs to the session that began it", async () => {
    const home = temporaryFolder();
    write(home, [meta(), asked("Hi")]);
    const sub = "019a2d7a-0000-78b1-b7cc-a45d62a89cd5";
    const source = { subagent: { thread_spawn: { parent_thread_id: ID, depth: 1 } } };
    write(
      home,
      [meta({ id: sub, source }), asked("Search"), said("Here")],
      `.codex/sessions/2026/01/15/rollout-2026-01-15T10-05-00-${sub}.jsonl`,
    );
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual([ID]);
    expect(reading.conversation(ID).parts.map(({ kind }) => kind)).toEqual(["prose", "subagent", "subagent"]);
  });

  it("that continues in another file after an edit marks what it abandoned, and repeats no number", async () => {
    const home = temporaryFolder();
    const segment = "019a2d7b-0000-7000-8000-00000000000b";
    const numbered = (lines: readonly object[], from: number) =>
      lines.map((line, i) => ({ ...line, ordinal: from + i }));
    write(
      home,
      numbered(
        [meta({ timestamp: new Date(clock).toISOString() }), asked("One"), said("First"), asked("Two"), said("Second")],
        0,
      ),
    );
    const second = [
      meta({ timestamp: new Date(clock).toISOString(), history_base: { thread_id: ID, end_ordinal_exclusive: 3 } }),
      asked("Two, but better"),
      said("Second, better"),
    ];
    write(home, numbered(second, 3), `.codex/sessions/2026/01/15/rollout-2026-01-15T10-01-00-${ID}_${segment}.jsonl`);
    const reading = await readIn(home);
    expect(reading.prose(ID)).toEqual([
      "user: One",
      "assistant: First",
      "user: Two",
      "assistant: Second",
      "user: Two, but better",
      "assistant: Second, better",
    ]);
    expect(new Set(reading.conversation(ID).parts.map(({ message }) => message)).size).toBe(6);
    expect(reading.events).toContainEqual({ kind: "abandoned", conversation: ID, abandoned: { branch: ID, from: 3 } });
    expect(reading.conversation(ID).parts[2]!.message).toBe(`${ID}:3`);
  });

  it("whose first prompt was edited builds on no earlier message", async () => {
    const home = temporaryFolder();
    const segment = "019a2d7b-0000-7000-8000-00000000000c";
    write(home, [meta(), asked("One"), said("First")]);
    const timestamp = new Date((clock += 1000)).toISOString();
    write(
      home,
      [meta({ timestamp }), asked("Else"), said("Other")],
      `.codex/sessions/2026/01/15/rollout-2026-01-15T10-02-00-${ID}_${segment}.jsonl`,
    );
    const { events } = await readIn(home);
    expect(events).toContainEqual({
      kind: "abandoned",
      conversation: ID,
      abandoned: { before: Date.parse(timestamp) },
    });
  });

  it("that was forked has the id of the session that it continues", async () => {
    const home = temporaryFolder();
    write(home, [
      meta({ forked_from_id: "another", history_base: { thread_id: "x", end_ordinal_exclusive: 9 } }),
      asked("Hi"),
    ]);
    const reading = await readIn(home);
    expect(reading.conversation(ID).facts).toMatchObject({ continues: "another" });
    expect(reading.events.some(({ kind }) => kind === "abandoned")).toBe(false);
  });

  it("names the model, and the tool of each result", async () => {
    const home = temporaryFolder();
    write(home, [
      meta(),
      record("turn_context", { model: "gpt-6-codex" }),
      asked("Hi"),
      item({ type: "function_call", name: "exec_command", call_id: "c1", arguments: "{}" }),
      item({ type: "function_call_output", call_id: "c1", output: "done" }),
      record("token_usage_record", {}),
    ]);
    const reading = await readIn(home);
    const { facts, parts } = reading.conversation(ID);
    expect(facts).toMatchObject({ model: "gpt-6-codex" });
    expect(parts.filter(({ kind }) => kind === "tool").map(({ tool }) => tool)).toEqual([
      "exec_command",
      "exec_command",
    ]);
    expect(reading.notices).toEqual({});
  });

  it("does not count the summary of a compaction as an answer", async () => {
    const summary = "<summary>What was done</summary>";
    expect(
      await partsOf(
        asked("Hi"),
        said("Hello"),
        said(summary),
        record("token_usage_record", {}),
        record("event_msg", { type: "token_count" }),
        record("compacted", { message: `Another model produced a summary:\n${summary}` }),
        asked("On"),
        said("Yes"),
      ),
    ).toEqual([
      "prose user: Hi",
      "prose assistant: Hello",
      `summary assistant: Another model produced a summary:\n${summary}`,
      "prose user: On",
      "prose assistant: Yes",
    ]);
  });

  it("gives a sub-agent's thinking the kind subagent", async () => {
    const home = temporaryFolder();
    write(home, [meta(), asked("Hi")]);
    const sub = "019a2d7b-0000-7000-8000-00000000000d";
    write(
      home,
      [
        meta({ id: sub, parent_thread_id: ID, source: { subagent: { thread_spawn: { parent_thread_id: ID } } } }),
        asked("Search"),
        item({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] }),
        said("Here"),
      ],
      `.codex/sessions/2026/01/15/rollout-2026-01-15T10-05-00-${sub}.jsonl`,
    );
    const { parts } = (await readIn(home)).conversation(ID);
    expect(parts.map(({ kind }) => kind)).toEqual(["prose", "subagent", "subagent", "subagent"]);
  });

  it("has the title that its program keeps in a list of its own, the last one of several", async () => {
    const home = temporaryFolder();
    write(home, [meta(), asked("Hi")]);
    const titled = (thread_name: string) => ({ id: ID, thread_name, updated_at: "2026-01-15T10:00:00Z" });
    write(home, [titled("Made"), titled("Given")], ".codex/session_index.jsonl");
    const { events } = await readIn(home);
    const names = events.flatMap((one) => (one.kind === "named" ? [[one.conversation, one.title]] : []));
    expect(names).toEqual([
      [ID, "Made"],
      [ID, "Given"],
    ]);
  });

  it("is read on from the last checkpoint; a torn line waits, a rewritten file is read again", async () => {
    const home = temporaryFolder();
    const file = write(home, [meta(), asked("One")]);
    const reading = await readIn(home);
    const next = JSON.stringify(said("Two"));
    appendFileSync(file, next.slice(0, 40));
    await reading.read(codex, homeIn(home));
    expect(reading.events).toEqual([]);
    appendFileSync(file, `${next.slice(40)}\n`);
    await reading.read(codex, homeIn(home));
    expect(reading.events.filter(({ kind }) => kind === "part")).toHaveLength(1);
    expect(reading.prose(ID)).toEqual(["user: One", "assistant: Two"]);
    write(home, [meta(), asked("Other")]);
    await reading.read(codex, homeIn(home));
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect(reading.events.filter(({ kind }) => kind === "part")).toHaveLength(1);
  });

  it("counts unknown records", async () => {
    const home = temporaryFolder();
    write(home, [meta(), "no json", record("novelty", {}), item({ type: "hologram" }), asked("Hi")]);
    expect((await readIn(home)).notices).toEqual({
      "skipped: lines that are no records": 1,
      "skipped: records of the unknown type novelty": 1,
      "skipped: items of the unknown type hologram": 1,
    });
  });

  it("is found where CODEX_HOME says, in the archive, and counted where it is compressed", async () => {
    const home = temporaryFolder();
    write(home, [meta(), asked("Hi")], `archived_sessions/${ROLLOUT.split("/").at(-1)}`);
    write(home, [""], `sessions/2026/01/15/rollout-x.jsonl.zst`);
    const reading = await new Reading().read(codex, {
      ...homeIn(temporaryFolder()),
      environment: { CODEX_HOME: home },
    });
    expect([...reading.conversations.keys()]).toEqual([ID]);
    expect(reading.notices).toEqual({ "skipped: compressed by Codex": 1 });
    expect(reading.findings).toContainEqual({ kind: "looked", place: join(home, "sessions"), isThere: true });
  });
});

describe.each(HOMES)("the rollout of $of", ({ folder, isHere }) => {
  it.skipIf(!isHere)("has as many messages as a plain count finds", async () => {
    const [transcript] = (await new Reading().read(codex, homeIn(folder))).transcripts;
    const lines = readFileSync(transcript!.path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const messages = lines.filter(
      ({ type, payload }) =>
        type === "response_item" &&
        payload.type === "message" &&
        !payload.content[0].text.startsWith("<environment_context>"),
    );
    const [conversation] = [...(await new Reading().read(codex, homeIn(folder))).conversations.values()];
    const events = conversation!.parts.filter(({ kind }) => kind === "prose");
    expect(events.map(({ text }) => text)).toEqual(messages.map(({ payload }) => payload.content[0].text));
    expect(events.map(({ time }) => time)).toEqual(messages.map(({ timestamp }) => Date.parse(timestamp)));
  });
});
