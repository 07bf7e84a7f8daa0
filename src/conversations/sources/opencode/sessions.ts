// The sessions in opencode's database, and which of them have changed since the
// last reading. A session of a sub-agent belongs to the conversation of the one
// that started it. Used by database.ts.
import { hash } from "node:crypto";
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { addRowMarks, type RowMark } from "../kit/row-marks.ts";
import { textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { timeOf, type Batch, type SourceEvent } from "../source.ts";
import { titleIn } from "./messages.ts";

export interface Session {
  readonly id: string;
  readonly parent: string | undefined;
  readonly project: string | undefined;
  readonly title: string | undefined;
  readonly folder: string | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  /** The message from which on the person went back. */
  readonly reverted: string | undefined;
}

/** What was read of a session: its own row, its messages and parts, when one of these last changed, where it was reverted to. */
export type SessionMark = readonly [row: string, rows: string, changed: number, reverted?: string | undefined];

const SESSIONS_AT_ONCE = 500;

/** In the order in which they were created: a fork comes after its original. */
export async function* readSessions(
  database: ForeignDatabase,
  sessions: Session[],
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const columns = await database.columns("session");
  const revert = columns.has("revert")
    ? "CASE WHEN json_valid(revert) THEN revert ->> '$.messageID' END AS reverted"
    : "NULL AS reverted";
  for (let last = ""; !signal.aborted;) {
    const rows = await database.rows(
      `SELECT CAST(id AS TEXT) AS id, parent_id AS parent, project_id AS project, directory AS folder, title,
         CAST(time_created AS REAL) AS created, CAST(time_updated AS REAL) AS updated, ${revert}
       FROM session WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      SESSIONS_AT_ONCE,
    );
    for (const row of rows) {
      const folder = textOf(row["folder"]);
      sessions.push({
        id: String(row["id"]),
        parent: textOf(row["parent"]),
        project: textOf(row["project"]),
        title: titleIn(textOf(row["title"])),
        // Windows paths are stored with slashes.
        folder: folder === undefined ? undefined : (folderOfUri(folder) ?? folder),
        created: timeOf(row["created"]),
        updated: timeOf(row["updated"]),
        reverted: textOf(row["reverted"]),
      });
    }
    if (rows.length < SESSIONS_AT_ONCE) break;
    last = String(rows.at(-1)!["id"]);
    yield [];
  }
  sessions.sort((a, b) => (a.created ?? 0) - (b.created ?? 0) || (a.id < b.id ? -1 : 1));
}

/** Tables with what was said: of this version, and of the next. */
const TABLES = [
  { table: "message", content: ["data"], changed: "time_updated" },
  { table: "part", content: ["data"], changed: "time_updated" },
  { table: "session_message", content: ["data"], changed: "time_updated" },
  { table: "session_input", content: ["prompt", "promoted_seq"], changed: undefined },
];

export async function* readRowMarks(
  database: ForeignDatabase,
  marks: Map<string, RowMark>,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  for (const table of TABLES)
    if (await database.hasTable(table.table))
      yield* addRowMarks(database, { ...table, conversation: "session_id" }, marks, signal);
}

export function markOf(session: Session, rows: RowMark | undefined): SessionMark {
  const row = hash("sha1", JSON.stringify(session), "base64url").slice(0, 8);
  const changed = rows?.changed ?? 0;
  const mark = [row, `${rows?.rows ?? 0}.${rows?.bytes ?? 0}`, changed] as const;
  return session.reverted === undefined ? mark : [...mark, session.reverted];
}

/** When the session was made as a copy of another: its first message is then older than itself. */
export function copyTime({ created }: Session, firstMessage: number | undefined): number | undefined {
  return created !== undefined && firstMessage !== undefined && firstMessage < created ? created : undefined;
}

export function factsOf(session: Session, copiedAt: number | undefined): SourceEvent {
  const { id, title, folder, project, created, updated } = session;
  return {
    kind: "conversation",
    facts: {
      id,
      title,
      folder,
      workspace: project,
      ...storedTimes(created, updated),
      ...(copiedAt !== undefined && { copiedAt }),
    },
  };
}
