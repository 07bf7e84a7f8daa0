// Cursor's stores of all versions, built here from what is known of them, and
// the real one of 2024 where the samples are at hand.
import { createHash } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { HOMES } from "../../../../test/samples.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { cursor } from "./cursor.ts";

type Values = Readonly<Record<string, unknown>>;

interface State {
  readonly items?: Values;
  readonly keys?: Values;
  /** The newest versions' table: an entry a conversation. */
  readonly headers?: Values;
}

const TABLE = (name: string) => `CREATE TABLE IF NOT EXISTS ${name} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`;

/** Writes into a state.vscdb as Cursor does; null is NULL, a Buffer is taken as it is. */
function writeState(path: string, { items = {}, keys = {}, headers }: State): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${TABLE("ItemTable")}; ${TABLE("cursorDiskKV")}`);
  const stored = (value: unknown) =>
    value === null || value instanceof Buffer ? value : typeof value === "string" ? value : JSON.stringify(value);
  for (const [key, value] of Object.entries(items))
    database.prepare("INSERT INTO ItemTable VALUES (?, ?)").run(key, stored(value));
  for (const [key, value] of Object.entries(keys))
    database.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run(key, stored(value));
  if (headers !== undefined) {
    database.exec(
      `CREATE TABLE IF NOT EXISTS composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
         lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT)`,
    );
    for (const [id, value] of Object.entries(headers))
      database
        .prepare("INSERT OR REPLACE INTO composerHeaders (composerId, value) VALUES (?, ?)")
        .run(id, JSON.stringify(value));
  }
  database.close();
}

const GLOBAL = ".config/Cursor/User/globalStorage/state.vscdb";
const workspace = (hash: string) => `.config/Cursor/User/workspaceStorage/${hash}/state.vscdb`;

function writeFile(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** A composer with its bubbles as rows of their own. */
function composer(id: string, bubbles: readonly Values[], more: Values = {}): Values {
  return {
    [`composerData:${id}`]: {
      _v: 10,
      composerId: id,
      name: `About ${id}`,
      createdAt: 1_760_000_000_000,
      lastUpdatedAt: 1_760_000_100_000,
      fullConversationHeadersOnly: bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
      ...more,
    },
    ...Object.fromEntries(
      bubbles.map((bubble) => [`bubbleId:${id}:${String(bubble["bubbleId"])}`, { _v: 3, ...bubble }]),
    ),
  };
}

const asked = (bubbleId: string, text: string, more: Values = {}) => ({ bubbleId, type: 1, text, ...more });
const said = (bubbleId: string, text: string, more: Values = {}) => ({ bubbleId, type: 2, text, ...more });

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(cursor, homeIn(home));
}

describe("Cursor's global database", () => {
  it("gives conversations in the order of their headers, whatever the order of the keys", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), {
      keys: composer("c1", [asked("z", "How?"), said("m", "So."), asked("a", "Thanks")]),
    });
    const reading = await readIn(home);
    expect(reading.prose("c1")).toEqual(["user: How?", "assistant: So.", "user: Thanks"]);
    expect(reading.conversation("c1").facts).toMatchObject({
      title: "About c1",
      created: { at: 1_760_000_000_000, known: "stored" },
      updated: { at: 1_760_000_100_000, known: "stored" },
    });
  });

  it("gives conversations that are stored inline", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), {
      keys: {
        "composerData:c1": {
          composerId: "c1",
          createdAt: 1_730_000_000_000,
          conversation: [asked("a", "Hi"), said("b", "Hello")],
        },
      },
    });
    const reading = await readIn(home);
    expect(reading.prose("c1")).toEqual(["user: Hi", "assistant: Hello"]);
    expect(reading.conversation("c1").facts.updated).toEqual({ at: 1_730_000_000_000, known: "inferred" });
  });

  it("separates tools, thinking and text, and gives the files of tools", async () => {
    const home = temporaryFolder();
    const tool = {
      name: "edit_file",
      rawArgs: JSON.stringify({ target_file: "src/a.ts", code: "x" }),
      params: JSON.stringify({ relativeWorkspacePath: "src/a.ts" }),
      result: JSON.stringify({ diff: "+x" }),
      status: "completed",
    };
    writeState(join(home, GLOBAL), {
      keys: composer("c1", [
        asked("a", "Change it"),
        said("b", "", { thinking: { text: "Let me see" } }),
        said("c", "", { toolFormerData: tool }),
        said("d", "I think about it", { isThought: true }),
        said("e", "Done."),
      ]),
    });
    const { parts } = (await readIn(home)).conversation("c1");
    expect(parts.map(({ kind, text, files, tool: name }) => [kind, text, files, name])).toEqual([
      ["prose", "Change it", undefined, undefined],
      ["thinking", "Let me see", undefined, undefined],
      ["tool", `edit_file ${tool.rawArgs}\n${tool.result}`, ["src/a.ts"], "edit_file"],
      ["thinking", "I think about it", undefined, undefined],
      ["prose", "Done.", undefined, undefined],
    ]);
  });

  it("extracts text from rich text if there is no other, and marks images", async () => {
    const home = temporaryFolder();
    const paragraph = (...children: Values[]) => ({ type: "paragraph", children });
    const richText = JSON.stringify({
      root: {
        type: "root",
        children: [
          paragraph({ type: "text", text: "Look at " }, { type: "mention", mentionName: "@a.ts" }),
          paragraph({ type: "text", text: "please" }),
        ],
      },
    });
    writeState(join(home, GLOBAL), {
      keys: composer("c1", [asked("a", "", { richText }), asked("b", "And this", { images: [{ path: "x.png" }] })]),
    });
    expect((await readIn(home)).prose("c1")).toEqual(["user: Look at @a.ts\nplease", "user: And this\n\n[image]"]);
  });

  it("reads times of messages as ISO, as milliseconds and from when they were sent, but not those relative to the start", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), {
      keys: composer("c1", [
        asked("a", "1", { createdAt: "2026-01-02T03:04:05.678Z" }),
        asked("b", "2", { createdAt: 1_767_323_045_678 }),
        asked("c", "3", { timingInfo: { clientStartTime: 123.4, clientRpcSendTime: 1_740_000_000_000 } }),
        asked("d", "4", { timingInfo: { clientRpcSendTime: 123_456.7 } }),
        asked("e", "5"),
      ]),
    });
    const { parts } = (await readIn(home)).conversation("c1");
    expect(parts.map(({ time }) => time)).toEqual([
      1_767_323_045_678,
      1_767_323_045_678,
      1_740_000_000_000,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [
      "as parts",
      { $mid: 1, fsPath: "c:\\code\\x", external: "file:///c%3A/code/x", path: "/c:/code/x", scheme: "file" },
      "C:\\code\\x",
    ],
    ["as text", "file:///home/anna/caf%C3%A9", "/home/anna/café"],
    ["with a path only", { scheme: "file", path: "/home/anna/x" }, "/home/anna/x"],
    ["of a remote machine", "vscode-remote://ssh-remote%2Bbox/srv/x", "/srv/x"],
  ])("knows the folder that a newer version writes down, %s", async (_, uri, folder) => {
    const home = temporaryFolder();
    const more = { workspaceIdentifier: { id: "w1", uri }, trackedGitRepos: [{ branches: [{ branchName: "main" }] }] };
    writeState(join(home, GLOBAL), { keys: composer("c1", [asked("a", "Hi")], more) });
    expect((await readIn(home)).conversation("c1").facts).toMatchObject({ folder, workspace: "w1", branch: "main" });
  });

  it("adds facts from the table and the list of headers", async () => {
    const home = temporaryFolder();
    const bare = { name: undefined };
    writeState(join(home, GLOBAL), {
      keys: { ...composer("c1", [asked("a", "Hi")], bare), ...composer("c2", [asked("b", "Hi")], bare) },
      headers: {
        c1: {
          name: "From the table",
          lastUpdatedAt: 1_770_000_000_000,
          workspaceIdentifier: { id: "w", uri: { fsPath: "/x/p" } },
        },
      },
      items: { "composer.composerHeaders": { allComposers: [{ composerId: "c2", name: "From the list" }] } },
    });
    const reading = await readIn(home);
    expect(reading.conversation("c1").facts).toMatchObject({
      title: "From the table",
      folder: "/x/p",
      updated: { at: 1_770_000_000_000 },
    });
    expect(reading.conversation("c2").facts).toMatchObject({ title: "From the list" });
  });

  it("gives messages of a sub-agent to the conversation that started it", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), {
      keys: {
        ...composer("c1", [asked("a", "Find it"), said("b", "Found.")]),
        ...composer("sub", [asked("s1", "Search"), said("s2", "Here", { thinking: "Hm" })], {
          subagentInfo: { parentComposerId: "c1" },
        }),
      },
    });
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["c1"]);
    expect(reading.conversation("c1").parts.map(({ kind }) => kind)).toEqual([
      "prose",
      "prose",
      "subagent",
      "subagent",
      "subagent",
    ]);
  });

  it("skips NULL, empty drafts, edited messages and invalid ones, and counts them", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), {
      keys: {
        ...composer("c1", [asked("a", "Hi")]),
        "bubbleId:c1:orphan": asked("orphan", "An edit"),
        "composerData:null": null,
        "composerData:draft": { composerId: "draft", fullConversationHeadersOnly: [] },
        "composerData:broken": "{",
        ...composer("lost", []),
        "composerData:elsewhere": {
          composerId: "elsewhere",
          fullConversationHeadersOnly: [{ bubbleId: "x", type: 1 }],
        },
        "agentKv:blob:1": "{}",
        "checkpointId:c1:1": "{}",
        "codeBlockDiff:c1:1": "{}",
        "messageRequestContext:c1:a": "{}",
      },
    });
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["c1"]);
    expect(reading.prose("c1")).toEqual(["user: Hi"]);
    expect(reading.notices).toEqual({
      "skipped: messages that were edited away": 1,
      "unreadable: conversations that are no JSON, or larger than 64 MB": 1,
      "unreadable: conversations whose messages are not in the database": 1,
    });
  });

  it("reads values that are blobs, and cuts long texts in a value of many megabytes", async () => {
    const home = temporaryFolder();
    const huge = asked("b", "short", { context: "x".repeat(9 << 20) });
    writeState(join(home, GLOBAL), {
      keys: {
        ...composer("c1", [asked("a", "Hi"), huge]),
        "bubbleId:c1:a": Buffer.from(JSON.stringify(asked("a", "From a blob"))),
      },
    });
    expect((await readIn(home)).prose("c1")).toEqual(["user: From a blob", "user: short"]);
  });

  it("reads again only what changed: a message, a title, a further conversation", async () => {
    const home = temporaryFolder();
    const path = join(home, GLOBAL);
    writeState(path, { keys: { ...composer("c1", [asked("a", "Hi")]), ...composer("c2", [asked("x", "Other")]) } });
    const reading = await readIn(home);
    const again = async () => {
      await reading.read(cursor, homeIn(home));
      return reading.events.flatMap((event) => (event.kind === "conversation" ? [event.facts.id] : []));
    };
    expect(await again()).toEqual([]);
    writeState(path, { keys: { "bubbleId:c1:a": asked("a", "Hi there") } });
    expect(await again()).toEqual(["c1"]);
    expect(reading.prose("c1")).toEqual(["user: Hi there"]);
    writeState(path, { keys: composer("c2", [asked("x", "Other"), said("y", "Yes")]) });
    expect(await again()).toEqual(["c2"]);
    expect(reading.prose("c2")).toEqual(["user: Other", "assistant: Yes"]);
    writeState(path, { keys: composer("c3", [asked("n", "New")]) });
    expect(await again()).toEqual(["c3"]);
    expect(reading.present).toEqual(["c1", "c2", "c3"]);
  });

  it("gives an edited prompt the same message to follow", async () => {
    const home = temporaryFolder();
    const path = join(home, GLOBAL);
    writeState(path, { keys: composer("c1", [asked("a", "Hi"), said("b", "Yes?"), asked("c", "Old")]) });
    const reading = await readIn(home);
    writeState(path, { keys: composer("c1", [asked("a", "Hi"), said("b", "Yes?"), asked("d", "New")]) });
    await reading.read(cursor, homeIn(home));
    const follows = reading.conversation("c1").parts.map(({ text, follows: before }) => [text, before]);
    expect(follows).toEqual([
      ["Hi", "c1"],
      ["Yes?", undefined],
      ["Old", "b"],
      ["New", "b"],
    ]);
  });

  it("lists all conversations, so that deleted ones are noticed", async () => {
    const home = temporaryFolder();
    const path = join(home, GLOBAL);
    writeState(path, { keys: { ...composer("c1", [asked("a", "Hi")]), ...composer("c2", [asked("b", "Ho")]) } });
    const reading = await readIn(home);
    expect(reading.present).toEqual(["c1", "c2"]);
    writeState(path, { keys: { "composerData:c1": null } });
    await reading.read(cursor, homeIn(home));
    expect(reading.present).toEqual(["c2"]);
  });

  it("never reads secrets", async () => {
    const home = temporaryFolder();
    const path = join(home, GLOBAL);
    writeState(path, {
      keys: composer("c1", [asked("a", "Hi")]),
      items: { "cursorAuth/accessToken": "SECRET", "secret://x": "SECRET" },
    });
    const reading = await readIn(home);
    expect(JSON.stringify([reading.events, [...reading.checkpoints]])).not.toContain("SECRET");
  });

  it("is read while Cursor holds it open", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), { keys: composer("c1", [asked("a", "Hi")]) });
    const open = new DatabaseSync(join(home, GLOBAL));
    atTheEnd(() => open.close());
    open.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run("bubbleId:c1:a", JSON.stringify(asked("a", "Newest")));
    expect((await readIn(home)).prose("c1")).toEqual(["user: Newest"]);
  });
});

describe("Cursor's databases of workspaces", () => {
  it("give whole conversations and tabs, in the folder of the workspace", async () => {
    const home = temporaryFolder();
    writeState(join(home, workspace("w1")), {
      items: {
        "composer.composerData": {
          allComposers: [
            {
              composerId: "c1",
              name: "Named",
              createdAt: 1_730_000_000_000,
              conversation: [asked("a", "Hi"), said("b", "Ho")],
            },
          ],
        },
        "workbench.panel.aichat.view.aichat.chatdata": {
          tabs: [
            {
              tabId: "t1",
              chatTitle: "A tab",
              lastSendTime: 1_731_000_000_000,
              bubbles: [
                { type: "user", id: "u", text: "Q" },
                { type: "ai", id: "v", text: "A", rawText: "A" },
                { type: "user", id: "w", text: "" },
              ],
            },
          ],
        },
        "aiService.prompts": [
          { text: "Hi", commandType: 4 },
          { text: "Q", commandType: 4 },
        ],
      },
    });
    writeFile(join(home, dirname(workspace("w1")), "workspace.json"), { folder: "file:///home/anna/x%20y" });
    const reading = await readIn(home);
    expect(reading.prose("c1")).toEqual(["user: Hi", "assistant: Ho"]);
    expect(reading.prose("t1")).toEqual(["user: Q", "assistant: A"]);
    expect(reading.conversation("t1").facts).toMatchObject({
      title: "A tab",
      folder: "/home/anna/x y",
      workspace: "w1",
      updated: { at: 1_731_000_000_000, known: "stored" },
      created: { at: 1_731_000_000_000, known: "inferred" },
    });
    expect(Object.values(reading.notices)).toEqual([2]);
  });

  it("give the folder and the workspace of conversations in the global one", async () => {
    const home = temporaryFolder();
    writeState(join(home, GLOBAL), { keys: composer("c1", [asked("a", "Hi")], { name: undefined }) });
    writeState(join(home, workspace("w1")), {
      items: { "composer.composerData": { allComposers: [{ composerId: "c1", name: "Named", lastUpdatedAt: 1 }] } },
    });
    writeFile(join(home, dirname(workspace("w1")), "workspace.json"), {
      workspace: "file:///home/anna/all.code-workspace",
    });
    const { facts } = (await readIn(home)).conversation("c1");
    expect(facts).toMatchObject({
      title: "Named",
      folder: "/home/anna",
      workspace: "w1",
      updated: { at: 1_760_000_100_000 },
    });
  });

  it("give nothing again that did not change", async () => {
    const home = temporaryFolder();
    const path = join(home, workspace("w1"));
    writeState(path, {
      items: { "composer.composerData": { allComposers: [{ composerId: "c1", conversation: [asked("a", "Hi")] }] } },
    });
    const reading = await readIn(home);
    writeState(path, { items: { other: "x" } });
    await reading.read(cursor, homeIn(home));
    expect(reading.events.map(({ kind }) => kind)).toEqual(["present", "checkpoint"]);
    expect(reading.present).toEqual(["c1"]);
  });
});

/** A protobuf field that has a length. */
const field = (number: number, value: Buffer) => Buffer.concat([Buffer.of((number << 3) | 2, value.length), value]);

type Tree = "flat" | "nested" | "tree of trees";

function writeStore(path: string, meta: Values, messages: readonly unknown[], tree: Tree = "flat"): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)",
  );
  const put = (data: Buffer) => {
    const id = createHash("sha256").update(data).digest();
    database.prepare("INSERT OR REPLACE INTO blobs VALUES (?, ?)").run(id.toString("hex"), data);
    return id;
  };
  const ids = messages.map((message) => put(Buffer.from(JSON.stringify(message))));
  const uri = field(9, Buffer.from("file:///home/anna/agent"));
  const node = (children: readonly Buffer[]) => put(Buffer.concat(children.map((id) => field(1, id))));
  // The same node twice, as the same words said twice are, a node below a node, and messages beside nodes.
  const [first, second, ...others] = ids;
  const children = {
    flat: () => ids.map((id) => field(1, id)),
    nested: () => [field(8, put(Buffer.concat(ids.map((id) => field(2, id)))))],
    "tree of trees": () => [
      field(1, first!),
      field(1, node([node([second!]), node(others.slice(0, -1))])),
      ...others.slice(-1).map((id) => field(1, node([id]))),
    ],
  };
  const root = put(Buffer.concat([...children[tree](), uri]));
  const value = Buffer.from(JSON.stringify({ ...meta, latestRootBlobId: root.toString("hex") })).toString("hex");
  database.prepare("INSERT OR REPLACE INTO meta VALUES ('0', ?)").run(value);
  database.close();
}

const AGENT_MESSAGES = [
  { role: "system", content: "You are" },
  { role: "user", content: "<user_info>\nOS: linux\n</user_info>" },
  { role: "user", content: [{ type: "text", text: "<user_query>\nFix it\n</user_query>" }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm" },
      { type: "text", text: "On it." },
      { type: "tool-call", toolName: "Shell", args: { command: "ls" } },
    ],
  },
  { role: "tool", content: [{ type: "tool-result", toolName: "Shell", result: "a.ts" }] },
  { role: "user", content: "<user_query>go on</user_query>" },
  { role: "user", content: "<user_query>go on</user_query>" },
];
const STORE = ".cursor/chats/0123456789abcdef0123456789abcdef/9d342849-ab25-456d-949d-d988acd62d2f/store.db";
const AGENT = "9d342849-ab25-456d-949d-d988acd62d2f";

describe("Cursor's agent", () => {
  it.each(["flat", "nested", "tree of trees"] as const)(
    "tells all messages in the order of the tree: %s",
    async (tree) => {
      const home = temporaryFolder();
      writeStore(
        join(home, STORE),
        { agentId: AGENT, name: "Fixing", createdAt: 1_760_000_000_000 },
        AGENT_MESSAGES.slice(0, 6),
        tree,
      );
      const reading = await readIn(home);
      expect(reading.conversation(AGENT).parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
        "prose: Fix it",
        "thinking: Hm",
        "prose: On it.",
        'tool: Shell {"command":"ls"}',
        "tool: a.ts",
        "prose: go on",
      ]);
      expect(reading.conversation(AGENT).facts).toMatchObject({
        title: "Fixing",
        folder: "/home/anna/agent",
        workspace: "0123456789abcdef0123456789abcdef",
        created: { at: 1_760_000_000_000, known: "stored" },
        updated: { at: statSync(join(home, STORE)).mtimeMs, known: "file" },
      });
    },
  );

  it("gives messages that are in different trees twice, in order", async () => {
    const home = temporaryFolder();
    writeStore(join(home, STORE), { agentId: AGENT, lastUsedModel: "gpt-6" }, AGENT_MESSAGES, "tree of trees");
    const reading = await readIn(home);
    expect(reading.prose(AGENT).slice(-2)).toEqual(["user: go on", "user: go on"]);
    expect(reading.conversation(AGENT).facts).toMatchObject({ model: "gpt-6" });
    expect(reading.notices).toEqual({});
  });

  it("gives equal messages as often as they were sent, and only new ones afterwards", async () => {
    const home = temporaryFolder();
    writeStore(join(home, STORE), { agentId: AGENT }, AGENT_MESSAGES);
    const reading = await readIn(home);
    expect(reading.prose(AGENT).slice(-2)).toEqual(["user: go on", "user: go on"]);
    writeStore(join(home, STORE), { agentId: AGENT }, AGENT_MESSAGES);
    await reading.read(cursor, homeIn(home));
    expect(reading.events).toEqual([]);
    writeStore(join(home, STORE), { agentId: AGENT }, [...AGENT_MESSAGES, { role: "assistant", content: "Done." }]);
    await reading.read(cursor, homeIn(home));
    expect(reading.prose(AGENT)).toHaveLength(5);
  });

  it("gets title, folder and times from the files beside its store", async () => {
    const home = temporaryFolder();
    writeStore(join(home, STORE), { agentId: AGENT, name: "New Agent" }, AGENT_MESSAGES);
    writeFile(join(home, dirname(STORE), "meta.json"), {
      title: "Better",
      cwd: "/home/anna/real",
      createdAtMs: 1_760_000_000_000,
      updatedAtMs: 1_760_000_500_000,
    });
    expect((await readIn(home)).conversation(AGENT).facts).toMatchObject({
      title: "Better",
      folder: "/home/anna/real",
      created: { at: 1_760_000_000_000 },
      updated: { at: 1_760_000_500_000, known: "stored" },
    });
  });

  const TRANSCRIPT = `.cursor/projects/home-anna-x/agent-transcripts/${AGENT}/${AGENT}.jsonl`;
  const LINES = [
    { role: "user", message: { content: [{ type: "text", text: "<user_query>\nHi\n</user_query>" }] } },
    {
      role: "assistant",
      message: {
        content: [
          { type: "text", text: "Hello" },
          { type: "tool_use", name: "Read", input: { path: "a.ts" } },
        ],
      },
    },
    { type: "turn_ended", status: "success" },
  ].map((line) => JSON.stringify(line));

  it("is read from its transcripts if no database has the conversation, line by line as they grow", async () => {
    const home = temporaryFolder();
    const path = join(home, TRANSCRIPT);
    writeFile(path, `${LINES.join("\n")}\n`);
    writeFile(join(path, "../../../.workspace-trusted"), { workspacePath: "/home/anna/x" });
    writeFile(join(path, "../subagents/sub.jsonl"), `${LINES.slice(0, 2).join("\n")}\n`);
    const reading = await readIn(home);
    expect(reading.prose(AGENT)).toEqual(["user: Hi", "assistant: Hello"]);
    expect(reading.conversation(AGENT).parts.filter(({ kind }) => kind === "subagent")).toHaveLength(3);
    expect(reading.conversation(AGENT).facts).toMatchObject({ folder: "/home/anna/x", workspace: "home-anna-x" });
    writeFile(path, `${[...LINES, ...LINES.slice(0, 1)].join("\n")}\n`);
    await reading.read(cursor, homeIn(home));
    expect(reading.prose(AGENT)).toEqual(["user: Hi", "assistant: Hello", "user: Hi"]);
  });

  it("is read as if for the first time after its transcript was rewritten", async () => {
    const home = temporaryFolder();
    writeFile(join(home, TRANSCRIPT), `${LINES.join("\n")}\n`);
    const reading = await readIn(home);
    for (const rewritten of [LINES.slice(1), [LINES[1], ...LINES]]) {
      writeFile(join(home, TRANSCRIPT), `${rewritten.join("\n")}\n`);
      await reading.read(cursor, homeIn(home));
      expect(reading.events).toEqual([{ kind: "rewritten" }, ...(await readIn(home)).events]);
    }
  });

  it("is not read twice if a database has the conversation", async () => {
    const home = temporaryFolder();
    writeFile(join(home, TRANSCRIPT), `${LINES.join("\n")}\n`);
    writeState(join(home, GLOBAL), { keys: composer(AGENT, [asked("a", "Hi"), said("b", "Hello")]) });
    const reading = await readIn(home);
    expect(reading.prose(AGENT)).toEqual(["user: Hi", "assistant: Hello"]);
    expect(reading.notices).toEqual({ "skipped: transcripts of conversations that a database holds": 1 });
  });
});

describe("Cursor's places", () => {
  it.each([
    ["darwin", "Library/Application Support/Cursor/User/globalStorage/state.vscdb"],
    ["win32", "AppData/Roaming/Cursor/User/globalStorage/state.vscdb"],
    ["linux", ".config/Cursor/User/globalStorage/state.vscdb"],
    ["linux", ".cursor-server/data/User/globalStorage/state.vscdb"],
  ] as const)("are those of %s: %s", async (system, path) => {
    const home = temporaryFolder();
    writeState(join(home, path), { keys: composer("c1", [asked("a", "Hi")]) });
    const reading = await new Reading().read(cursor, homeIn(home, system));
    expect([...reading.conversations.keys()]).toEqual(["c1"]);
  });

  it.each([
    ["linux", "XDG_CONFIG_HOME"],
    ["win32", "APPDATA"],
  ] as const)("of %s follow %s", async (system, variable) => {
    const elsewhere = temporaryFolder();
    writeState(join(elsewhere, "Cursor/User/globalStorage/state.vscdb"), { keys: composer("c1", [asked("a", "Hi")]) });
    const home = { ...homeIn(temporaryFolder(), system), environment: { [variable]: elsewhere } };
    expect([...(await new Reading().read(cursor, home)).conversations.keys()]).toEqual(["c1"]);
  });

  it("are reported even if nothing is there", () => {
    const home = temporaryFolder();
    const looked = [...cursor.find(homeIn(home))];
    expect(looked).toContainEqual({ kind: "looked", place: join(home, ".config/Cursor/User"), isThere: false });
    expect(looked.every((finding) => finding.kind === "looked")).toBe(true);
  });
});

describe.each(HOMES)("the workspace of November 2024 in $of", ({ folder, isHere, isReal }) => {
  const hash = isReal ? "0f3b6a2e6f1d4a55a3f5a1f7b1f0c9aa" : "6a7de200000000000000000000000001";
  const path = join(folder, workspace(hash));
  const counted = () => {
    const database = new DatabaseSync(`file:${path}?immutable=1`, { readOnly: true });
    const valueOf = (key: string) =>
      JSON.parse(String(database.prepare("SELECT value FROM ItemTable WHERE key = ?").get(key)!["value"]));
    const composers = valueOf("composer.composerData").allComposers as {
      composerId: string;
      conversation: { text: string }[];
    }[];
    const tabs = valueOf("workbench.panel.aichat.view.aichat.chatdata").tabs as {
      tabId: string;
      bubbles: { text: string; rawText?: string }[];
    }[];
    database.close();
    return { composers, tabs };
  };

  it.skipIf(!isHere)("has as many conversations and messages as a plain count finds, in their order", async () => {
    const { composers, tabs } = counted();
    const reading = await new Reading().read(cursor, homeIn(folder));
    const expected = new Map([
      ...composers.map(({ composerId, conversation }) => [composerId, conversation.map(({ text }) => text)] as const),
      ...tabs.map(({ tabId, bubbles }) => [tabId, bubbles.map(({ text, rawText }) => text || rawText || "")] as const),
    ]);
    expect(reading.conversations.size).toBe(expected.size);
    for (const [id, texts] of expected) {
      const events = reading.conversation(id).parts.filter(({ kind }) => kind === "prose");
      const typed = texts.filter((text) => text.trim() !== "");
      expect(events.map(({ text }) => text.replace("\n\n[image]", "").trim())).toEqual(
        typed.map((text) => text.trim()),
      );
    }
  });
});
