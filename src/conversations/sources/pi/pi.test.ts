// Sessions of pi in all versions of its format. Entries are as its
// session-manager.ts and messages.ts of March 2026 write them, those of version 1
// as its sessions of December 2025 are.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { pi } from "./pi.ts";

type Values = Readonly<Record<string, unknown>>;

const ID = "01a1e3f9-52bc-73ce-8db7-3b6789437dd9";
const FORK = "01a1e3f9-ffff-73ce-8db7-3b6789437dd9";
const pathOf = (id: string) => `.pi/agent/sessions/--home-anna-x--/2026-03-01T10-00-00-000Z_${id}.jsonl`;
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();

const header = (id: string, more: Values = {}): Values => ({
  type: "session",
  version: 3,
  id,
  timestamp: at(0),
  cwd: "/home/anna/x",
  ...more,
});

let second = 0;
const entry = (id: string, parentId: string | null, values: Values): Values => ({
  id,
  parentId,
  timestamp: at(++second),
  ...values,
});
const message = (id: string, parentId: string | null, role: string, content: unknown, more: Values = {}): Values =>
  entry(id, parentId, { type: "message", message: { role, content, ...more } });
const asked = (id: string, parentId: string | null, content: unknown) => message(id, parentId, "user", content);
const said = (id: string, parentId: string | null, text: string) =>
  message(id, parentId, "assistant", [{ type: "text", text }], { model: "claude-opus-4-5", provider: "anthropic" });

function write(home: string, path: string, lines: readonly Values[]): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const readIn = (home: string, reading = new Reading()) => reading.read(pi, homeIn(home));

async function readOne(...lines: Values[]): Promise<Reading> {
  const home = temporaryFolder();
  write(home, pathOf(ID), [header(ID), ...lines]);
  return readIn(home);
}

const kindsIn = (reading: Reading) => reading.conversation(ID).parts.map(({ kind, text }) => `${kind}: ${text}`);
const marksIn = ({ events }: Reading) =>
  events.flatMap((one) => {
    if (one.kind === "revived") return [`+${one.message.split("@")[0]}`];
    return one.kind === "abandoned" && "message" in one.abandoned ? [`-${one.abandoned.message.split("@")[0]}`] : [];
  });

