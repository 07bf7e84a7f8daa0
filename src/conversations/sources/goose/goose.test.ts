// What Goose's sessions hold beside prompts and answers, written as its published
// code writes them (test/program-stores/goose.ts).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import {
  GOOSE_DATABASE,
  openGoose,
  text,
  toolRequest,
  toolResponse,
  writeMessage,
  writeSession,
  type GooseMessage,
} from "../../../../test/program-stores/goose.ts";
import { storedIn } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { goose } from "./goose.ts";

const AT = Date.UTC(2026, 3, 1, 12, 30, 15);
const ID = "20260401_1";
const CONVERSATION = `${ID}.123015`;

function opened(home: string) {
  const database = openGoose(join(home, GOOSE_DATABASE));
  atTheEnd(() => database.isOpen && database.close());
  return database;
}

type Database = ReturnType<typeof opened>;

/** Prompts and answers in turn, ten seconds apart, beginning with a prompt. */
function said(database: Database, session: string, from: number, ...texts: string[]): void {
  for (const [i, one] of texts.entries())
    writeMessage(database, session, {
      id: `msg_${one.replaceAll(" ", "-")}`,
      role: i % 2 === 0 ? "user" : "assistant",
      at: from + i * 10_000,
      content: [text(one)],
    });
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(goose, homeIn(home));
}

describe("Goose's messages", () => {
  it("are told apart by the types of their contents, of earlier versions too", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT });
    const put = (id: string, role: "user" | "assistant", ...content: object[]) =>
      writeMessage(database, ID, { id, role, at: AT, content });
    put(
      "m1",
      "user",
      text("Look at it"),
      { type: "image", data: "AAAA", mimeType: "image/png" },
      {
        ...text("For the model alone"),
        annotations: { audience: ["assistant"] },
      },
    );
    put("m2", "assistant", { type: "thinking", thinking: "Hm", signature: "" }, text("I look."));
    put("m2", "assistant", toolRequest("c1", "developer__shell", { command: "ls" }));
    put("m3", "user", toolResponse("c1", "a.ts"));
    put(
      "m4",
      "assistant",
      { type: "toolRequest", id: "c2", toolCall: { status: "error", error: "No such tool" } },
      { type: "systemNotification", notificationType: "inlineMessage", msg: "Compacting" },
      { type: "conversationCompacted", msg: "x" },
      { type: "reasoning", text: "Older thought" },
    );
    const old = [
      { type: "text", text: "older form" },
      { type: "image", data: "" },
    ];
    put("m5", "user", { type: "toolResponse", id: "c2", toolResult: { status: "success", value: old } });
    put("m6", "user", { type: "toolResponse", id: "c3", toolResult: { status: "error", error: "Refused" } });
    put("m7", "assistant", { type: "hologram" }, text("Done."));
    const reading = await readIn(home);
    expect(reading.prose(CONVERSATION)).toEqual([
      "user: Look at it\n\n[image]",
      "assistant: I look.",
      "assistant: Done.",
    ]);
    const { parts } = reading.conversation(CONVERSATION);
    expect(parts.filter(({ kind }) => kind !== "prose").map(({ kind, text: one, tool }) => [kind, one, tool])).toEqual([
      ["thinking", "Hm", undefined],
      ["tool", 'developer__shell {"command":"ls"}', "developer__shell"],
      ["tool", "a.ts", undefined],
      ["tool", "tool No such tool", "tool"],
      ["thinking", "Older thought", undefined],
      ["tool", "older form\n[image]", undefined],
      ["tool", "Refused", undefined],
    ]);
    expect(reading.notices).toEqual({ "skipped: contents of messages of an unknown type": 1 });
    expect((await storedIn(home, goose)(CONVERSATION)).found.messages).toBe(3);
  });

  it("that a compaction adds are a summary, and nothing is read twice", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT });
    said(database, ID, AT, "One", "First", "Two");
    const read = storedIn(home, goose);
    expect((await read(CONVERSATION)).prose).toEqual(["One", "First", "Two"]);
    // As `compact_messages` and `replace_conversation`: everything again, a fresh copy of the last prompt at the end.
    const all = database.prepare("SELECT * FROM messages ORDER BY id").all();
    database.exec("DELETE FROM messages");
    const visible = (userVisible: boolean, agentVisible: boolean) => ({ metadata: { userVisible, agentVisible } });
    for (const [i, row] of all.entries())
      writeMessage(database, ID, {
        id: String(row["message_id"]),
        role: row["role"] as "user" | "assistant",
        at: Number(row["created_timestamp"]) * 1000,
        content: JSON.parse(String(row["content_json"])) as object[],
        ...visible(i < all.length - 1, false),
      });
    const add = (id: string, role: "user" | "assistant", one: string, more: Partial<GooseMessage>) =>
      writeMessage(database, ID, { id, role, at: AT + 60_000, content: [text(one)], ...more });
    add("s1", "user", "They counted.", visible(false, true));
    add("s2", "assistant", "Your context was compacted. The previous message …", visible(false, true));
    add("s3", "user", "Two", {});
    add("s4", "assistant", "Second", {});
    // The model alone gets what a tool was for, and what a command expands to.
    add("s5", "user", "A call was made", visible(false, true));
    add("s6", "user", "Three", {});
    const { found, prose } = await read(CONVERSATION);
    expect(prose).toEqual(["One", "First", "Two", "Second", "Three"]);
    expect(found.messages).toBe(5);
    const { parts } = (await readIn(home)).conversation(CONVERSATION);
    expect(parts.flatMap(({ kind, text: one }) => (kind === "summary" ? [one] : []))).toEqual(["They counted."]);
  });

  it("that an edited prompt has removed stay, abandoned", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT });
    said(database, ID, AT, "One", "First", "Two", "Second", "Three");
    const read = storedIn(home, goose);
    await read(CONVERSATION);
    database.prepare("DELETE FROM messages WHERE created_timestamp >= ?").run((AT + 20_000) / 1000);
    said(database, ID, AT + 90_000, "Two or three", "Both");
    expect((await read(CONVERSATION)).prose).toEqual([
      "One",
      "First",
      "(Two)",
      "(Second)",
      "(Three)",
      "Two or three",
      "Both",
    ]);
  });
});

