// What opencode's store holds beside prompts and answers, written as opencode
// 1.18 writes it (test/program-stores/opencode.ts).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  assistantMessage,
  openOpencode,
  userMessage,
  writeMessage,
  writeSession,
} from "../../../../test/program-stores/opencode.ts";
import { storedIn } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { kilo, opencode } from "./opencode.ts";

const DATABASE = ".local/share/opencode/opencode.db";
const AT = Date.UTC(2026, 9, 1, 12);

function opened(home: string, path = DATABASE) {
  const database = openOpencode(join(home, path));
  atTheEnd(() => database.isOpen && database.close());
  return database;
}

type Database = ReturnType<typeof opened>;
type Part = Readonly<Record<string, unknown>>;

const text = (said: string, more: Part = {}): Part => ({ type: "text", text: said, ...more });

/** A prompt and its answer in two messages, `<id>a` and `<id>b`. */
function writeTurn(database: Database, session: string, id: string, at: number, asked: Part[], answered: Part[]): void {
  writeMessage(database, session, `msg_${id}a`, at, userMessage(), asked);
  writeMessage(database, session, `msg_${id}b`, at + 1000, assistantMessage(`msg_${id}a`), answered);
}

async function readIn(home: string, source = opencode): Promise<Reading> {
  return new Reading().read(source, homeIn(home));
}

