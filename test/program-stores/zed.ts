// Zed's database of threads, as crates/agent/src/db.rs of August 2026 makes it:
// the table with the columns that it adds, and threads of version 0.3.0, compressed.
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { derivedId, isoTime, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const ZED_DATABASE = ".local/share/zed/threads/threads.db";

export const zedStore: ProgramStore = {
  lacks: ["times"],
  write(home, conversations) {
    const database = openZed(join(home, ZED_DATABASE));
    for (const made of conversations)
      writeThread(database, { id: made.id, folders: [made.folder], at: made.turns.at(-1)!.at, thread: threadOf(made) });
    database.close();
  },
};

export function openZed(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL)`);
  for (const column of ["parent_id", "folder_paths", "folder_paths_order", "created_at"])
    if (!database.prepare("SELECT 1 FROM pragma_table_info('threads') WHERE name = ?").get(column))
      database.exec(`ALTER TABLE threads ADD COLUMN ${column} TEXT`);
  return database;
}

interface ThreadRow {
  readonly id: string;
  readonly at: number;
  readonly thread: Readonly<Record<string, unknown>>;
  readonly folders?: readonly string[];
  readonly parent?: string;
}

/** As `save_thread_sync`: an upsert that keeps `created_at`. */
export function writeThread(
  database: DatabaseSync,
  { id, at, thread, folders = ["/code/shop"], parent }: ThreadRow,
): void {
  const sorted = folders.map((folder, i) => ({ folder, i })).toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  database
    .prepare(
      `INSERT INTO threads (id, parent_id, folder_paths, folder_paths_order, summary, updated_at, data_type, data, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'zstd', ?, ?)
       ON CONFLICT(id) DO UPDATE SET parent_id = excluded.parent_id, folder_paths = excluded.folder_paths,
         folder_paths_order = excluded.folder_paths_order, summary = excluded.summary, updated_at = excluded.updated_at,
         data_type = excluded.data_type, data = excluded.data`,
    )
    .run(
      id,
      parent ?? null,
      sorted.map(({ folder }) => folder).join("\n"),
      sorted.map(({ i }) => i).join(","),
      String(thread["title"] ?? "New Thread"),
      isoTime(at),
      zstdCompressSync(JSON.stringify({ ...thread, updated_at: isoTime(at), version: "0.3.0" })),
      isoTime(at),
    );
}

export const userMessage = (id: string, ...content: readonly unknown[]): object => ({ User: { id, content } });

export const agentMessage = (content: readonly unknown[], tool_results: object = {}): object => ({
  Agent: { content, tool_results, reasoning_details: null },
});

export const toolUse = (id: string, name: string, input: object): object => ({
  ToolUse: {
    id,
    name,
    raw_input: JSON.stringify(input),
    input: { type: "json", value: input },
    is_input_complete: true,
    thought_signature: null,
  },
});

export const toolResult = (tool_use_id: string, tool_name: string, text: string, is_error = false): object => ({
  [tool_use_id]: { tool_use_id, tool_name, is_error, content: [{ Text: text }], output: null },
});

function threadOf({ id, folder, branch, title, model, turns }: MadeConversation): Readonly<Record<string, unknown>> {
  return {
    title,
    messages: turns.flatMap(({ prompt, thinking, tool, answer }, i) => [
      userMessage(derivedId(id, i, "prompt"), { Text: prompt }),
      agentMessage(
        [
          { Thinking: { text: thinking, signature: null } },
          // Paths begin with the name of the project's folder.
          toolUse(`call_${i}`, "read_file", { path: basename(folder) + tool.file.slice(folder.length) }),
        ],
        toolResult(`call_${i}`, "read_file", tool.output),
      ),
      agentMessage([{ Text: answer }]),
    ]),
    detailed_summary: null,
    initial_project_snapshot: {
      worktree_snapshots: [
        { worktree_path: folder, git_state: { remote_url: null, head_sha: null, current_branch: branch, diff: null } },
      ],
      timestamp: isoTime(turns[0]!.at),
    },
    cumulative_token_usage: {},
    request_token_usage: {},
    model: { provider: "anthropic", model },
    profile: "write",
    subagent_context: null,
  };
}
