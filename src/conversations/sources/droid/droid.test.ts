// Sessions of Factory's droid. Its code is not public: records are as version
// 0.225 wrote them, and, for what it did not write here (sub-agents, forks,
// compactions, hooks), as several public programs that read its files describe
// them for versions up to 0.231.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { droid } from "./droid.ts";

type Values = Readonly<Record<string, unknown>>;

const ID = "583702c9-4fae-49fc-b214-6765e8aece4f";
const OTHER = "11111111-4fae-49fc-b214-6765e8aece4f";
const pathOf = (id: string) => `.factory/sessions/-home-anna-x/${id}.jsonl`;

const start = (id: string, more: Values = {}): Values => ({
  type: "session_start",
  id,
  title: "Parrots",
  owner: "anna",
  version: 2,
  cwd: "/home/anna/x",
  isSessionTitleManuallySet: false,
  ...more,
});

let clock = 0;
const message = (id: string, parentId: string | undefined, role: string, content: unknown, more: Values = {}) => ({
  type: "message",
  id,
  ...(parentId !== undefined && { parentId }),
  timestamp: new Date(Date.UTC(2026, 7, 1) + ++clock * 1000).toISOString(),
  message: { role, content, ...more },
});
const text = (value: string) => [{ type: "text", text: value }];

function write(home: string, path: string, lines: readonly Values[]): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const readIn = (home: string, reading = new Reading()) => reading.read(droid, homeIn(home));

async function readOne(...lines: Values[]): Promise<Reading> {
  const home = temporaryFolder();
  write(home, pathOf(ID), [start(ID), ...lines]);
  return readIn(home);
}

const kindsIn = (reading: Reading) => reading.conversation(ID).parts.map((part) => `${part.kind}: ${part.text}`);

