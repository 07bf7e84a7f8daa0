// The tokens of conversations as each program counts them: what the store makes of
// one prompt and its answer in the form of the program.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { COUNTED, TIME } from "../../../test/program-stores/counted-tokens.ts";
import { GOOSE_DATABASE, openGoose, text, writeMessage, writeSession } from "../../../test/program-stores/goose.ts";
import { agentMessage, openZed, userMessage, writeThread, ZED_DATABASE } from "../../../test/program-stores/zed.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Conversations } from "../conversation-library.ts";
import type { Tokens } from "./source.ts";
import { loadSources } from "./sources.ts";

const SOURCES = await loadSources();

async function tokensOf(conversations: Conversations, id: string): Promise<Tokens | undefined> {
  await conversations.recall({ limit: 10 }, { complete: true, withTools: true });
  return conversations.tokens(await conversations.find(id, { complete: true, withTools: true }));
}

describe("the tokens of a conversation", () => {
  it.each(COUNTED.map((one) => ({ ...one, of: [one.source, one.what].filter((word) => word).join(", ") })))(
    "are read from $of, and not counted twice when the file is read again",
    async ({ source, files, tokens }) => {
      const home = temporaryFolder();
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), content);
      }
      const store = openStore(home, SOURCES);
      const { answer: found } = await store.recall({ limit: 10, since: 0 }, { complete: true, withTools: true });
      expect(found.conversations.map((one) => one.source)).toEqual([source]);
      expect(store.tokens(found.conversations[0]!)).toEqual(tokens);
      await store.refresh({ rebuild: true });
      const { answer: again } = await store.recall({ limit: 10, since: 0 }, { complete: true, withTools: true });
      expect(store.tokens(again.conversations[0]!)).toEqual(tokens);
    },
  );

  it("of Zed are the sum that the thread keeps, with that of its sub-agents", async () => {
    const home = temporaryFolder();
    const database = openZed(join(home, ZED_DATABASE));
    const usage = {
      input_tokens: 200,
      output_tokens: 42,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 900,
    };
    const messages = [userMessage("u1", { Text: "Explain otters" }), agentMessage([{ Text: "They swim." }])];
    const thread = { title: "Otters", messages, cumulative_token_usage: usage };
    writeThread(database, { id: "one", at: Date.parse(TIME), thread });
    writeThread(database, { id: "two", at: Date.parse(TIME), thread, parent: "one" });
    database.close();
    expect(await tokensOf(openStore(home, SOURCES), "one")).toEqual({ input: 2400, output: 84, cached: 1800 });
  });

  it("of Goose are the sum that the session keeps", async () => {
    const home = temporaryFolder();
    const database = openGoose(join(home, GOOSE_DATABASE));
    writeSession(database, { id: "20260115_1", at: Date.parse(TIME) });
    writeMessage(database, "20260115_1", {
      id: "m",
      role: "user",
      at: Date.parse(TIME),
      content: [text("Explain otters")],
    });
    database.exec(`ALTER TABLE sessions ADD COLUMN accumulated_input_tokens INTEGER;
      ALTER TABLE sessions ADD COLUMN accumulated_output_tokens INTEGER;
      UPDATE sessions SET accumulated_input_tokens = 1200, accumulated_output_tokens = 42`);
    database.close();
    const store = openStore(home, SOURCES);
    expect(await tokensOf(store, "20260115_1")).toEqual({ input: 1200, output: 42, cached: 0 });
  });

  it("of opencode's database are those of all sessions that belong to it, without what a fork copied", async () => {
    const home = temporaryFolder();
    const folder = join(home, ".local/share/opencode");
    mkdirSync(folder, { recursive: true });
    const database = new DatabaseSync(join(folder, "opencode.db"));
    database.exec(`
      CREATE TABLE session (id TEXT, parent_id TEXT, project_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`);
    const begin = 1_768_471_200_000;
    const add = (session: string, id: string, at: number, role: string, text: string, input = 0) => {
      const tokens = { input, output: 10, reasoning: 1, cache: { read: 5, write: 0 } };
      const data = { role, time: { created: begin + at }, ...(input > 0 && { tokens }) };
      database
        .prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)")
        .run(id, session, begin + at, begin + at, JSON.stringify(data));
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)")
        .run(`prt_${id}`, id, session, begin + at, begin + at, JSON.stringify({ type: "text", text }));
    };
    const session = (id: string, parent: string | null, at: number) =>
      database
        .prepare("INSERT INTO session VALUES (?, ?, 'project', '/code', ?, ?, ?)")
        .run(id, parent, id, begin + at, begin + at);
    session("ses_1", null, 0);
    add("ses_1", "msg_1", 0, "user", "Explain otters");
    add("ses_1", "msg_2", 10, "assistant", "They swim.", 100);
    session("ses_2", "ses_1", 20);
    add("ses_2", "msg_3", 21, "user", "Find otters");
    add("ses_2", "msg_4", 22, "assistant", "Found.", 1000);
    session("ses_3", null, 100_000);
    add("ses_3", "msg_5", 0, "user", "Explain otters");
    add("ses_3", "msg_6", 10, "assistant", "They swim.", 100);
    add("ses_3", "msg_7", 100_001, "user", "And seals?");
    add("ses_3", "msg_8", 100_002, "assistant", "Too.", 7);
    const store = openStore(home, SOURCES);
    expect(await tokensOf(store, "ses_1")).toEqual({ input: 1110, output: 22, cached: 10 });
    expect(await tokensOf(store, "ses_3")).toEqual({ input: 12, output: 11, cached: 5 });
    add("ses_2", "msg_9", 30, "assistant", "More.", 10_000);
    database.close();
    expect(await tokensOf(store, "ses_1")).toEqual({ input: 11_115, output: 33, cached: 15 });
  });
});
