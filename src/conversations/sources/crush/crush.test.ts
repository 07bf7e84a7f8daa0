// What Crush's sessions hold beside prompts and answers, written as its published
// code writes them (test/program-stores/crush.ts).
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import {
  finish,
  openCrush,
  reasoning,
  text,
  toolCall,
  toolResult,
  writeMessage,
  writeProjects,
  writeSession,
  type CrushMessage,
} from "../../../../test/program-stores/crush.ts";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { crush } from "./crush.ts";

const AT = Date.UTC(2026, 7, 1, 12);

/** The database of a project `shop` in a home that lists it. */
function opened(home: string) {
  const folder = join(home, "shop");
  writeProjects(home, [folder]);
  const database = openCrush(join(folder, ".crush", "crush.db"));
  atTheEnd(() => database.isOpen && database.close());
  return database;
}

async function readIn(home: string): Promise<Reading> {
  return new Reading().read(crush, homeIn(home));
}

describe("Crush's messages", () => {
  it("are told apart by the types of their parts", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "s1", at: AT, title: "Look at it" });
    const put = (id: string, role: CrushMessage["role"], ...parts: object[]) =>
      writeMessage(database, "s1", { id, role, at: AT, parts });
    const binary = (MIMEType: string) => ({ type: "binary", data: { Path: "a", MIMEType, Data: "AAAA" } });
    put("m0", "system", text("You are helpful"));
    put("m1", "user", text("Look at it"), binary("image/png"), binary("text/plain"), finish("stop"));
    put(
      "m2",
      "assistant",
      reasoning("Hm"),
      toolCall("c1", "view", { file_path: "/code/shop/a.ts" }),
      finish("tool_use"),
    );
    put("m3", "tool", toolResult("c1", "view", "No such file", true), finish("stop"));
    put("m4", "assistant", text("It is not there."), { type: "hologram", data: {} }, finish("end_turn"));
    put("m5", "user", { type: "shell_command", data: { command: "ls", output: "b.ts", exit_code: 0 } }, finish("stop"));
    const reading = await readIn(home);
    const { parts, facts } = reading.conversation("s1");
    expect(parts.map(({ role, kind, text: said, tool }) => [role, kind, said, tool])).toEqual([
      ["user", "prose", "Look at it", undefined],
      ["user", "prose", "[image]", undefined],
      ["assistant", "thinking", "Hm", undefined],
      ["assistant", "tool", 'view {"file_path":"/code/shop/a.ts"}', "view"],
      ["assistant", "tool", "(error) No such file", "view"],
      ["assistant", "prose", "It is not there.", undefined],
      ["user", "tool", "shell ls\nb.ts", "shell"],
    ]);
    expect(parts[3]!.files).toEqual(["/code/shop/a.ts"]);
    expect(facts).toMatchObject({
      title: "Look at it",
      folder: join(home, "shop"),
      model: "stub-model",
      created: { at: AT, known: "stored" },
    });
    expect(reading.notices).toEqual({ "skipped: parts of messages of an unknown type": 1 });
    const conversations = openStore(home, [crush], join(home, "conversations.db"));
    const { answer } = await conversations.recall({ limit: 1 }, { complete: true });
    expect(answer.conversations[0]).toMatchObject({ messages: 2 });
  });

  it("that sum a session up are summaries, in versions that mark only the last of them too", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    writeSession(database, { id: "s1", at: AT, summary: "m3" });
    const put = (id: string, at: number, more: Partial<CrushMessage>, ...parts: object[]) =>
      writeMessage(database, "s1", { id, role: "assistant", at: AT + at, parts, ...more });
    put("m1", 0, { role: "user" }, text("Go on"));
    put("m2", 1000, { isSummary: true, model: "large" }, reasoning("What was it?"), text("They asked to go on."));
    put("m3", 2000, { model: "large" }, text("They asked again."));
    put("m4", 3000, {}, text("Gone."));
    const { parts, facts } = (await readIn(home)).conversation("s1");
    expect(parts.map(({ kind }) => kind)).toEqual(["prose", "thinking", "summary", "summary", "prose"]);
    expect(facts.model).toBe("stub-model");
    expect(facts.title).toBeUndefined();
  });

  it("of sub-agents belong to the session that started them; those that find a title are left out", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    const turn = (session: string, at: number, ask: string, say: string) => {
      writeMessage(database, session, { id: `${session}a`, role: "user", at: AT + at, parts: [text(ask)] });
      writeMessage(database, session, { id: `${session}b`, role: "assistant", at: AT + at + 5000, parts: [text(say)] });
    };
    writeSession(database, { id: "s1", at: AT });
    writeSession(database, { id: "m2$$call_1", at: AT, parent: "s1", title: "New Agent Session" });
    writeSession(database, { id: "m3$$call_2", at: AT, parent: "m2$$call_1" });
    writeSession(database, { id: "title-s1", at: AT, parent: "s1" });
    writeSession(database, { id: "x1", at: AT, parent: "x2" });
    writeSession(database, { id: "x2", at: AT, parent: "x1" });
    turn("s1", 0, "Ask a helper", "It says so.");
    turn("m2$$call_1", 1000, "Look", "Seen.");
    turn("m3$$call_2", 2000, "Look deeper", "Seen more.");
    turn("title-s1", 0, "Find a title", "Helpers");
    turn("x1", 0, "In a circle", "Yes");
    const reading = await readIn(home);
    expect([...reading.conversations.keys()]).toEqual(["s1"]);
    expect(reading.conversation("s1").parts.map(({ kind, text: said }) => `${kind}: ${said}`)).toEqual([
      "prose: Ask a helper",
      "subagent: Look",
      "subagent: Look deeper",
      "prose: It says so.",
      "subagent: Seen.",
      "subagent: Seen more.",
    ]);
    expect(reading.present).toEqual(["s1"]);
  });

  it("are read again only if they have changed, in place and within one second too", async () => {
    const home = temporaryFolder();
    const database = opened(home);
    for (const id of ["s1", "s2"]) {
      writeSession(database, { id, at: AT });
      for (let i = 0; i < 3; i++) {
        const at = AT + i * 10_000;
        writeMessage(database, id, { id: `${id}u${i}`, role: "user", at, parts: [text(`Ask ${i}`)] });
        writeMessage(database, id, { id: `${id}a${i}`, role: "assistant", at: at + 1000, parts: [text(`Say ${i}`)] });
      }
    }
    const reading = await readIn(home);
    const texts = () => reading.events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []));
    expect(texts()).toHaveLength(12);
    const grow = async (said: string, updated: number) => {
      writeMessage(database, "s2", { id: "s2a2", role: "assistant", at: AT, parts: [text(said)], updated });
      await reading.read(crush, homeIn(home));
      return texts();
    };
    expect(await grow("Say 2 and", AT + 30_000)).toEqual(["Say 2 and"]);
    expect(await grow("Say 2 and more", AT + 30_100)).toEqual(["Say 2 and more"]);
    expect(await grow("Say 2 and more of it", AT)).toContain("Say 2 and more of it");
    expect(reading.prose("s2").at(-1)).toBe("assistant: Say 2 and more of it");
    writeSession(database, { id: "s1", at: AT, title: "Renamed" });
    await reading.read(crush, homeIn(home));
    expect(texts()).toEqual([]);
    expect(reading.conversation("s1").facts.title).toBe("Renamed");
    database.prepare("DELETE FROM sessions WHERE id = 's1'").run();
    await reading.read(crush, homeIn(home));
    expect(reading.present).toEqual(["s2"]);
  });

  it("in tables of its first version are read, and what is damaged is counted", async () => {
    const home = temporaryFolder();
    writeProjects(home, [join(home, "shop")]);
    mkdirSync(join(home, "shop", ".crush"), { recursive: true });
    const database = new DatabaseSync(join(home, "shop", ".crush", "crush.db"));
    atTheEnd(() => database.close());
    database.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
        updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL);
      CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
        parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
      INSERT INTO sessions VALUES ('s1', NULL, 'Old', ${AT}, ${AT})`);
    const put = (id: string, parts: string) =>
      database.prepare("INSERT INTO messages VALUES (?, 's1', 'user', ?, NULL, ?, ?)").run(id, parts, AT, AT);
    put("m1", JSON.stringify([text("Hello")]));
    put("m2", '[{"type":');
    put("m3", JSON.stringify([text("again"), null, 5, { type: "text", data: "x" }]));
    const reading = await readIn(home);
    expect(reading.prose("s1")).toEqual(["user: Hello", "user: again"]);
    expect(reading.notices).toEqual({ "unreadable: messages that are no JSON, or larger than 64 MB": 1 });
  });
});

describe("Crush's list of projects", () => {
  const places = (home: ReturnType<typeof homeIn>) =>
    [...crush.find(home)].flatMap((one) => (one.kind === "looked" ? [one.place.replaceAll("\\", "/")] : []));

  it("is in its data folder, on every system, or where a variable says", () => {
    expect(places({ ...homeIn("/home/dev"), systems: ["darwin", "win32", "linux"] })).toEqual([
      "/home/dev/.local/share/crush/projects.json",
      "/home/dev/AppData/Local/crush/projects.json",
    ]);
    expect(places({ ...homeIn("/home/dev"), environment: { CRUSH_GLOBAL_DATA: "/data" } })).toEqual([
      "/data/projects.json",
    ]);
  });

  it("names the project of a database elsewhere, unless several share it", async () => {
    const home = temporaryFolder();
    const write = (data: string, id: string) => {
      const database = openCrush(join(data, "crush.db"));
      writeSession(database, { id, at: AT });
      writeMessage(database, id, { id: `${id}a`, role: "user", at: AT, parts: [text("Hi")] });
      database.close();
    };
    const [own, shared] = [join(home, "data", "own"), join(home, "data", "shared")];
    write(own, "s1");
    write(shared, "s2");
    const projects = [
      { path: join(home, "shop"), data_dir: own },
      { path: join(home, "api"), data_dir: shared },
      { path: join(home, "web"), data_dir: shared },
    ];
    mkdirSync(join(home, ".local/share/crush"), { recursive: true });
    writeFileSync(join(home, ".local/share/crush/projects.json"), JSON.stringify({ projects }));
    const reading = await readIn(home);
    expect(reading.conversation("s1").facts.folder).toBe(join(home, "shop"));
    expect(reading.conversation("s2").facts.folder).toBeUndefined();
  });

  it("names databases elsewhere, some of several projects, and is not taken for empty when it is torn", () => {
    const home = temporaryFolder();
    const list = join(home, ".local/share/crush/projects.json");
    const shared = join(home, "state");
    openCrush(join(shared, "crush.db")).close();
    openCrush(join(home, "shop", ".crush", "crush.db")).close();
    writeProjects(home, []);
    const projects = [
      { path: join(home, "api"), data_dir: shared },
      { path: join(home, "web"), data_dir: shared },
      { path: join(home, "shop") },
      { path: join(home, "gone"), data_dir: join(home, "gone", ".crush") },
      { path: 5, data_dir: null },
      "no project",
    ];
    writeFileSync(list, JSON.stringify({ projects }));
    const found = () =>
      [...crush.find(homeIn(home))].flatMap((one) => (one.kind === "transcript" ? [one.transcript.path] : []));
    expect(found()).toEqual([join(shared, "crush.db"), join(home, "shop", ".crush", "crush.db")]);
    writeFileSync(list, '{"projects": [');
    expect([...crush.find(homeIn(home))]).toContainEqual({
      kind: "unreadable",
      place: "",
      count: 1,
      reason: "its list of projects, projects.json",
    });
  });
});