describe("opencode's messages", () => {
  it("are without what the program adds: files' contents, notices of plugins, questions after a compaction", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    writeTurn(
      database,
      "ses_1",
      "1",
      AT,
      [
        text("Read @a.ts"),
        text('Called the Read tool with the following input: {"filePath":"/code/shop/a.ts"}', { synthetic: true }),
        text("Context was pruned", { ignored: true }),
        { type: "file", mime: "text/plain", filename: "a.ts", url: "file:///code/shop/a.ts" },
        { type: "agent", name: "explore" },
      ],
      [text("It is short."), { type: "patch", hash: "1", files: ["/code/shop/a.ts"] }, { type: "retry", attempt: 1 }],
    );
    const reading = await readIn(home);
    expect(reading.prose("ses_1")).toEqual(["user: Read @a.ts", "assistant: It is short."]);
    expect(reading.conversation("ses_1").parts).toHaveLength(2);
    expect(reading.notices).toEqual({});
  });

  it("have images, and a prompt of `opencode run` without the quotes around it", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    const image = { type: "file", mime: "image/png", filename: "a.png", url: "data:image/png;base64,AAAA" };
    writeTurn(database, "ses_1", "1", AT, [text('"say \\"hello\\" to it"'), image], [text('"I said hello"')]);
    writeTurn(database, "ses_1", "2", AT + 5000, [text('"one" and "two"')], [text("No.")]);
    expect((await readIn(home)).prose("ses_1")).toEqual([
      'user: say "hello" to it',
      "user: [image]",
      'assistant: "I said hello"',
      'user: "one" and "two"',
      "assistant: No.",
    ]);
  });

  it("tell a summary from an answer, though messages of people have a field of that name too", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    writeTurn(database, "ses_1", "1", AT, [text("Go on")], [text("Done.")]);
    writeMessage(database, "ses_1", "msg_2a", AT + 5000, userMessage(), [{ type: "compaction", auto: true }]);
    const compaction = assistantMessage("msg_2a", { mode: "compaction", summary: true, modelID: "small-model" });
    writeMessage(database, "ses_1", "msg_2b", AT + 6000, compaction, [
      { type: "reasoning", text: "What was it?", time: { start: AT } },
      text("They asked to go on."),
    ]);
    const reading = await readIn(home);
    expect(reading.conversation("ses_1").parts.map(({ kind }) => kind)).toEqual([
      "prose",
      "prose",
      "thinking",
      "summary",
    ]);
    expect(reading.conversation("ses_1").facts.model).toBe("stub-model");
  });

  it("of sub-agents belong to the conversation that started them, at any depth", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    writeSession(database, { id: "ses_2", at: AT + 100, parent: "ses_1", title: "Look (@general subagent)" });
    writeSession(database, { id: "ses_3", at: AT + 200, parent: "ses_2" });
    writeTurn(database, "ses_1", "1", AT, [text("Ask a helper")], [text("It says so.")]);
    writeTurn(database, "ses_2", "2", AT + 100, [text("Look")], [text("Seen.")]);
    writeTurn(database, "ses_3", "3", AT + 200, [text("Look deeper")], [text("Seen more.")]);
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["ses_1"]);
    expect(reading.conversation("ses_1").parts.map(({ kind, text: said }) => `${kind}: ${said}`)).toEqual([
      "prose: Ask a helper",
      "subagent: Look",
      "subagent: Look deeper",
      "prose: It says so.",
      "subagent: Seen.",
      "subagent: Seen more.",
    ]);
    expect(reading.present).toEqual(["ses_1"]);
  });

  it("are counted once each, without those that only call a tool", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    const state = { status: "error", input: { filePath: "/code/shop/b.ts" }, error: "No such file" };
    const call = { type: "tool", tool: "read", callID: "c", state };
    writeMessage(database, "ses_1", "msg_1", AT, userMessage(), [text("Read b")]);
    writeMessage(database, "ses_1", "msg_2", AT + 1, assistantMessage("msg_1"), [call, call]);
    writeMessage(database, "ses_1", "msg_3", AT + 2, assistantMessage("msg_1"), [text("It is"), text("not there.")]);
    const { found, prose } = await storedIn(home, opencode)("ses_1");
    expect(found.messages).toBe(2);
    expect(prose).toEqual(["Read b", "It is\n\nnot there."]);
    const called = (await readIn(home)).conversation("ses_1").parts.find(({ kind }) => kind === "tool");
    expect(called).toMatchObject({
      tool: "read",
      text: 'read (error) {"filePath":"/code/shop/b.ts"}\nNo such file',
      files: ["/code/shop/b.ts"],
    });
  });

  it("of an unknown type are counted, and what is damaged is left out", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT, parent: "ses_2" });
    writeSession(database, { id: "ses_2", at: AT, parent: "ses_1" });
    writeSession(database, { id: "ses_3", at: AT });
    writeTurn(database, "ses_1", "1", AT, [text("In a circle")], [text("Yes")]);
    writeTurn(database, "ses_3", "3", AT, [text("Hello"), { type: "hologram" }], [text("Hi")]);
    database.prepare("INSERT INTO part VALUES ('prt_x', 'msg_3b', 'ses_3', 1, 1, '{\"type\":')").run();
    database.prepare("INSERT INTO part VALUES ('prt_y', 'msg_3b', 'ses_3', 1, 1, x'00ff00')").run();
    // JSON, though nothing that anybody said.
    const deep = `{"type":"text","text":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    database.prepare("INSERT INTO part VALUES ('prt_z', 'msg_3b', 'ses_3', 1, 1, ?)").run(deep);
    // Binary data, and a message of which nothing can be read.
    writeMessage(database, "ses_3", "msg_4a", AT + 9000, userMessage(), [text("Unknown role")]);
    database.prepare("UPDATE message SET data = x'8c17726f6c65' WHERE id = 'msg_4a'").run();
    const reading = await readIn(home);
    expect(reading.prose("ses_3")).toEqual(["user: Hello", "assistant: Hi"]);
    expect(reading.notices).toEqual({
      "skipped: parts of messages of an unknown type": 1,
      "unreadable: messages that are no JSON, or larger than 64 MB": 3,
    });
  });
});

describe("a session of opencode", () => {
  it("has no title until one is generated, and its folder as Windows writes it", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT, directory: "c:/Users/dev/shop" });
    writeTurn(database, "ses_1", "1", AT, [text("Hello")], [text("Hi")]);
    const reading = await readIn(home);
    expect(reading.conversation("ses_1").facts).toMatchObject({
      folder: "C:\\Users\\dev\\shop",
      workspace: "p1",
      model: "stub-model",
      created: { at: AT, known: "stored" },
    });
    expect(reading.conversation("ses_1").facts.title).toBeUndefined();
    writeSession(database, { id: "ses_1", at: AT, title: "Greeting" });
    await reading.read(opencode, homeIn(home));
    expect(reading.conversation("ses_1").facts.title).toBe("Greeting");
  });

  it("that is a fork has only what is new, and says what it continues", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT, title: "First" });
    writeTurn(database, "ses_1", "1", AT + 1, [text("One")], [text("First answer"), text("and more")]);
    // `fork` copies messages with their times, under new ids, up to a message.
    const fork = (id: string, from: string, at: number) => {
      writeSession(database, { id, at, title: `First (fork #${id.slice(4)})` });
      const messages = database.prepare("SELECT * FROM message WHERE session_id = ? ORDER BY time_created").all(from);
      for (const message of messages) {
        const parts = database.prepare("SELECT data FROM part WHERE message_id = ? ORDER BY id").all(message["id"]!);
        writeMessage(
          database,
          id,
          `${String(message["id"])}.${id}`,
          Number(message["time_created"]),
          JSON.parse(String(message["data"])) as Part,
          parts.map(({ data }) => JSON.parse(String(data)) as Part),
          at,
        );
      }
    };
    fork("ses_2", "ses_1", AT + 10_000);
    writeTurn(database, "ses_2", "2", AT + 20_000, [text("Two")], [text("Second answer")]);
    fork("ses_3", "ses_2", AT + 30_000);
    writeTurn(database, "ses_3", "3", AT + 40_000, [text("Three")], [text("Third answer")]);
    writeTurn(database, "ses_1", "4", AT + 50_000, [text("Four")], [text("Fourth answer")]);
    const read = storedIn(home, opencode);
    expect((await read("ses_1")).prose).toEqual(["One", "First answer\n\nand more", "Four", "Fourth answer"]);
    expect(await read("ses_2")).toMatchObject({
      found: { continues: "ses_1", created: AT + 10_000, messages: 2 },
      prose: ["Two", "Second answer"],
    });
    const third = await read("ses_3");
    expect(third.prose).toEqual(["Three", "Third answer"]);
    expect(third.found.continues).toBe("ses_2");
  });

  it("in which the person went back marks what was left, until it is brought back or replaced", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const session = { id: "ses_1", at: AT };
    writeSession(database, session);
    for (const [i, word] of ["One", "Two", "Three"].entries())
      writeTurn(database, "ses_1", String(i), AT + i * 10_000, [text(word)], [text(`${word} it is`)]);
    const read = storedIn(home, opencode);
    writeSession(database, { ...session, revert: { messageID: "msg_1a", snapshot: "abc" } });
    expect((await read("ses_1")).prose).toEqual([
      "One",
      "One it is",
      "(Two)",
      "(Two it is)",
      "(Three)",
      "(Three it is)",
    ]);
    writeSession(database, { ...session, revert: { messageID: "msg_2a", snapshot: "abc" } });
    expect((await read("ses_1")).prose).toEqual(["One", "One it is", "Two", "Two it is", "(Three)", "(Three it is)"]);
    writeSession(database, session);
    expect((await read("ses_1")).prose).toEqual(["One", "One it is", "Two", "Two it is", "Three", "Three it is"]);
    // The next prompt after a revert removes the messages for good.
    database.prepare("DELETE FROM message WHERE id IN ('msg_1a', 'msg_1b', 'msg_2a', 'msg_2b')").run();
    writeTurn(database, "ses_1", "4", AT + 90_000, [text("Four")], [text("Four it is")]);
    expect((await read("ses_1")).prose).toEqual([
      "One",
      "One it is",
      "(Two)",
      "(Two it is)",
      "(Three)",
      "(Three it is)",
      "Four",
      "Four it is",
    ]);
  });
});

