// Programs that keep sessions in an SQLite database: tables and values as
// descriptions of them have them.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isoTime, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

/** A store in one database, whose rows are replaced when it is written again. */
function databaseStore(
  path: string,
  lacks: NonNullable<ProgramStore["lacks"]>,
  tables: string,
  fill: (database: DatabaseSync, made: MadeConversation) => void,
): ProgramStore {
  return {
    lacks,
    write(home, conversations) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      const database = new DatabaseSync(join(home, path));
      database.exec(`PRAGMA journal_mode = WAL; ${tables}; BEGIN`);
      for (const made of conversations) fill(database, made);
      database.exec("COMMIT");
      database.close();
    },
  };
}

const callId = ({ id }: MadeConversation, at: number) => `call_${at}_${id.slice(0, 8)}`;

export const kiroStore = databaseStore(
  ".local/share/kiro-cli/data.sqlite3",
  ["branch", "model", "thinking", "title"],
  `CREATE TABLE IF NOT EXISTS conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL,
     created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));
   CREATE TABLE IF NOT EXISTS auth_kv (key TEXT PRIMARY KEY, value TEXT)`,
  (database, made) => {
    const history = made.turns.flatMap((turn, at) => {
      const env_context = { env_state: { current_working_directory: made.folder } };
      const call = { id: callId(made, at), name: "fs_read", args: { path: turn.tool.file } };
      const result = { tool_use_id: call.id, content: [{ Text: turn.tool.output }], status: "Success" };
      return [
        {
          user: { env_context, content: { Prompt: { prompt: turn.prompt } }, timestamp: isoTime(turn.at) },
          assistant: { ToolUse: { message_id: `t${at}`, content: "", tool_uses: [call] } },
          request_metadata: { stream_end_timestamp_ms: turn.at + 300 },
        },
        {
          user: {
            env_context,
            content: { ToolUseResults: { tool_use_results: [result] } },
            timestamp: isoTime(turn.at + 400),
          },
          assistant: { Response: { message_id: `a${at}`, content: turn.answer } },
          request_metadata: { stream_end_timestamp_ms: turn.at + 1000 },
        },
      ];
    });
    const value = JSON.stringify({ conversation_id: made.id, history });
    database
      .prepare("INSERT OR REPLACE INTO conversations_v2 VALUES (?, ?, ?, ?, ?)")
      .run(made.folder, made.id, value, made.turns[0]!.at, made.turns.at(-1)!.at);
  },
);

function forgeText(role: string, content: string, more: object): object {
  return { message: { text: { role, content, ...more } } };
}

export const forgeStore = databaseStore(
  ".forge/.forge.db",
  ["branch"],
  `CREATE TABLE IF NOT EXISTS conversations (conversation_id TEXT PRIMARY KEY, title TEXT, workspace_id BIGINT,
     context TEXT, created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP, metrics TEXT)`,
  (database, made) => {
    const messages = made.turns.flatMap((turn, at) => {
      const timestamp = (later: number) => ({ timestamp: isoTime(turn.at + later) });
      const call = { name: "read", call_id: callId(made, at), arguments: { path: turn.tool.file } };
      const reasoning_details = [{ text: turn.thinking }];
      const output = { is_error: false, values: [{ text: turn.tool.output }] };
      return [
        forgeText("User", `<task>${turn.prompt}</task>`, { raw_content: { Text: turn.prompt }, ...timestamp(0) }),
        forgeText("Assistant", "", { tool_calls: [call], reasoning_details, model: made.model, ...timestamp(300) }),
        { message: { tool: { name: "read", call_id: call.call_id, output } } },
        forgeText("Assistant", turn.answer, { model: made.model, ...timestamp(1000) }),
      ];
    });
    const system = `<current_working_directory>${made.folder}</current_working_directory>`;
    const context = JSON.stringify({ messages: [forgeText("System", system, {}), ...messages] });
    const [created, updated] = [made.turns[0]!.at, made.turns.at(-1)!.at].map((at) =>
      isoTime(at).slice(0, 23).replace("T", " "),
    );
    database
      .prepare("INSERT OR REPLACE INTO conversations VALUES (?, ?, 1, ?, ?, ?, NULL)")
      .run(made.id, made.title, context, created!, updated!);
  },
);

