// The database of opencode 1.18 and of Kilo CLI 7.7: the same tables. The
// statements are those of its migrations, the values those of its projector and
// of its schema of sessions, messages and parts.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { derivedId, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const opencodeStore = storeIn(".local/share/opencode/opencode.db");
export const kiloStore = storeIn(".local/share/kilo/kilo.db");
export const mimocodeStore = storeIn(".local/share/mimocode/mimocode.db");

function storeIn(path: string): ProgramStore {
  return {
    lacks: ["branch"],
    write(home, conversations) {
      const database = openOpencode(join(home, path));
      database.exec("BEGIN");
      for (const conversation of conversations) writeConversation(database, conversation);
      database.exec("COMMIT");
      database.close();
    },
  };
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text,
    time_created integer NOT NULL, time_updated integer NOT NULL, sandboxes text NOT NULL);
  CREATE TABLE IF NOT EXISTS account (id text PRIMARY KEY, email text NOT NULL, url text NOT NULL,
    access_token text NOT NULL, refresh_token text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text,
    slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
    summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text,
    cost real DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text,
    time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer);
  CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY,
    session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY,
    message_id text NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS session_message (id text PRIMARY KEY,
    session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE, type text NOT NULL, seq integer NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS session_input (id text PRIMARY KEY,
    session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE, prompt text NOT NULL, delivery text NOT NULL,
    admitted_seq integer NOT NULL, promoted_seq integer, time_created integer NOT NULL);
  CREATE INDEX IF NOT EXISTS message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX IF NOT EXISTS part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX IF NOT EXISTS part_session_idx ON part (session_id);`;

export function openOpencode(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; ${TABLES}`);
  return database;
}

type Values = Readonly<Record<string, unknown>>;

export interface SessionValues {
  readonly id: string;
  readonly at: number;
  readonly title?: string;
  readonly directory?: string;
  readonly project?: string;
  readonly parent?: string;
  readonly revert?: object;
}

export function writeSession(
  database: DatabaseSync,
  { id, at, title, directory = "/code/shop", project = "p1", parent, revert }: SessionValues,
): void {
  database
    .prepare(
      `INSERT INTO session (id, project_id, parent_id, slug, directory, path, title, version, permission, agent,
         time_created, time_updated, revert) VALUES (?, ?, ?, 'brave-engine', ?, '', ?, '1.18.33', '[]', 'build', ?, ?, ?)
       ON CONFLICT DO UPDATE SET title = excluded.title, directory = excluded.directory, revert = excluded.revert,
         time_updated = excluded.time_updated`,
    )
    .run(
      id,
      project,
      parent ?? null,
      directory,
      title ?? `New session - ${new Date(at).toISOString()}`,
      at,
      at,
      revert === undefined ? null : JSON.stringify(revert),
    );
}

/** A message with its parts: `<message>.<index>` is the id of a part. */
export function writeMessage(
  database: DatabaseSync,
  session: string,
  id: string,
  at: number,
  message: Values,
  parts: readonly Values[],
  updated = at,
): void {
  database
    .prepare(
      `INSERT INTO message VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated`,
    )
    .run(id, session, at, updated, JSON.stringify({ time: { created: at }, ...message }));
  for (const [i, part] of parts.entries())
    database
      .prepare(
        `INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated`,
      )
      .run(`prt_${id}.${String(i).padStart(3, "0")}`, id, session, at, updated, JSON.stringify(part));
}

export const userMessage = (more: Values = {}): Values => ({
  role: "user",
  agent: "build",
  model: { providerID: "stub", modelID: "stub-model" },
  summary: { diffs: [] },
  ...more,
});

export const assistantMessage = (parentID: string, more: Values = {}): Values => ({
  parentID,
  role: "assistant",
  mode: "build",
  agent: "build",
  path: { cwd: "/code/shop", root: "/code/shop" },
  cost: 0,
  tokens: { total: 12, input: 10, output: 2, reasoning: 0, cache: { write: 0, read: 0 } },
  modelID: "stub-model",
  providerID: "stub",
  finish: "stop",
  ...more,
});

function writeConversation(database: DatabaseSync, { id, folder, title, model, turns }: MadeConversation): void {
  const session = `ses_${id.replaceAll("-", "").slice(0, 26)}`;
  const project = derivedId(id, "project");
  database
    .prepare("INSERT OR IGNORE INTO project VALUES (?, ?, 'git', NULL, ?, ?, '[]')")
    .run(project, folder, turns[0]!.at, turns[0]!.at);
  writeSession(database, { id: session, at: turns[0]!.at, title, directory: folder, project });
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    const asked = `msg_${derivedId(id, i, "asked")}`;
    writeMessage(database, session, asked, at, userMessage(), [{ type: "text", text: prompt }]);
    const state = {
      status: "completed",
      input: { filePath: tool.file },
      output: `<path>${tool.file}</path>\n<content>\n${tool.output}\n</content>`,
      title: tool.file,
      metadata: { preview: tool.output, truncated: false },
      time: { start: at + 400, end: at + 500 },
    };
    writeMessage(
      database,
      session,
      `msg_${derivedId(id, i, "called")}`,
      at + 100,
      assistantMessage(asked, { modelID: model, finish: "tool-calls" }),
      [
        { type: "step-start", snapshot: "eeabcc0f750fc1267c9efbbcfba15653e732b481" },
        { type: "reasoning", text: thinking, time: { start: at + 200, end: at + 300 } },
        { type: "tool", tool: "read", callID: `call_${i}`, state },
        { type: "step-finish", reason: "tool-calls", cost: 0, tokens: { input: 10, output: 2, reasoning: 0 } },
      ],
    );
    writeMessage(
      database,
      session,
      `msg_${derivedId(id, i, "answered")}`,
      at + 1000,
      assistantMessage(asked, { modelID: model }),
      [{ type: "text", text: answer, time: { start: at + 1000, end: at + 1000 } }],
    );
  }
}
