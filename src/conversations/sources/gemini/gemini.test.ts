// Sessions of Gemini CLI in both of their forms, and the real one where the
// samples are at hand.
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectLinearTimeAsync } from "../../../../test/growth.ts";
import { HOMES } from "../../../../test/samples.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { gemini } from "./gemini.ts";

const HEAD = {
  sessionId: "s1",
  projectHash: "abc",
  startTime: "2026-01-10T02:08:26.108Z",
  lastUpdated: "2026-01-10T02:09:27.575Z",
};

type Values = Readonly<Record<string, unknown>>;

const asked = (id: string, content: unknown) => ({ id, timestamp: "2026-01-10T02:08:30.000Z", type: "user", content });
const said = (id: string, content: unknown, more: Values = {}) => ({
  id,
  timestamp: "2026-01-10T02:08:40.000Z",
  type: "gemini",
  content,
  ...more,
});

function write(home: string, path: string, content: unknown): string {
  const file = join(home, ".gemini", path);
  mkdirSync(dirname(file), { recursive: true });
  const isLog = path.endsWith(".jsonl");
  writeFileSync(
    file,
    isLog
      ? (content as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join("")
      : typeof content === "string"
        ? content
        : JSON.stringify(content),
  );
  return file;
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(gemini, homeIn(home));
}

const CALL = {
  id: "c",
  name: "read_file",
  args: { file_path: "a.txt" },
  result: [{ functionResponse: { id: "c", name: "read_file", response: { output: "hello" } } }],
  status: "success",
};

describe.each([
  ["a document", "json", (head: Values, messages: readonly unknown[]) => ({ ...head, messages })],
  ["a log", "jsonl", (head: Values, messages: readonly unknown[]) => [head, ...messages]],
] as const)("a session as %s", (_, extension, made) => {
  const path = `tmp/abc/chats/session-2026-01-10T02-08-s1.${extension}`;

  it("separates messages, thinking and tools, and ignores the program's notices", async () => {
    const home = temporaryFolder();
    const thoughts = [{ subject: "Reading", description: "I read.", timestamp: "2026-01-10T02:08:35.000Z" }];
    write(
      home,
      path,
      made(HEAD, [
        asked("a", "Read it"),
        { id: "i", type: "info", content: "Logged in" },
        said("b", "", { thoughts, toolCalls: [CALL] }),
        said("c", "It says hello."),
      ]),
    );
    const { facts, parts } = (await readIn(home)).conversation("s1");
    expect(parts.map(({ kind, text, files }) => [kind, text, files])).toEqual([
      ["prose", "Read it", undefined],
      ["thinking", "Reading\nI read.", undefined],
      ["tool", 'read_file {"file_path":"a.txt"}\nhello', ["a.txt"]],
      ["prose", "It says hello.", undefined],
    ]);
    expect(facts).toEqual({
      id: "s1",
      workspace: "abc",
      created: { at: Date.parse(HEAD.startTime), known: "stored" },
      updated: { at: Date.parse(HEAD.lastUpdated), known: "stored" },
    });
  });

  it("reads content as text and as parts, and marks images", async () => {
    const home = temporaryFolder();
    write(
      home,
      path,
      made(HEAD, [asked("a", [{ text: "Look" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }])]),
    );
    expect((await readIn(home)).prose("s1")).toEqual(["user: Look\n\n[image]"]);
  });

  it("knows its title and its folder", async () => {
    const home = temporaryFolder();
    write(home, path, made({ ...HEAD, summary: "About a file", directories: ["/home/anna/x"] }, [asked("a", "Hi")]));
    expect((await readIn(home)).conversation("s1").facts).toMatchObject({
      title: "About a file",
      folder: "/home/anna/x",
    });
  });

  it("finds its folder in the list of projects, by short name and by hash", async () => {
    const hash = createHash("sha256").update("/home/anna/y").digest("hex");
    const home = temporaryFolder();
    write(home, path, made(HEAD, [asked("a", "Hi")]));
    write(home, path.replace("abc", hash), made({ ...HEAD, sessionId: "s2" }, [asked("b", "Hi")]));
    write(home, "projects.json", { projects: { "/home/anna/x": "abc", "/home/anna/y": "y" } });
    const reading = await readIn(home);
    expect(reading.conversation("s1").facts.folder).toBe("/home/anna/x");
    expect(reading.conversation("s2").facts.folder).toBe("/home/anna/y");
  });
});

describe("a log", () => {
  const path = "tmp/abc/chats/session-1.jsonl";

  it("gives the last state of a message, in its original order", async () => {
    const home = temporaryFolder();
    write(home, path, [
      HEAD,
      asked("a", "Hi"),
      said("b", ""),
      said("b", "Hel"),
      said("b", "Hello"),
      { $set: { lastUpdated: "2026-01-11T00:00:00Z", summary: "Greeting" } },
    ]);
    const reading = await readIn(home);
    expect(reading.prose("s1")).toEqual(["user: Hi", "assistant: Hello"]);
    expect(reading.conversation("s1").facts).toMatchObject({
      title: "Greeting",
      updated: { at: Date.UTC(2026, 0, 11) },
    });
  });

  it("marks messages that the person went back before as abandoned", async () => {
    const home = temporaryFolder();
    write(home, path, [
      HEAD,
      asked("a", "Hi"),
      said("b", "Yes?"),
      asked("c", "Old"),
      said("d", "Hm"),
      { $rewindTo: "c" },
      asked("e", "New"),
    ]);
    expect(abandonedIn(await readIn(home))).toEqual(["s1:c", "s1:d"]);
  });

  it("marks them even if the person went back after the last reading, to a tool result without text", async () => {
    const home = temporaryFolder();
    const file = write(home, path, [
      HEAD,
      asked("a", "Hi"),
      said("b", "I ask.", { toolCalls: [CALL] }),
      asked("c", [{ functionResponse: { id: "t" } }]),
      said("d", "Done."),
    ]);
    const reading = await readIn(home);
    appendFileSync(file, `${JSON.stringify({ $rewindTo: "c" })}\n`);
    await reading.read(gemini, homeIn(home));
    expect(abandonedIn(reading)).toEqual(["s1:c:result", "s1:d"]);
  });

  it("of one session shares nothing with another, although the program's context has the same id in all", async () => {
    const home = temporaryFolder();
    const context = {
      $set: { messages: [asked("constant", [{ text: "<session_context>\nThis is the Gemini CLI." }])] },
    };
    for (const id of ["s1", "s2", "s3"])
      write(home, `tmp/${id}/chats/session-${id}.jsonl`, [
        { ...HEAD, sessionId: id },
        context,
        asked("same", `Hi ${id}`),
        said("too", `Hello ${id}`),
      ]);
    const reading = await readIn(home);
    for (const id of ["s1", "s2", "s3"])
      expect(reading.prose(id)).toEqual([`user: Hi ${id}`, `assistant: Hello ${id}`]);
    const keys = reading.events.flatMap((one) => (one.kind === "part" ? [one.part.key] : []));
    expect(new Set(keys).size).toBe(6);
  });

  it("that was compressed gives the summary, and nothing that the program repeats or made up", async () => {
    const home = temporaryFolder();
    const file = write(home, path, [
      HEAD,
      asked("a", "First"),
      said("b", "One."),
      asked("c", "Second"),
      said("d", "Two."),
    ]);
    const reading = await readIn(home);
    const history = [
      asked("x", [{ text: "<session_context>\nThis is the Gemini CLI." }]),
      asked("e", [{ text: "Sums up the first." }]),
      said("f", [{ text: "Got it. Thanks for the additional context!" }]),
      asked("g", [{ text: "Second" }]),
      said("h", [{ text: "Two." }]),
    ];
    const lines = [
      { $set: { messages: history } },
      asked("i", "Third"),
      { $set: { messages: [...history, asked("i", "Third")] } },
    ];
    appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await reading.read(gemini, homeIn(home));
    const parts = reading.conversation("s1").parts.map(({ kind, text }) => `${kind}: ${text}`);
    expect(parts).toEqual([
      "prose: First",
      "prose: One.",
      "prose: Second",
      "prose: Two.",
      "summary: Sums up the first.",
      "prose: Third",
    ]);
  });

  it("keeps thoughts out of prose, wherever they are", async () => {
    const home = temporaryFolder();
    const content = [
      { text: "**Pondering** a thought", thought: true },
      { text: "Said." },
      { functionCall: { name: "x" } },
    ];
    write(home, path, [HEAD, asked("a", "Hi"), { $set: { messages: [said("b", content)] } }]);
    const parts = (await readIn(home)).conversation("s1").parts.map(({ kind, text }) => `${kind}: ${text}`);
    expect(parts).toEqual(["prose: Hi", "thinking: **Pondering** a thought", "prose: Said."]);
  });

  it("names the model that answered", async () => {
    const home = temporaryFolder();
    write(home, path, [HEAD, asked("a", "Hi"), said("b", "Yes", { model: "gemini-2.5-pro" })]);
    expect((await readIn(home)).conversation("s1").facts).toMatchObject({ model: "gemini-2.5-pro" });
  });

  it("takes linear time, however often it says when it was updated", async () => {
    const home = temporaryFolder();
    const work = async (size: number) => {
      const records = Array.from({ length: size }, (_, i) => [
        asked(`u${i}`, `prompt ${i}`),
        { $set: { lastUpdated: HEAD.lastUpdated } },
      ]);
      write(home, "tmp/abc/chats/session-1.jsonl", [HEAD, ...records.flat()]);
      await readIn(home);
    };
    await expectLinearTimeAsync(work, 20_000);
  });

  it("looks its folder up once in a reading", async () => {
    const home = temporaryFolder();
    const root = write(home, "tmp/abc/.project_root", "/code/shop");
    const long = "x".repeat(2 << 20);
    write(home, "tmp/abc/chats/session-1.jsonl", [
      HEAD,
      asked("u1", long),
      { $set: { lastUpdated: HEAD.lastUpdated } },
    ]);
    const [transcript] = (await readIn(home)).transcripts;
    const folders = [];
    for await (const batch of gemini.read(transcript!, undefined, new AbortController().signal)) {
      for (const event of batch) if (event.kind === "conversation") folders.push(event.facts.folder);
      writeFileSync(root, "/code/other");
    }
    expect(folders).toEqual(["/code/shop", "/code/shop"]);
  });

  it("is read on from the last checkpoint", async () => {
    const home = temporaryFolder();
    const file = write(home, path, [HEAD, asked("a", "Hi")]);
    const reading = await readIn(home);
    appendFileSync(file, `${JSON.stringify(said("b", "Hello"))}\n{"id":"torn`);
    await reading.read(gemini, homeIn(home));
    expect(reading.events.filter(({ kind }) => kind === "part")).toHaveLength(1);
    expect(reading.prose("s1")).toEqual(["user: Hi", "assistant: Hello"]);
  });

  it("of a sub-agent belongs to its session", async () => {
    const home = temporaryFolder();
    write(home, path, [HEAD, asked("a", "Hi")]);
    write(home, "tmp/abc/chats/s1/sub.jsonl", [
      { ...HEAD, sessionId: "sub", kind: "subagent" },
      asked("x", "Search"),
      said("y", "Here"),
    ]);
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["s1"]);
    expect(
      reading
        .conversation("s1")
        .parts.map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["prose", "subagent", "subagent"]);
  });

  it("of a sub-agent is ordered where it was asked, thinking included", async () => {
    const home = temporaryFolder();
    const at = (seconds: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 10, 2, 8, seconds)).toISOString() });
    write(home, path, [
      HEAD,
      { ...asked("a", "Hi"), ...at(1) },
      { ...said("b", "I ask."), ...at(2) },
      { ...said("c", "It says so."), ...at(5) },
    ]);
    write(home, "tmp/abc/chats/s1/sub.jsonl", [
      { ...HEAD, sessionId: "sub", kind: "subagent" },
      { ...asked("x", "Search"), ...at(3) },
      { ...said("y", "Here", { thoughts: [{ subject: "Hm" }] }), ...at(4) },
    ]);
    const { parts } = (await readIn(home)).conversation("s1");
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: Hi",
      "prose: I ask.",
      "subagent: Search",
      "subagent: Hm",
      "subagent: Here",
      "prose: It says so.",
    ]);
  });
});