describe("a session of Goose", () => {
  it("has facts of its row, its times in UTC, and a title once it has a name", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT, updated: AT + 5000 });
    said(database, ID, AT, "Hello", "Hi");
    const reading = await readIn(home);
    const { facts } = reading.conversation(CONVERSATION);
    expect(facts).toMatchObject({
      folder: "/code/shop",
      model: "stub-model",
      created: { at: AT, known: "stored" },
      updated: { at: AT + 5000, known: "stored" },
    });
    expect(facts.title).toBeUndefined();
    writeSession(database, { id: ID, at: AT, name: "Greeting", isNamed: true });
    await reading.read(goose, homeIn(home));
    expect(reading.conversation(CONVERSATION).facts).toMatchObject({ title: "Greeting", titleBy: "user" });
    expect(reading.events.filter(({ kind }) => kind === "part")).toEqual([]);
  });

  it("that was copied has only what is new, and says what it continues", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT });
    said(database, ID, AT, "One", "First");
    // `copy_session` keeps the ids of messages.
    writeSession(database, { id: "20260401_2", at: AT + 60_000, name: "Copy" });
    said(database, "20260401_2", AT, "One", "First");
    said(database, "20260401_2", AT + 70_000, "Two", "Second");
    const read = storedIn(home, goose);
    expect((await read(CONVERSATION)).prose).toEqual(["One", "First"]);
    expect(await read("20260401_2.123115")).toMatchObject({
      found: { continues: CONVERSATION, created: AT + 60_000, messages: 2 },
      prose: ["Two", "Second"],
    });
  });

  it("of a sub-agent belongs to the one that started it, as soon as that says so", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const [sub, copy] = ["20260401_2", "20260401_3"];
    writeSession(database, { id: ID, at: AT });
    writeSession(database, { id: sub, at: AT + 5_000, type: "sub_agent" });
    said(database, ID, AT, "Find it");
    const at = AT + 6_000;
    writeMessage(database, sub, { id: "s1", role: "user", at, content: [text("Search")] });
    const call = toolRequest("c1", "developer__shell", { command: "ls" });
    writeMessage(database, sub, { id: "s2", role: "assistant", at: at + 1000, content: [call, text("Here")] });
    const reading = await readIn(home);
    expect(reading.notices).toMatchObject({
      "skipped: sessions of sub-agents, of which Goose does not say who started them": 1,
    });
    const response = toolResponse("c0", "Here", { subagent_session_id: sub });
    writeMessage(database, ID, { id: "m2", role: "user", at: AT + 9_000, content: [response] });
    said(database, ID, AT + 10_000, "Thanks");
    writeSession(database, { id: copy, at: AT + 20_000 });
    writeMessage(database, copy, { id: "m2", role: "user", at: AT + 9_000, content: [response] });
    await reading.read(goose, homeIn(home));
    const kinds = () => reading.conversation(CONVERSATION).parts.map((one) => `${one.kind}: ${one.text}`);
    const all = ["prose: Find it", "subagent: Search", 'subagent: developer__shell {"command":"ls"}', "subagent: Here"];
    expect(kinds()).toEqual([...all, "tool: Here", "prose: Thanks"]);
    expect(reading.present).not.toContain("20260401_2.123020");
    writeMessage(database, sub, { id: "s3", role: "assistant", at: at + 2000, content: [text("And there")] });
    await reading.read(goose, homeIn(home));
    expect(kinds()).toEqual([...all, "subagent: And there", "tool: Here", "prose: Thanks"]);
    expect([...reading.conversations.keys()]).toEqual([CONVERSATION]);
  });

  it("of a sub-agent that nobody names, or one that is not to be kept, is passed over", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    for (const [i, type] of ["user", "sub_agent", "hidden", "scheduled", "sub_agent"].entries()) {
      writeSession(database, { id: `20260401_${i}`, at: AT, type });
      said(database, `20260401_${i}`, AT + i * 100_000, `Ask ${i}`, `Say ${i}`);
    }
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["20260401_0.123015", "20260401_3.123015"]);
    expect(reading.notices).toEqual({
      "skipped: sessions of sub-agents, of which Goose does not say who started them": 2,
      "skipped: sessions that Goose was told not to keep": 1,
    });
    await reading.read(goose, homeIn(home));
    expect(reading.notices).toEqual({});
  });

  it("is read again only where it has more messages, or changed ones", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: ID, at: AT });
    writeSession(database, { id: "20260401_2", at: AT });
    said(database, ID, AT, "One", "First");
    said(database, "20260401_2", AT, "Other", "Words");
    const reading = await readIn(home);
    const texts = () => reading.events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []));
    expect(texts()).toHaveLength(4);
    said(database, ID, AT + 50_000, "Two", "Second");
    await reading.read(goose, homeIn(home));
    expect(texts()).toEqual(["Two", "Second"]);
    database.prepare("DELETE FROM messages WHERE session_id = ?").run("20260401_2");
    database.prepare("DELETE FROM sessions WHERE id = ?").run("20260401_2");
    await reading.read(goose, homeIn(home));
    expect(texts()).toEqual([]);
    expect(reading.present).toEqual([CONVERSATION]);
  });
});

