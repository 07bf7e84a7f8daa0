// Crush's `crush.db`: a row for each session and each message. Messages change in
// place while they are streamed, and their times are whole seconds, so sessions
// that changed are found by times and sizes of all rows. Used by crush.ts.
import { basename, dirname } from "node:path";
import { UnreadableFile } from "../../../files/files.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import {
  batchesBySize,
  hasSameMessages,
  readChangedSessions,
  sessionMark,
  topSession,
  type SessionMark,
  type SessionMarks,
} from "../kit/changed-sessions.ts";
import { addRowMarks, type RowMark } from "../kit/row-marks.ts";
import { MAX_VALUE_SIZE, storedJson, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { timeOf, type Batch, type SourceEvent, type TranscriptFile } from "../source.ts";
import { eventsOfMessage, type Message } from "./messages.ts";

interface Session {
  readonly id: string;
  readonly parent: string | undefined;
  readonly title: string | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  /** The message with the last summary: older versions mark it nowhere else. */
  readonly summary: string | undefined;
}

interface Checkpoint {
  /** Changes are in seconds. */
  readonly sessions: SessionMarks<SessionMark>;
}

const SESSIONS_AT_ONCE = 500;
const MESSAGES_AT_ONCE = 64;

export async function* readDatabase(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("sessions")) || !(await database.hasTable("messages")))
    throw new UnreadableFile("without tables of sessions and messages");
  const before = checkpoint === undefined ? {} : (JSON.parse(checkpoint) as Checkpoint).sessions;
  const rows = new Map<string, RowMark>();
  const table = { table: "messages", conversation: "session_id", content: ["parts"], changed: "updated_at" };
  yield* addRowMarks(database, table, rows, signal);
  const sessions: Session[] = [];
  yield* readSessions(database, sessions, signal);
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent]));
  yield* readChangedSessions({
    sessions,
    before,
    signal,
    markOf: (session) => sessionMark(session, rows.get(session.id)),
    read: (session, old, mark) => {
      const top = topSession(session.id, (id) => parents.get(id));
      return new SessionReader(database, session, top, transcript, signal).read(old, mark);
    },
    checkpoint: (marks): Checkpoint => ({ sessions: marks }),
    present: sessions.flatMap(({ id, parent }) => (parent === undefined ? [id] : [])),
  });
}