function abandonedIn({ events }: Reading): unknown[] {
  return events.flatMap((one) =>
    one.kind === "abandoned" && "message" in one.abandoned ? [one.abandoned.message] : [],
  );
}

describe("a document", () => {
  const path = "tmp/abc/chats/session-1.json";

  it("is read again if it changed, but not if only its time did", async () => {
    const home = temporaryFolder();
    write(home, path, { ...HEAD, messages: [asked("a", "Hi")] });
    const reading = await readIn(home);
    write(home, path, { ...HEAD, messages: [asked("a", "Hi")] });
    await reading.read(gemini, homeIn(home));
    expect(reading.events).toEqual([]);
    write(home, path, { ...HEAD, messages: [asked("a", "Hi"), said("b", "Hello")] });
    await reading.read(gemini, homeIn(home));
    expect(reading.prose("s1")).toEqual(["user: Hi", "assistant: Hello"]);
  });

  it("that is half written is reported", async () => {
    const home = temporaryFolder();
    write(home, path, '{"sessionId": "s1", "mess');
    await expect(readIn(home)).rejects.toThrow("no JSON, or not finished");
  });
});

describe.each(HOMES)("the session of $of", ({ folder, isHere }) => {
  it.skipIf(!isHere)("has as many messages as a plain count finds", async () => {
    const reading = await new Reading().read(gemini, homeIn(folder));
    const { sessionId, messages } = JSON.parse(readFileSync(reading.transcripts[0]!.path, "utf8"));
    const texts = messages
      .filter(({ content }: { content: string }) => content !== "")
      .map(({ content }: { content: string }) => content);
    expect(
      reading
        .conversation(sessionId)
        .parts.filter(({ kind }) => kind === "prose")
        .map(({ text }) => text),
    ).toEqual(texts);
    expect(reading.conversation(sessionId).parts.filter(({ kind }) => kind === "tool")).toHaveLength(2);
  });
});