describe("Goose's older stores", () => {
  it("of schema version 1 are read, and not again when messages get ids", async () => {
    const home = temporaryFolder();
    const path = join(home, GOOSE_DATABASE);
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    atTheEnd(() => database.close());
    database.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '', working_dir TEXT NOT NULL,
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL);
      INSERT INTO sessions VALUES ('${ID}', 'Old name', '/code/shop', '2026-04-01 12:30:15', '2026-04-01 12:30:15')`);
    const put = (role: string, one: string) =>
      database
        .prepare("INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?)")
        .run(ID, role, JSON.stringify([text(one)]), AT / 1000);
    put("user", "One");
    put("assistant", "First");
    put("system", "Not said");
    const reading = await readIn(home);
    expect(reading.prose(CONVERSATION)).toEqual(["user: One", "assistant: First"]);
    expect(reading.conversation(CONVERSATION).facts.title).toBe("Old name");
    database.exec(`ALTER TABLE messages ADD COLUMN message_id TEXT; ALTER TABLE messages ADD COLUMN metadata_json TEXT;
      UPDATE messages SET message_id = 'msg_' || session_id || '_' || id`);
    put("user", "Two");
    await reading.read(goose, homeIn(home));
    expect(reading.prose(CONVERSATION)).toEqual(["user: One", "assistant: First", "user: Two"]);
  });

  it("in files are read, and are the same session once they are imported", async () => {
    const home = temporaryFolder();
    const id = "20250301_101500";
    const file = join(home, ".local/share/goose/sessions", `${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const lines = [
      { working_dir: "/code/shop", description: "Old file", message_count: 3, total_tokens: 10 },
      { role: "user", created: AT / 1000, content: [text("One")] },
      { role: "assistant", created: AT / 1000, content: [text("First")] },
    ];
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\nnot json\n`);
    const reading = await readIn(home);
    expect(reading.prose(id)).toEqual(["user: One", "assistant: First"]);
    expect(reading.conversation(id).facts).toMatchObject({ title: "Old file", folder: "/code/shop" });
    expect(reading.notices).toEqual({ "skipped: lines that are no records": 1 });
    const database = opened(home);
    writeSession(database, { id, at: AT, name: "Old file" });
    said(database, id, AT, "One");
    writeMessage(database, id, { id: "msg_x", role: "assistant", at: AT, content: [text("First")] });
    said(database, id, AT + 50_000, "Two");
    await reading.read(goose, homeIn(home));
    expect(reading.prose(id)).toEqual(["user: One", "assistant: First", "user: Two"]);
  });

  it("are where each system keeps data, or where a variable says", () => {
    const places = (home: ReturnType<typeof homeIn>) =>
      [...goose.find(home)].flatMap((one) => (one.kind === "looked" ? [one.place.replaceAll("\\", "/")] : []));
    expect(places({ ...homeIn("/home/dev"), systems: ["darwin", "win32", "linux"] })).toEqual([
      "/home/dev/.local/share/goose/sessions",
      "/home/dev/AppData/Roaming/Block/goose/data/sessions",
    ]);
    expect(places({ ...homeIn("/home/dev"), environment: { GOOSE_PATH_ROOT: "/goose" } })).toEqual([
      "/goose/data/sessions",
    ]);
  });
});
