// Goose's sessions.db of schema version 9, by session_manager.rs of April 2026:
// its statements, and messages as conversation/message.rs serializes them.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { derivedId, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const GOOSE_DATABASE = ".local/share/goose/sessions/sessions.db";

export const gooseStore: ProgramStore = {
  lacks: ["branch"],
  write(home, conversations) {
    const database = openGoose(join(home, GOOSE_DATABASE));
    database.exec("BEGIN");
    for (const [i, made] of conversations.entries()) {
      const id = `20261001_${i + 1}`;
      const { folder, title, model, turns } = made;
      writeSession(database, { id, at: turns[0]!.at, folder, name: title, model, updated: turns.at(-1)!.at });
      const known = database.prepare("SELECT count(*) AS n FROM messages WHERE session_id = ?").get(id)!["n"] as number;
      for (const message of messagesOf(made).slice(known)) writeMessage(database, id, message);
    }
    database.exec("COMMIT");
    database.close();
  },
};

export function openGoose(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    INSERT OR IGNORE INTO schema_version (version) VALUES (9);
    CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
      user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
      created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
      extension_data TEXT DEFAULT '{}', total_tokens INTEGER, schedule_id TEXT, recipe_json TEXT,
      user_recipe_values_json TEXT, provider_name TEXT, model_config_json TEXT, goose_mode TEXT NOT NULL DEFAULT 'auto');
    CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT,
      session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL,
      created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
    CREATE INDEX IF NOT EXISTS idx_messages_session ON messages(session_id);`);
  return database;
}

/** As SQLite's datetime('now') writes it. */
const sqlTime = (at: number) => new Date(at).toISOString().slice(0, 19).replace("T", " ");

interface SessionValues {
  readonly id: string;
  readonly at: number;
  readonly updated?: number;
  readonly folder?: string;
  readonly name?: string;
  readonly isNamed?: boolean;
  readonly type?: string;
  readonly model?: string;
}

export function writeSession(
  database: DatabaseSync,
  { id, at, updated = at, folder = "/code/shop", name = "CLI Session", isNamed, type = "user", model }: SessionValues,
): void {
  database
    .prepare(
      `INSERT INTO sessions (id, name, user_set_name, session_type, working_dir, created_at, updated_at, provider_name,
         model_config_json) VALUES (?, ?, ?, ?, ?, ?, ?, 'anthropic', ?)
       ON CONFLICT DO UPDATE SET name = excluded.name, user_set_name = excluded.user_set_name,
         updated_at = excluded.updated_at`,
    )
    .run(
      id,
      name,
      Number(isNamed ?? false),
      type,
      folder,
      sqlTime(at),
      sqlTime(updated),
      JSON.stringify({ model_name: model ?? "stub-model", context_limit: null, toolshim: false }),
    );
}

export interface GooseMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly at: number;
  readonly content: readonly object[];
  readonly metadata?: { readonly userVisible: boolean; readonly agentVisible: boolean };
}

export function writeMessage(
  database: DatabaseSync,
  session: string,
  { id, role, at, content, metadata }: GooseMessage,
): void {
  database
    .prepare(
      `INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      session,
      role,
      JSON.stringify(content),
      Math.floor(at / 1000),
      JSON.stringify(metadata ?? { userVisible: true, agentVisible: true }),
    );
}

export const text = (said: string): object => ({ type: "text", text: said });

export const toolRequest = (id: string, name: string, args: object): object => ({
  type: "toolRequest",
  id,
  toolCall: { status: "success", value: { name, arguments: args } },
});

/** @param meta what the tool says to the program: `delegate` names the session of the sub-agent */
export const toolResponse = (id: string, output: string, meta?: object): object => ({
  type: "toolResponse",
  id,
  toolResult: {
    status: "success",
    value: { content: [{ type: "text", text: output }], isError: false, ...(meta !== undefined && { _meta: meta }) },
  },
});

function messagesOf({ id, turns }: MadeConversation): GooseMessage[] {
  return turns.flatMap(({ at, prompt, thinking, tool, answer }, i): GooseMessage[] => {
    const messageId = (name: string) => `msg_${derivedId(id, i, name)}`;
    const call = toolRequest(`call_${i}`, "developer__text_editor", { command: "view", path: tool.file });
    return [
      { id: messageId("asked"), role: "user", at, content: [text(prompt)] },
      {
        id: messageId("called"),
        role: "assistant",
        at,
        content: [{ type: "thinking", thinking, signature: "s" }, call],
      },
      { id: messageId("gave"), role: "user", at, content: [toolResponse(`call_${i}`, tool.output)] },
      { id: messageId("answered"), role: "assistant", at: at + 1000, content: [text(answer)] },
    ];
  });
}