describe("a change in opencode's database", () => {
  it("has the messages read that changed, in place too, and nothing of other sessions", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    for (const id of ["ses_1", "ses_2"]) {
      writeSession(database, { id, at: AT });
      for (let i = 0; i < 3; i++)
        writeTurn(database, id, `${id}${i}`, AT + i * 10_000, [text(`Ask ${i}`)], [text(`Say ${i}`)]);
    }
    const reading = await readIn(home);
    const texts = () => reading.events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []));
    expect(texts()).toHaveLength(12);
    await reading.read(opencode, homeIn(home));
    expect(texts()).toEqual([]);
    // A part grows while it is streamed; neither its session nor its message is touched.
    const grow = (said: string, at: number) =>
      database
        .prepare("UPDATE part SET data = ?, time_updated = ? WHERE id = 'prt_msg_ses_22b.000'")
        .run(JSON.stringify(text(said)), at);
    grow("Say 2 and", AT + 22_000);
    await reading.read(opencode, homeIn(home));
    expect(texts()).toEqual(["Say 2 and"]);
    // Again within the same millisecond.
    grow("Say 2 and more", AT + 22_000);
    await reading.read(opencode, homeIn(home));
    expect(texts()).toEqual(["Say 2 and more"]);
    // Even if the clock was turned back.
    grow("Say 2 and more of it", AT);
    await reading.read(opencode, homeIn(home));
    expect(texts()).toContain("Say 2 and more of it");
    expect(reading.prose("ses_2").at(-1)).toBe("assistant: Say 2 and more of it");
  });

  it("that deletes a session is seen", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "ses_1", at: AT });
    writeSession(database, { id: "ses_2", at: AT });
    const reading = await readIn(home);
    expect(reading.present).toEqual(["ses_1", "ses_2"]);
    database.prepare("DELETE FROM session WHERE id = 'ses_1'").run();
    await reading.read(opencode, homeIn(home));
    expect(reading.present).toEqual(["ses_2"]);
  });
});