describe("a session", () => {
  it("separates prose, thinking, tools and summaries", async () => {
    const call = { type: "toolCall", id: "t", name: "read", arguments: { path: "a.md" } };
    const reading = await readOne(
      asked("a", null, [
        { type: "text", text: "Read it" },
        { type: "image", data: "AA", mimeType: "image/png" },
      ]),
      message("b", "a", "assistant", [{ type: "thinking", thinking: "Hm." }, call], { model: "m" }),
      message("c", "b", "toolResult", [{ type: "text", text: "hello" }], { toolCallId: "t", toolName: "read" }),
      message("d", "c", "bashExecution", undefined, { command: "ls", output: "a.md", exitCode: 0 }),
      message("e", "d", "custom", "Injected", { customType: "x", display: true }),
      entry("f", "e", { type: "custom_message", customType: "x", content: "Injected", display: true }),
      entry("g", "f", { type: "compaction", summary: "All of it.", firstKeptEntryId: "a", tokensBefore: 9 }),
      said("h", "g", "It says hello."),
      entry("i", "h", { type: "label", targetId: "a", label: "start" }),
    );
    expect(kindsIn(reading)).toEqual([
      "prose: Read it\n\n[image]",
      "thinking: Hm.",
      'tool: read {"path":"a.md"}',
      "tool: hello",
      "tool: ls\na.md",
      "summary: All of it.",
      "prose: It says hello.",
    ]);
    expect(reading.conversation(ID).parts[2]).toMatchObject({ tool: "read", files: ["a.md"] });
    expect(reading.conversation(ID).facts).toEqual({
      id: ID,
      folder: "/home/anna/x",
      workspace: "--home-anna-x--",
      model: "claude-opus-4-5",
      created: { at: Date.parse(at(0)), known: "stored" },
    });
    expect(reading.notices).toEqual({});
  });

  it("takes for prose what the person typed, not the skill or the files that pi added", async () => {
    const skill = '<skill name="review" location="/s/SKILL.md">\nReferences are relative to /s.\n\nLong\n</skill>';
    const reading = await readOne(
      asked("a", null, `${skill}\n\nthe parser`),
      asked("b", "a", skill),
      asked("c", "b", '<file name="/x/a.md">\nSecret\n</file>\nSum it up'),
    );
    expect(reading.prose(ID)).toEqual(["user: /skill:review the parser", "user: /skill:review", "user: Sum it up"]);
    expect(reading.conversation(ID).parts[2]!.files).toEqual(["/x/a.md"]);
  });

  it("has the name that was given last, and keeps it when the name is cleared", async () => {
    const named = (id: string, name: string | undefined) => entry(id, "a", { type: "session_info", name });
    const reading = await readOne(asked("a", null, "Hi"), named("b", "One"), named("c", "Two"), named("d", undefined));
    expect(reading.conversation(ID).facts).toMatchObject({ title: "Two", titleBy: "user" });
  });

  it("abandons the branch that the person left, and revives the one that they went back to", async () => {
    const home = temporaryFolder();
    const lines = [
      header(ID),
      asked("a", null, "Hi"),
      said("b", "a", "Yes?"),
      asked("c", "b", "Old"),
      said("d", "c", "Hm"),
    ];
    const summary = entry("e", "b", { type: "branch_summary", fromId: "d", summary: "Tried the old way." });
    const file = write(home, pathOf(ID), [...lines, summary, asked("f", "e", "New")]);
    const reading = await readIn(home);
    expect(marksIn(reading)).toEqual(["-d", "-c"]);
    expect(kindsIn(reading)).toContain("summary: Tried the old way.");
    appendFileSync(file, `${JSON.stringify(asked("g", "d", "Old again"))}\n`);
    await readIn(home, reading);
    expect(marksIn(reading).toSorted()).toEqual(["+c", "+d", "-e", "-f"]);
  });

  it("that was forked shares the entries it copied", async () => {
    const home = temporaryFolder();
    const copied = [asked("a", null, "Hi"), said("b", "a", "Yes?")];
    write(home, pathOf(ID), [header(ID), ...copied, asked("c", "b", "On")]);
    const parentSession = `C:\\Users\\anna\\.pi\\agent\\sessions\\--x--\\2026-03-01T10-00-00-000Z_${ID}.jsonl`;
    const fork = header(FORK, { timestamp: at(50), parentSession });
    write(home, pathOf(FORK), [fork, ...copied, asked("c", "b", "Else")]);
    const reading = await readIn(home);
    const keys = reading.events.flatMap((one) => (one.kind === "part" ? [one.part.key] : []));
    expect(new Set(keys).size).toBe(4);
    expect(reading.conversation(FORK).facts).toMatchObject({ continues: ID, copiedAt: Date.parse(at(50)) });
  });

  it("is found where the environment says, and where version 0.30 left it", async () => {
    const [home, agent] = [temporaryFolder(), temporaryFolder()];
    write(home, pathOf(FORK), [header(FORK), asked("a", null, "At home")]);
    write(agent, `2026-03-01T10-00-00-000Z_${ID}.jsonl`, [header(ID), asked("a", null, "Elsewhere")]);
    write(agent, "other.jsonl", [{ token: "x" }]);
    const environment = { PI_CODING_AGENT_DIR: agent };
    const reading = await new Reading().read(pi, { ...homeIn(home), environment });
    expect([...reading.conversations.keys()]).toEqual([ID]);
  });

  it("leaves out the instructions that the program stores since 0.87", async () => {
    const system = entry("a", null, {
      type: "message",
      message: { role: "system", content: "", sections: { tools: "x" } },
    });
    const reading = await readOne(system, asked("b", "a", "Hi"));
    expect(reading.prose(ID)).toEqual(["user: Hi"]);
    expect(reading.notices).toEqual({});
  });

  it("reports unknown entries by their number, and reads the others", async () => {
    const reading = await readOne(
      asked("a", "b", "Hi"),
      entry("b", "a", { type: "dream" }),
      message("c", "b", "oracle", "x"),
      entry("d", "c", { type: "message", message: 7 }),
      { type: "message", id: 5, parentId: {}, timestamp: [], message: { role: "user", content: "No id" } },
    );
    expect(reading.prose(ID)).toEqual(["user: Hi", "user: No id"]);
    expect(reading.notices).toEqual({
      "skipped: entries of the unknown type dream": 1,
      "skipped: messages of the unknown role oracle": 1,
      "skipped: messages of the unknown role undefined": 1,
    });
    expect(marksIn(reading)).toEqual([]);
  });
});

describe("a session of version 1", () => {
  const lines: Values[] = [
    {
      type: "session",
      id: ID,
      timestamp: at(0),
      cwd: "/home/anna/x",
      provider: "anthropic",
      modelId: "claude-opus-4-5",
      thinkingLevel: "off",
      branchedFrom: `/home/anna/.pi/agent/sessions/--x--/2025-12-09T00-52-54-397Z_${FORK}.jsonl`,
    },
    { type: "message", timestamp: at(1), message: { role: "user", content: "Hi", timestamp: 1 } },
    { type: "message", timestamp: at(2), message: { role: "hookMessage", content: "Injected", timestamp: 2 } },
    { type: "message", timestamp: at(3), message: { role: "assistant", content: [{ type: "text", text: "Yes?" }] } },
    { type: "compaction", timestamp: at(4), summary: "Greeting.", firstKeptEntryIndex: 1, tokensBefore: 9 },
  ];

  it("is read in the order of its lines", async () => {
    const home = temporaryFolder();
    write(home, pathOf(ID), lines);
    const reading = await readIn(home);
    expect(kindsIn(reading)).toEqual(["prose: Hi", "prose: Yes?", "summary: Greeting."]);
    expect(reading.conversation(ID).facts).toMatchObject({ continues: FORK, model: "claude-opus-4-5" });
  });

  it("that pi migrates is read again as a whole", async () => {
    const home = temporaryFolder();
    write(home, pathOf(ID), lines);
    const reading = await readIn(home);
    const migrated = lines.map((line, i) =>
      i === 0 ? { ...line, version: 3 } : { ...line, id: `m${i}`, parentId: i === 1 ? null : `m${i - 1}` },
    );
    write(home, pathOf(ID), [...migrated, asked("n", "m4", "More")]);
    await readIn(home, reading);
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect(reading.events.filter(({ kind }) => kind === "part")).toHaveLength(4);
  });
});
