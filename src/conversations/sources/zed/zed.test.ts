// What Zed's threads hold beside prompts and answers, written as its published
// code serializes them (test/program-stores/zed.ts).
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agentMessage,
  openZed,
  toolResult,
  toolUse,
  userMessage,
  writeThread,
  ZED_DATABASE,
} from "../../../../test/program-stores/zed.ts";
import { storedIn } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { zed } from "./zed.ts";

const AT = Date.UTC(2026, 7, 1, 12);

function opened(home: string) {
  const database = openZed(join(home, ZED_DATABASE));
  atTheEnd(() => database.isOpen && database.close());
  return database;
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(zed, homeIn(home));
}

const asked = (id: string, text: string) => userMessage(`${id}-0000-4000-8000-000000000000`, { Text: text });
const said = (text: string) => agentMessage([{ Text: text }]);

describe("Zed's threads", () => {
  it("have what was typed with the names of what was mentioned, but not its contents", async () => {
    const home = temporaryFolder();
    const mention = (uri: object, content: string) => ({ Mention: { uri, content } });
    const messages = [
      userMessage(
        "u1",
        { Text: "Compare " },
        mention({ File: { abs_path: "/code/shop/src/a.ts" } }, "secret contents of a"),
        { Text: " with " },
        mention(
          { Symbol: { abs_path: "/code/shop/src/b.ts", name: "total", line_range: { start: 1, end: 2 } } },
          "more",
        ),
        mention({ Diagnostics: { include_errors: true } }, "error: x"),
        { Image: { source: "iVBORw0KGgo=" } },
      ),
      agentMessage([{ Text: "They are equal." }, { RedactedThinking: "abc" }]),
      "Resume",
      { Compaction: { Summary: "They compared files." } },
      { Compaction: { ProviderNative: { provider: "openai", items: [{}] } } },
    ];
    writeThread(opened(home), { id: "t1", at: AT, thread: { title: "Equal files", messages } });
    const reading = await readIn(home);
    expect(reading.prose("t1")).toEqual([
      "user: Compare @a.ts with @total@diagnostics\n\n[image]",
      "assistant: They are equal.",
    ]);
    const { parts } = reading.conversation("t1");
    expect(parts[0]!.files).toEqual(["/code/shop/src/a.ts", "/code/shop/src/b.ts"]);
    expect(parts.at(-1)).toMatchObject({ kind: "summary", text: "They compared files." });
    expect(reading.notices).toEqual({});
  });

  it("have tools with their results in every form that these had", async () => {
    const home = temporaryFolder();
    const old = { tool_use_id: "c2", tool_name: "grep", is_error: true, content: { Text: "No match" }, output: null };
    const messages = [
      asked("u1", "Look"),
      agentMessage(
        [
          toolUse("c1", "read_file", { path: "shop/src/a.ts" }),
          { ToolUse: { id: "c2", name: "grep", input: { regex: "x" } } },
        ],
        { ...toolResult("c1", "read_file", "const a = 1;"), c2: old },
      ),
    ];
    writeThread(opened(home), { id: "t1", at: AT, thread: { messages } });
    const { parts, facts } = (await readIn(home)).conversation("t1");
    expect(parts.slice(1)).toMatchObject([
      {
        kind: "tool",
        tool: "read_file",
        text: 'read_file {"path":"shop/src/a.ts"}\nconst a = 1;',
        files: ["/code/shop/src/a.ts"],
      },
      { kind: "tool", tool: "grep", text: 'grep (error) {"regex":"x"}\nNo match' },
    ]);
    expect(facts.title).toBeUndefined();
  });

  it("of sub-agents belong to the thread that started them", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const one = (prompt: string, answer: string) => ({ messages: [asked("u1", prompt), said(answer)] });
    writeThread(database, { id: "a1", at: AT + 2, parent: "b1", thread: one("Look", "Seen") });
    writeThread(database, { id: "b1", at: AT + 1, parent: "c1", thread: one("Delegate", "Delegated") });
    writeThread(database, { id: "c1", at: AT, thread: one("Ask", "Answered") });
    writeThread(database, { id: "x1", at: AT, parent: "x2", thread: one("In a circle", "Yes") });
    writeThread(database, { id: "x2", at: AT, parent: "x1", thread: one("In a circle", "Yes") });
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["c1"]);
    expect(reading.conversation("c1").parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: Ask",
      "prose: Answered",
      "subagent: Delegate",
      "subagent: Delegated",
      "subagent: Look",
      "subagent: Seen",
    ]);
    expect(reading.present).toEqual(["c1"]);
  });

  it("keep what an edited prompt has replaced, in its place and abandoned", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const write = (at: number, ...messages: object[]) =>
      writeThread(database, { id: "t1", at: AT + at, thread: { title: "T", messages } });
    const first = [asked("u1", "One"), said("One it is")];
    write(1, ...first, asked("u2", "Two"), said("Two it is"), asked("u3", "Three"), said("Three it is"));
    const stored = storedIn(home, zed);
    const read = async (id: string) => (await stored(id)).prose;
    expect(await read("t1")).toHaveLength(6);
    write(2, ...first, asked("u4", "Two!"), said("Two it is indeed"));
    const after = ["One", "One it is", "(Two)", "(Two it is)", "(Three)", "(Three it is)", "Two!", "Two it is indeed"];
    expect(await read("t1")).toEqual(after);
    write(3, ...first, asked("u4", "Two!"), said("Two it is indeed"), asked("u5", "Five"));
    expect(await read("t1")).toEqual([...after, "Five"]);
  });

  it("of 2025 are read, and not again when Zed gives ids to their prompts", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const store = (id: string, thread: object) =>
      database
        .prepare("INSERT INTO threads (id, summary, updated_at, data_type, data) VALUES (?, 'Old', ?, 'json', ?)")
        .run(id, new Date(AT).toISOString(), Buffer.from(JSON.stringify(thread)));
    const text = (one: string) => [{ type: "text", text: one }];
    const result = { tool_use_id: "c", is_error: false, content: "found it", output: null };
    store("first", {
      summary: "Old",
      updated_at: "",
      messages: [{ id: 1, role: "user", text: "Hello", tool_uses: [] }],
    });
    store("v1", {
      version: "0.1.0",
      summary: "Old",
      messages: [
        { id: 1, role: "user", segments: text("Use it"), context: "<context>file</context>" },
        { id: 2, role: "assistant", segments: text("I will"), tool_uses: [{ id: "c", name: "grep", input: {} }] },
        { id: 3, role: "user", segments: text("Here is the tool result"), tool_results: [result] },
        { id: 4, role: "assistant", segments: [{ type: "thinking", text: "Hm" }, ...text("Done")] },
      ],
    });
    store("v2", {
      version: "0.2.0",
      summary: "Old",
      model: { provider: "anthropic", model: "old-model" },
      messages: [
        { id: 1, role: "user", segments: text("Go") },
        {
          id: 2,
          role: "assistant",
          segments: text("Gone"),
          tool_uses: [{ id: "c", name: "grep", input: {} }],
          tool_results: [result],
        },
        { id: 3, role: "user", segments: text("Continue where you left off"), is_hidden: true },
        { id: 4, role: "system", segments: text("You are helpful") },
        { id: 5, role: "user", segments: text("Again") },
      ],
    });
    const reading = await readIn(home);
    expect(reading.prose("first")).toEqual(["user: Hello"]);
    expect(reading.prose("v1")).toEqual(["user: Use it", "assistant: I will", "assistant: Done"]);
    expect(reading.conversation("v1").parts.map(({ kind }) => kind)).toEqual([
      "prose",
      "prose",
      "tool",
      "tool",
      "thinking",
      "prose",
    ]);
    expect(reading.prose("v2")).toEqual(["user: Go", "assistant: Gone", "user: Again"]);
    expect(reading.conversation("v2").facts).toMatchObject({
      title: "Old",
      model: "old-model",
      created: { at: AT, known: "inferred" },
      updated: { at: AT, known: "stored" },
    });
    const messages = [asked("u1", "Go"), said("Gone"), asked("u2", "Again"), said("Gone again"), asked("u3", "More")];
    writeThread(database, { id: "v2", at: AT + 1, thread: { title: "Old", messages } });
    await reading.read(zed, homeIn(home));
    const all = ["user: Go", "assistant: Gone", "user: Again", "assistant: Gone again", "user: More"];
    expect(reading.prose("v2")).toEqual(all);
    expect(reading.events.filter(({ kind }) => kind === "abandoned")).toEqual([]);
    writeThread(database, { id: "v2", at: AT + 2, thread: { title: "New", messages } });
    await reading.read(zed, homeIn(home));
    expect(reading.prose("v2")).toEqual(all);
  });

  it("are read again only if they have changed", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    for (const id of ["t1", "t2"]) writeThread(database, { id, at: AT, thread: { messages: [asked("u1", id)] } });
    const reading = await readIn(home);
    const texts = () => reading.events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []));
    expect(texts()).toEqual(["t1", "t2"]);
    writeThread(database, { id: "t2", at: AT + 1, thread: { messages: [asked("u1", "t2"), said("Yes")] } });
    await reading.read(zed, homeIn(home));
    expect(texts()).toEqual(["t2", "Yes"]);
    database.prepare("DELETE FROM threads WHERE id = 't1'").run();
    await reading.read(zed, homeIn(home));
    expect(texts()).toEqual([]);
    expect(reading.present).toEqual(["t2"]);
  });

  it("have the folder that was opened first, on every system, and what is damaged is counted", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const thread = { messages: [asked("u1", "Hello"), { Robot: {} }, { User: { content: [] } }] };
    writeThread(database, { id: "t1", at: AT, folders: ["/code/shop", "/code/api"], thread });
    writeThread(database, { id: "t2", at: AT, thread });
    writeThread(database, { id: "t3", at: AT, thread });
    database.prepare("UPDATE threads SET data = x'28b52ffd00' WHERE id = 't2'").run();
    database.prepare("UPDATE threads SET data = '[1]', data_type = 'json' WHERE id = 't3'").run();
    const reading = await readIn(home);
    expect(reading.conversation("t1").facts.folder).toBe("/code/shop");
    expect(reading.notices).toEqual({
      "skipped: messages of an unknown type": 2,
      "unreadable: threads in a form that is not known": 2,
    });
    const places = (["darwin", "win32", "linux"] as const).flatMap((system) =>
      [...zed.find(homeIn("/home/dev", system))].flatMap((one) => (one.kind === "looked" ? [one.place] : [])),
    );
    expect(places.map((place) => place.replaceAll("\\", "/"))).toEqual([
      "/home/dev/Library/Application Support/Zed/threads",
      "/home/dev/AppData/Local/Zed/threads",
      "/home/dev/.local/share/zed/threads",
      "/home/dev/.var/app/dev.zed.Zed/data/zed/threads",
    ]);
  });
});