describe("a session", () => {
  it("separates prose, thinking, tools and summaries", async () => {
    const reading = await readOne(
      message("a", undefined, "user", text("Read it")),
      message("b", "a", "assistant", [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "redacted_thinking", data: "xxxx" },
        { type: "tool_use", id: "t", name: "ApplyPatch", input: { input: "*** Update File: src/a.ts\n@@" } },
      ]),
      message("c", "b", "user", [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "ok" }] }]),
      { type: "todo_state", id: "x", todos: [], messageIndex: 2 },
      {
        type: "compaction_state",
        id: "d",
        timestamp: new Date(Date.UTC(2026, 7, 2)).toISOString(),
        summaryText: "All.",
      },
      message("e", "c", "assistant", text("Done."), { modelId: "claude-opus-4-5" }),
      { type: "agent_turn_outcome", turnId: "a", reason: "completed", resultKind: "text" },
    );
    expect(kindsIn(reading)).toEqual([
      "prose: Read it",
      "thinking: Hm.",
      'tool: ApplyPatch {"input":"*** Update File: src/a.ts\\n@@"}',
      "tool: ok",
      "summary: All.",
      "prose: Done.",
    ]);
    const { facts, parts } = reading.conversation(ID);
    expect(parts[2]).toMatchObject({ tool: "ApplyPatch", files: ["src/a.ts"] });
    expect(parts[3]).toMatchObject({ tool: "ApplyPatch" });
    expect(facts).toEqual({
      id: ID,
      title: "Parrots",
      titleBy: "program",
      folder: "/home/anna/x",
      workspace: "-home-anna-x",
      model: "claude-opus-4-5",
    });
    expect(reading.notices).toEqual({});
  });

  it("takes for prose what the person typed, and names what they attached", async () => {
    const reading = await readOne(
      message("context-a", undefined, "user", text("<system-reminder>\nTools.\n</system-reminder>")),
      message("a", "context-a", "user", [
        { type: "text", text: "<system-reminder>More</system-reminder>\nFix it" },
        { type: "image", source: { type: "base64", data: "AA", media_type: "image/png" } },
        { type: "document", source: { type: "text", data: "Secret", name: "note.txt" } },
      ]),
      message("b", "a", "user", "For the model", { visibility: "llm_only" }),
      message("c", "b", "user", "A notice", { visibility: "user_only" }),
      message("d", "c", "user", [], { hookEventName: "Stop", hookStatus: "completed", hookResults: [] }),
      message("e", "d", "user", "Automated", { userMessageSource: "automation" }),
      message("f", "e", "user", "As text"),
    );
    expect(reading.prose(ID)).toEqual(["user: Fix it\n\n[image]\n\n[note.txt]", "user: As text"]);
  });

  it("has its new title when the program rewrites the first line, and nothing twice", async () => {
    const home = temporaryFolder();
    const lines = [message("a", undefined, "user", text("Hi"))];
    write(home, pathOf(ID), [start(ID, { title: "New Session" }), ...lines]);
    const reading = await readIn(home);
    expect(reading.conversation(ID).facts.title).toBeUndefined();
    write(home, pathOf(ID), [start(ID, { title: "Mine", isSessionTitleManuallySet: true }), ...lines]);
    await readIn(home, reading);
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect(reading.conversation(ID).facts).toMatchObject({ title: "Mine", titleBy: "user" });
  });

  it("has the model of its settings if its messages name none", async () => {
    const home = temporaryFolder();
    const file = write(home, pathOf(ID), [start(ID), message("a", undefined, "user", text("Hi"))]);
    writeFileSync(file.replace(".jsonl", ".settings.json"), JSON.stringify({ model: "glm-5", tokenUsage: {} }));
    expect((await readIn(home)).conversation(ID).facts.model).toBe("glm-5");
  });

  it("of a sub-agent belongs to the one that called it", async () => {
    const home = temporaryFolder();
    write(home, pathOf(ID), [start(ID), message("a", undefined, "user", text("Hi"))]);
    write(home, pathOf(OTHER), [
      start(OTHER, { title: "# Task Tool Invocation", callingSessionId: ID, callingToolUseId: "t" }),
      message("x", undefined, "user", text("Search")),
      message("y", "x", "assistant", text("Here")),
    ]);
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual([ID]);
    expect(kindsIn(reading)).toEqual(["prose: Hi", "subagent: Search", "subagent: Here"]);
    expect(reading.conversation(ID).facts.title).toBe("Parrots");
  });

  it("that was forked shares what it copied", async () => {
    const home = temporaryFolder();
    const copied = [message("a", undefined, "user", text("Hi")), message("b", "a", "assistant", text("Yes?"))];
    write(home, pathOf(ID), [start(ID), ...copied]);
    const fork = start(OTHER, { parent: ID, forkedAtMessageId: "b" });
    write(home, pathOf(OTHER), [fork, ...copied, message("c", "b", "user", text("Else"))]);
    const reading = await readIn(home);
    const keys = reading.events.flatMap((one) => (one.kind === "part" ? [one.part.key] : []));
    expect(new Set(keys).size).toBe(3);
    expect(reading.conversation(OTHER).facts.continues).toBe(ID);
  });

  it("marks what the person went back before as abandoned", async () => {
    const home = temporaryFolder();
    const lines = [
      start(ID),
      message("a", undefined, "user", text("Hi")),
      message("b", "a", "assistant", text("Yes?")),
      message("c", "b", "user", text("Old")),
    ];
    const file = write(home, pathOf(ID), lines);
    const reading = await readIn(home);
    appendFileSync(file, `${JSON.stringify(message("d", "b", "user", text("New")))}\n`);
    await readIn(home, reading);
    expect(reading.events.filter(({ kind }) => kind === "abandoned")).toEqual([
      { kind: "abandoned", conversation: ID, abandoned: { message: "c" } },
    ]);
  });

  it("is found beside the folders of projects, where older versions kept it, and where the environment says", async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    write(home, `.factory/sessions/${ID}.jsonl`, [start(ID), message("a", undefined, "user", text("At home"))]);
    write(home, `.factory/sessions/${ID}.jsonl.bak`, [start(ID)]);
    write(other, pathOf(OTHER), [start(OTHER), message("b", undefined, "user", text("Elsewhere"))]);
    expect([...(await readIn(home)).conversations.keys()]).toEqual([ID]);
    const environment = { FACTORY_HOME_OVERRIDE: other };
    const reading = await new Reading().read(droid, { ...homeIn(home), environment });
    expect([...reading.conversations.keys()]).toEqual([OTHER]);
  });

  it("reports unknown records by their number, and reads the others", async () => {
    const reading = await readOne(
      message("a", "a", "user", text("Hi")),
      { type: "dream" },
      message("b", "c", "oracle", "x"),
      { type: "message", id: [], parentId: 7, timestamp: {}, message: { role: "user", content: "No id" } },
      { type: "message", message: null },
    );
    expect(reading.prose(ID).toSorted()).toEqual(["user: Hi", "user: No id"]);
    expect(reading.notices).toEqual({
      "skipped: records of the unknown type dream": 1,
      "skipped: messages of an unknown form": 2,
    });
  });
});