export const hermesStore = databaseStore(
  ".hermes/state.db",
  ["branch", "folder"],
  `CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, parent_session_id TEXT,
     started_at REAL NOT NULL, ended_at REAL, title TEXT);
   CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
     content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, reasoning TEXT)`,
  (database, made) => {
    const [first, last] = [made.turns[0]!.at / 1000, made.turns.at(-1)!.at / 1000];
    database
      .prepare("INSERT OR REPLACE INTO sessions VALUES (?, 'cli', ?, NULL, ?, ?, ?)")
      .run(made.id, made.model, first, last, made.title);
    const known = database.prepare("SELECT count(*) AS count FROM messages WHERE session_id = ?").get(made.id)!;
    const messages = made.turns.flatMap((turn, at): (string | number | null)[][] => {
      const id = callId(made, at);
      const called = { name: "read_file", arguments: JSON.stringify({ path: turn.tool.file }) };
      const seconds = (later: number) => (turn.at + later) / 1000;
      return [
        ["user", turn.prompt, null, null, null, seconds(0), null],
        ["assistant", "", null, JSON.stringify([{ id, function: called }]), null, seconds(300), turn.thinking],
        ["tool", turn.tool.output, id, null, "read_file", seconds(400), null],
        ["assistant", turn.answer, null, null, null, seconds(1000), null],
      ];
    });
    const columns = "session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning";
    for (const values of messages.slice(Number(known["count"])))
      database.prepare(`INSERT INTO messages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(made.id, ...values);
  },
);

export const warpStore = databaseStore(
  ".local/state/warp-terminal/warp.sqlite",
  ["answers", "branch", "files", "thinking", "title", "tools"],
  `CREATE TABLE IF NOT EXISTS ai_queries (id INTEGER PRIMARY KEY, exchange_id TEXT NOT NULL UNIQUE,
     conversation_id TEXT NOT NULL, start_ts DATETIME NOT NULL, input TEXT NOT NULL, working_directory TEXT,
     output_status TEXT NOT NULL, model_id TEXT NOT NULL DEFAULT '')`,
  (database, made) => {
    for (const [at, turn] of made.turns.entries())
      database
        .prepare(
          "INSERT OR REPLACE INTO ai_queries VALUES ((SELECT id FROM ai_queries WHERE exchange_id = ?1), ?1, ?2, ?3, ?4, ?5, 'Completed', ?6)",
        )
        .run(
          `${made.id}-${at}`,
          made.id,
          isoTime(turn.at).slice(0, 23).replace("T", " "),
          JSON.stringify([{ Query: { text: turn.prompt, context: [] } }]),
          made.folder,
          made.model,
        );
  },
);

function seconds(at: number): number {
  return Math.floor(at / 1000);
}

export const devinStore = databaseStore(
  ".local/share/devin/cli/sessions.db",
  ["branch"],
  `CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, title TEXT, working_directory TEXT, model TEXT,
     created_at INTEGER, last_activity_at INTEGER, hidden INTEGER);
   CREATE TABLE IF NOT EXISTS message_nodes (row_id INTEGER PRIMARY KEY, session_id TEXT, node_id INTEGER,
     parent_node_id INTEGER, chat_message TEXT, created_at INTEGER, UNIQUE (session_id, node_id))`,
  (database, made) => {
    const [first, last] = [seconds(made.turns[0]!.at), seconds(made.turns.at(-1)!.at)];
    database
      .prepare("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, 0)")
      .run(made.id, made.title, made.folder, made.model, first, last);
    let node = 0;
    for (const [at, turn] of made.turns.entries()) {
      const called = { name: "read_file", arguments: JSON.stringify({ file_path: turn.tool.file }) };
      for (const message of [
        { role: "user", content: turn.prompt },
        {
          role: "assistant",
          content: "",
          thinking: turn.thinking,
          tool_calls: [{ id: callId(made, at), function: called }],
        },
        { role: "tool", content: turn.tool.output, tool_call_id: callId(made, at) },
        { role: "assistant", content: turn.answer },
      ])
        database
          .prepare(
            "INSERT OR REPLACE INTO message_nodes (session_id, node_id, chat_message, created_at) VALUES (?, ?, ?, ?)",
          )
          .run(made.id, ++node, JSON.stringify(message), seconds(turn.at));
    }
  },
);