describe("the tables of opencode's next version", () => {
  it("are read where a session is in them alone", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const row = (id: string, session: string, type: string, seq: number, data: Part) =>
      database
        .prepare("INSERT OR REPLACE INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(id, session, type, seq, AT + seq, AT + seq, JSON.stringify({ time: { created: AT + seq }, ...data }));
    writeSession(database, { id: "ses_1", at: AT });
    writeSession(database, { id: "ses_2", at: AT });
    writeTurn(database, "ses_2", "2", AT, [text("Of today")], [text("Yes")]);
    row("msg_x", "ses_2", "user", 1, { text: "Of today" });
    row("msg_1", "ses_1", "system", 1, { text: "You are helpful." });
    row("msg_2", "ses_1", "user", 2, { text: "Read it", files: [{ uri: "data:", mime: "image/png" }] });
    row("msg_3", "ses_1", "assistant", 3, {
      agent: "build",
      model: { id: "next-model", providerID: "stub" },
      content: [
        { type: "reasoning", id: "r", text: "Which one?" },
        {
          type: "tool",
          id: "c",
          name: "read",
          state: {
            status: "completed",
            input: { filePath: "/code/shop/a.ts" },
            content: [{ type: "text", text: "export {}" }],
            structured: {},
          },
          time: { created: AT },
        },
        { type: "text", id: "t", text: "It is empty." },
      ],
    });
    row("msg_4", "ses_1", "compaction", 4, { reason: "auto", summary: "They read it.", recent: "" });
    row("msg_5", "ses_1", "synthetic", 5, { text: "Continue." });
    row("msg_6", "ses_1", "shell", 6, { callID: "s", command: "ls", output: "a.ts" });
    row("msg_7", "ses_1", "hologram", 7, {});
    database
      .prepare("INSERT INTO session_input VALUES ('msg_8', 'ses_1', ?, 'queue', 8, NULL, ?)")
      .run(JSON.stringify({ text: "And then?" }), AT + 8);
    const reading = await readIn(home);
    expect(reading.prose("ses_1")).toEqual(["user: Read it\n\n[image]", "assistant: It is empty.", "user: And then?"]);
    expect(reading.prose("ses_2")).toEqual(["user: Of today", "assistant: Yes"]);
    const { facts, parts } = reading.conversation("ses_1");
    expect(facts.model).toBe("next-model");
    expect(parts.filter(({ kind }) => kind !== "prose").map(({ kind, text: said }) => [kind, said])).toEqual([
      ["thinking", "Which one?"],
      ["tool", 'read {"filePath":"/code/shop/a.ts"}\nexport {}'],
      ["summary", "They read it."],
      ["tool", "shell ls\na.ts"],
    ]);
    expect(reading.notices).toEqual({ "skipped: messages of an unknown type": 1 });
    row("msg_9", "ses_1", "user", 9, { text: "Wait" });
    await reading.read(opencode, homeIn(home));
    const changed = reading.events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []));
    expect(changed).toEqual(["And then?", "Wait"]);
  });
});