async function* readSessions(database: ForeignDatabase, found: Session[], signal: AbortSignal): AsyncGenerator<Batch> {
  const columns = await database.columns("sessions");
  const summary = columns.has("summary_message_id") ? "summary_message_id" : "NULL";
  for (let last = ""; !signal.aborted;) {
    const rows = await database.rows(
      `SELECT CAST(id AS TEXT) AS id, parent_session_id AS parent, title, CAST(created_at AS REAL) AS created,
         CAST(updated_at AS REAL) AS updated, ${summary} AS summary
       FROM sessions WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      SESSIONS_AT_ONCE,
    );
    for (const row of rows)
      // Those in which titles are generated say nothing else.
      if (!String(row["id"]).startsWith("title-"))
        found.push({
          id: String(row["id"]),
          parent: textOf(row["parent"]),
          title: textOf(row["title"]),
          created: timeOf(row["created"]),
          updated: timeOf(row["updated"]),
          summary: textOf(row["summary"]),
        });
    if (rows.length < SESSIONS_AT_ONCE) return;
    last = String(rows.at(-1)!["id"]);
    yield [];
  }
}

interface Listed {
  readonly row: number;
  readonly message: Message;
  readonly model: string | undefined;
  readonly changed: number;
  readonly size: number;
}

class SessionReader {
  readonly #database: ForeignDatabase;
  readonly #session: Session;
  readonly #conversation: string;
  readonly #transcript: TranscriptFile;
  readonly #signal: AbortSignal;

  constructor(
    database: ForeignDatabase,
    session: Session,
    conversation: string,
    transcript: TranscriptFile,
    signal: AbortSignal,
  ) {
    this.#database = database;
    this.#session = session;
    this.#conversation = conversation;
    this.#transcript = transcript;
    this.#signal = signal;
  }

  get #isSubagent(): boolean {
    return this.#session.parent !== undefined;
  }

  async *read(before: SessionMark | undefined, mark: SessionMark): AsyncGenerator<Batch> {
    if (!this.#isSubagent) yield [this.#facts()];
    if (hasSameMessages(before, mark)) return;
    const listed = await this.#listed();
    const changed = before === undefined ? listed : listed.filter((one) => one.changed >= before[2]);
    // A change with the same time, or an earlier one, is seen by sizes alone.
    const queue = changed.length === 0 ? listed : changed;
    let unknown = 0;
    let unreadable = 0;
    for (const some of batchesBySize(queue, MESSAGES_AT_ONCE, ({ size }) => size, this.#signal)) {
      const read = await this.#readSome(some);
      unknown += read.unknown;
      unreadable += read.unreadable;
      yield read.events;
    }
    const model = queue.findLast((one) => one.model !== undefined)?.model;
    if (model !== undefined && !this.#isSubagent)
      yield [{ kind: "conversation", facts: { id: this.#session.id, model } }];
    if (before !== undefined) return;
    if (unreadable > 0)
      yield [{ kind: "unreadable", count: unreadable, reason: "messages that are no JSON, or larger than 64 MB" }];
    if (unknown > 0) yield [{ kind: "skipped", count: unknown, reason: "parts of messages of an unknown type" }];
  }

  /** All messages without their parts, in their order. */
  async #listed(): Promise<Listed[]> {
    const columns = await this.#database.columns("messages");
    const summary = columns.has("is_summary_message") ? "is_summary_message" : "0";
    const rows = await this.#database.rows(
      `SELECT rowid AS row, CAST(id AS TEXT) AS id, role, model, CAST(created_at AS REAL) AS created,
         CAST(updated_at AS REAL) AS changed, octet_length(parts) AS size, ${summary} AS summary
       FROM messages WHERE session_id = ? ORDER BY created_at, rowid`,
      this.#session.id,
    );
    let last = 0;
    return rows.map((row) => {
      const id = String(row["id"]);
      const time = timeOf(row["created"]);
      // Times are whole seconds.
      last = Math.max(time ?? 0, last + 0.001);
      const isSummary = row["summary"] === 1 || id === this.#session.summary;
      return {
        row: Number(row["row"]),
        message: { id, role: row["role"], isSummary, time, order: last },
        model: row["role"] === "assistant" && !isSummary ? textOf(row["model"]) : undefined,
        changed: Number(row["changed"]),
        size: Number(row["size"]),
      };
    });
  }

  async #readSome(
    some: readonly Listed[],
  ): Promise<{ readonly events: SourceEvent[]; readonly unknown: number; readonly unreadable: number }> {
    const rows = await this.#database.rows(
      `SELECT rowid AS row, parts FROM messages
       WHERE rowid IN (SELECT value FROM json_each(?)) AND octet_length(parts) <= ?`,
      JSON.stringify(some.map(({ row }) => row)),
      MAX_VALUE_SIZE,
    );
    const parts = new Map(rows.map(({ row, parts: stored }) => [Number(row), storedJson(stored)]));
    const events: SourceEvent[] = [];
    let unknown = 0;
    let unreadable = 0;
    for (const { row, message } of some) {
      const stored = parts.get(row);
      if (!Array.isArray(stored)) unreadable++;
      const place = { conversation: this.#conversation, isSubagent: this.#isSubagent };
      const read = eventsOfMessage(stored, message, place);
      events.push(...read.events);
      unknown += read.unknown;
    }
    return { events, unknown, unreadable };
  }

  #facts(): SourceEvent {
    const { id, title, created, updated } = this.#session;
    const { path, project } = this.#transcript;
    const data = dirname(path);
    const folder = basename(data) === ".crush" ? dirname(data) : project;
    return {
      kind: "conversation",
      facts: {
        id,
        ...(title !== undefined && !UNTITLED.test(title) && { title }),
        ...(folder !== undefined && { folder }),
        ...storedTimes(created, updated),
      },
    };
  }
}

/** The title until one is generated. */
const UNTITLED = /^(?:New|Untitled) Session$/;
