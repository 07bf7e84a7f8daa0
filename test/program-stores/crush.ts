// Crush's databases, one in each project, by its migrations and by message.go of
// August 2026, and the list of projects in its data folder.
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { derivedId, isoTime, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const crushStore: ProgramStore = {
  // The folder is that of the database, which cannot be anywhere here.
  lacks: ["branch", "folder"],
  write(home, conversations) {
    const folders = conversations.map(({ folder }) => join(home, "code", basename(folder)));
    writeProjects(home, folders);
    for (const [i, made] of conversations.entries()) {
      const database = openCrush(join(folders[i]!, ".crush", "crush.db"));
      database.exec("BEGIN");
      writeSession(database, { id: made.id, at: made.turns[0]!.at, title: made.title });
      for (const message of messagesOf(made)) writeMessage(database, made.id, { model: made.model, ...message });
      database.exec("COMMIT");
      database.close();
    }
  },
};

export function writeProjects(home: string, folders: readonly string[]): void {
  const projects = folders.map((path) => ({
    path,
    data_dir: join(path, ".crush"),
    last_accessed: isoTime(Date.UTC(2026, 9, 2)),
  }));
  writeStoreFile(join(home, ".local/share/crush/projects.json"), JSON.stringify({ projects }, null, 2));
}

export function openCrush(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
      message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0), prompt_tokens INTEGER NOT NULL DEFAULT 0,
      completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0, updated_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
    CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
      parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL,
      FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE);
    CREATE INDEX IF NOT EXISTS idx_messages_session_id ON messages (session_id);`);
  return database;
}

/** Times are whole seconds, though the comments of the tables say milliseconds. */
const seconds = (at: number) => Math.floor(at / 1000);

interface SessionValues {
  readonly id: string;
  readonly at: number;
  readonly title?: string;
  readonly parent?: string;
  readonly summary?: string;
}

export function writeSession(
  database: DatabaseSync,
  { id, at, title = "New Session", parent, summary }: SessionValues,
): void {
  database
    .prepare(
      `INSERT INTO sessions (id, parent_session_id, title, updated_at, created_at, summary_message_id)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET title = excluded.title,
         summary_message_id = excluded.summary_message_id`,
    )
    .run(id, parent ?? null, title, seconds(at), seconds(at), summary ?? null);
}

export interface CrushMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly at: number;
  readonly parts: readonly object[];
  readonly updated?: number;
  readonly model?: string;
  readonly isSummary?: boolean;
}

export function writeMessage(database: DatabaseSync, session: string, message: CrushMessage): void {
  const { id, role, at, parts, updated = at, model = "stub-model", isSummary = false } = message;
  database
    .prepare(
      `INSERT INTO messages (id, session_id, role, parts, model, provider, is_summary_message, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 'anthropic', ?, ?, ?)
       ON CONFLICT DO UPDATE SET parts = excluded.parts, updated_at = excluded.updated_at`,
    )
    .run(id, session, role, JSON.stringify(parts), model, Number(isSummary), seconds(at), seconds(updated));
}

export const text = (said: string): object => ({ type: "text", data: { text: said } });

export const reasoning = (thinking: string): object => ({
  type: "reasoning",
  data: { thinking, signature: "", thought_signature: "", tool_id: "", responses_data: null },
});

export const toolCall = (id: string, name: string, input: object): object => ({
  type: "tool_call",
  data: { id, name, input: JSON.stringify(input), provider_executed: false, finished: true },
});

export const toolResult = (tool_call_id: string, name: string, content: string, is_error = false): object => ({
  type: "tool_result",
  data: { tool_call_id, name, content, data: "", mime_type: "", metadata: "", is_error },
});

export const finish = (reason: string, at = 0): object => ({ type: "finish", data: { reason, time: seconds(at) } });

function messagesOf({ id, turns }: MadeConversation): CrushMessage[] {
  return turns.flatMap(({ at, prompt, thinking, tool, answer }, i): CrushMessage[] => [
    { id: derivedId(id, i, "asked"), role: "user", at, parts: [text(prompt), finish("stop")] },
    {
      id: derivedId(id, i, "called"),
      role: "assistant",
      at,
      parts: [reasoning(thinking), toolCall(`call_${i}`, "view", { file_path: tool.file }), finish("tool_use", at)],
    },
    {
      id: derivedId(id, i, "gave"),
      role: "tool",
      at,
      parts: [toolResult(`call_${i}`, "view", `<file>\n${tool.output}\n</file>`), finish("stop")],
    },
    {
      id: derivedId(id, i, "answered"),
      role: "assistant",
      at: at + 1000,
      parts: [text(answer), finish("end_turn", at + 1000)],
    },
  ]);
}