/** Files below the storage of 2025. */
function storageIn(home: string) {
  const storage = join(home, ".local/share/opencode/storage");
  const put = (path: string, value: unknown) => {
    mkdirSync(dirname(join(storage, path)), { recursive: true });
    writeFileSync(join(storage, path), typeof value === "string" ? value : JSON.stringify(value, null, 2));
  };
  const session = (id: string, more: object = {}) =>
    put(`session/p1/${id}.json`, {
      id,
      version: "1.0.150",
      projectID: "p1",
      directory: "/code/shop",
      title: `About ${id}`,
      time: { created: AT, updated: AT + 5000 },
      ...more,
    });
  const message = (of: string, id: string, at: number, data: object, parts: readonly Part[]) => {
    put(`message/${of}/${id}.json`, { id, sessionID: of, time: { created: at }, ...data });
    for (const [i, part] of parts.entries())
      put(`part/${id}/prt_${id}${i}.json`, { id: `prt_${id}${i}`, messageID: id, sessionID: of, ...part });
  };
  return { put, session, message };
}

describe("opencode's folder", () => {
  it("has databases of other channels, one that a variable names, and Kilo's is read by its own name", async () => {
    const home = temporaryFolder();
    for (const [i, path] of [
      DATABASE,
      ".local/share/opencode/opencode-dev.db",
      "elsewhere.db",
      ".local/share/kilo/kilo.db",
      ".local/share/kilo/opencode-next.db",
    ].entries()) {
      const database = opened(home, path);
      writeSession(database, { id: `ses_${i}`, at: AT });
      writeTurn(database, `ses_${i}`, String(i), AT, [text("Hello")], [text("Hi")]);
    }
    const own = { ...homeIn(home), environment: { OPENCODE_DB: join(home, "elsewhere.db") } };
    expect([...(await new Reading().read(opencode, own)).conversations.keys()].toSorted()).toEqual([
      "ses_0",
      "ses_1",
      "ses_2",
    ]);
    expect([...(await readIn(home, kilo)).conversations.keys()].toSorted()).toEqual(["ses_3", "ses_4"]);
  });

  it("has the files of older versions, which are read unless a database has the session", async () => {
    const home = temporaryFolder();
    const { put, session, message } = storageIn(home);
    session("ses_1", { revert: { messageID: "msg_3" } });
    message("ses_1", "msg_1", AT, userMessage(), [text("How?"), text("file", { synthetic: true })]);
    message("ses_1", "msg_2", AT + 1000, assistantMessage("msg_1"), [
      { type: "reasoning", text: "Hm", time: { start: AT } },
      {
        type: "tool",
        tool: "read",
        callID: "c",
        state: { status: "completed", input: { filePath: "a" }, output: "A" },
      },
      text("So."),
    ]);
    message("ses_1", "msg_3", AT + 2000, userMessage(), [text("Why?")]);
    session("ses_2", { parentID: "ses_1" });
    message("ses_2", "msg_4", AT + 500, userMessage(), [text("Look")]);
    session("ses_3");
    message("ses_3", "msg_5", AT, userMessage(), [text("Old text")]);
    put("message/ses_1/msg_6.json", "{ torn");
    const database = opened(home);
    writeSession(database, { id: "ses_3", at: AT });
    writeTurn(database, "ses_3", "5", AT, [text("New text")], [text("Yes")]);
    const reading = await readIn(home);
    expect(reading.prose("ses_1")).toEqual(["user: How?", "assistant: So.", "user: Why?"]);
    expect(reading.conversation("ses_1").parts.map(({ kind }) => kind)).toEqual([
      "prose",
      "subagent",
      "thinking",
      "tool",
      "prose",
      "prose",
    ]);
    expect(reading.conversation("ses_1").facts).toMatchObject({
      title: "About ses_1",
      folder: "/code/shop",
      model: "stub-model",
    });
    expect(reading.events).toContainEqual({
      kind: "abandoned",
      conversation: "ses_1",
      abandoned: { message: "msg_3" },
    });
    expect(reading.prose("ses_3")).toEqual(["user: New text", "assistant: Yes"]);
    expect(reading.notices).toEqual({ "unreadable: messages in a form that is not known": 1 });
    // A part that grows in place changes the stamp of its session.
    const stampOf = () => reading.transcripts.find(({ path }) => path.endsWith("ses_2.json"))!.stamp;
    const before = stampOf();
    put("part/msg_4/prt_msg_40.json", { id: "prt_msg_40", type: "text", text: "Look again" });
    await reading.read(opencode, homeIn(home));
    expect(stampOf()).not.toBe(before);
  });

  it("has forks in files, which have only what is new, whichever is read first", async () => {
    // Ids of sessions descend: a fork is listed before its original.
    for (const [original, copy, again] of [
      ["ses_c", "ses_b", "ses_a"],
      ["ses_a", "ses_b", "ses_c"],
    ] as const) {
      const home = temporaryFolder();
      const { session, message } = storageIn(home);
      const tool = { type: "tool", tool: "read", callID: "c", state: { status: "completed", input: {}, output: "A" } };
      const turn = (of: string, name: string, at: number, word: string) => {
        message(of, `msg_${name}1`, at, userMessage(), [text(word)]);
        message(of, `msg_${name}2`, at + 1000, assistantMessage(`msg_${name}1`), [tool, text(`${word}!`)]);
      };
      session("ses_other");
      turn("ses_other", "o", AT + 2, "Another");
      session(original);
      turn(original, "a", AT + 1, "One");
      // `fork` copies messages with their times, under new ids.
      session(copy, { time: { created: AT + 10_000, updated: AT + 20_000 } });
      turn(copy, "b", AT + 1, "One");
      turn(copy, "c", AT + 20_000, "Two");
      session(again, { time: { created: AT + 30_000, updated: AT + 40_000 } });
      turn(again, "d", AT + 1, "One");
      turn(again, "e", AT + 20_000, "Two");
      turn(again, "f", AT + 40_000, "Three");
      const read = storedIn(home, opencode);
      expect((await read(original)).prose).toEqual(["One", "One!"]);
      expect(await read(copy)).toMatchObject({ found: { continues: original, messages: 2 }, prose: ["Two", "Two!"] });
      expect(await read(again)).toMatchObject({ found: { continues: copy, messages: 2 }, prose: ["Three", "Three!"] });
      expect((await read("ses_other")).prose).toEqual(["Another", "Another!"]);
    }
  });
});
