// Goose's `sessions.db`: a row for each session and each message. Messages are
// appended; a compaction writes all messages of its session again, under their
// ids. Columns depend on the version of the schema. Used by goose.ts.
import { UnreadableFile } from "../../../files/files.ts";
import { parseJson } from "../../../kernel/kernel.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import {
  batchesBySize,
  hasSameMessages,
  readChangedSessions,
  sessionMark,
  type SessionMark,
  type SessionMarks,
} from "../kit/changed-sessions.ts";
import { addRowMarks, type RowMark } from "../kit/row-marks.ts";
import { MAX_VALUE_SIZE, recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { tokensIn, usageOf } from "../kit/token-counts.ts";
import { timeOf, type Batch, type SourceEvent, type Tokens, type TranscriptFile } from "../source.ts";
import { LEGACY, MessageReader, startedBy } from "./messages.ts";

interface Session {
  readonly id: string;
  readonly name: string | undefined;
  readonly isNamedByUser: boolean;
  readonly type: string | undefined;
  readonly folder: string | undefined;
  readonly model: string | undefined;
  readonly tokens: Tokens | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
}

interface Checkpoint {
  /** With the number of the last message. */
  readonly sessions: SessionMarks<SessionMark>;
  /** Sessions that were passed over, by reason. */
  readonly skipped?: Readonly<Record<string, number>>;
  readonly parents?: Parents;
}

/** Who started sub-agents: by their sessions, the other session; and the last message that was looked at for it. */
interface Parents {
  readonly of: Readonly<Record<string, string>>;
  readonly until: number;
}

/** Sessions that are not read, by their type. */
const SKIPPED: Readonly<Record<string, string>> = {
  sub_agent: "sessions of sub-agents, of which Goose does not say who started them",
  hidden: "sessions that Goose was told not to keep",
};

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
  const before: Checkpoint = checkpoint === undefined ? { sessions: {} } : (JSON.parse(checkpoint) as Checkpoint);
  const columns = await database.columns("messages");
  const content = ["content_json", ...(columns.has("metadata_json") ? ["metadata_json"] : [])];
  const rows = new Map<string, RowMark>();
  yield* addRowMarks(database, { table: "messages", conversation: "session_id", content, changed: "id" }, rows, signal);
  const all: Session[] = [];
  yield* readSessions(database, all, signal);
  const byId = new Map(all.map((session) => [session.id, session]));
  const parents = await parentsIn(database, all, before.parents ?? { of: {}, until: -1 });
  const parentOf = ({ id, type }: Session) =>
    type === "sub_agent" && parents.of[id] !== id ? byId.get(parents.of[id] ?? "") : undefined;
  const isSkipped = (one: Session) => SKIPPED[one.type ?? ""] !== undefined && parentOf(one) === undefined;
  const sessions = all.filter((one) => !isSkipped(one));
  const skipped = countsOf(all.filter(isSkipped).map(({ type }) => SKIPPED[type ?? ""]!));
  yield newlySkipped(skipped, before.skipped ?? {});
  yield* readChangedSessions({
    sessions,
    before: before.sessions,
    signal,
    markOf: (session) => sessionMark(session, rows.get(session.id)),
    read: async function* (session, old, mark) {
      const parent = parentOf(session);
      if (!hasSameMessages(old, mark)) yield* readSession(database, session, parent, old, columns, signal);
      else if (parent === undefined) yield [factsOf(session, undefined)];
      const of = { conversation: conversationOf(parent ?? session), session: session.id, isTotal: true } as const;
      yield [...usageOf(session.tokens, of)];
    },
    checkpoint: (marks): Checkpoint => ({ sessions: marks, skipped, parents }),
    present: sessions.filter((session) => parentOf(session) === undefined).map(conversationOf),
  });
}

/** Only new messages are looked at: those of a long session are many megabytes. */
async function parentsIn(database: ForeignDatabase, sessions: readonly Session[], before: Parents): Promise<Parents> {
  if (!sessions.some(({ type }) => type === "sub_agent")) return before;
  const rows = await database.rows(
    `SELECT id AS row, CAST(session_id AS TEXT) AS session, content_json AS content FROM messages
     WHERE id > ? AND instr(content_json, '"subagent_session_id"') > 0 AND octet_length(content_json) <= ? ORDER BY id`,
    before.until,
    MAX_VALUE_SIZE,
  );
  const started = rows.flatMap(({ session, content }) =>
    startedBy(storedJson(content)).map((id): [string, string] => [id, String(session)]),
  );
  const [last] = await database.rows("SELECT CAST(max(id) AS REAL) AS last FROM messages");
  // A copy of the session has the message too: the first one started it.
  return {
    of: { ...Object.fromEntries(started.toReversed()), ...before.of },
    until: Math.max(before.until, Number(last?.["last"] ?? -1)),
  };
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Counts are added up over readings. */
function newlySkipped(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): SourceEvent[] {
  return Object.entries(now).flatMap(([reason, count]): SourceEvent[] =>
    count > (before[reason] ?? 0) ? [{ kind: "skipped", count: count - (before[reason] ?? 0), reason }] : [],
  );
}

/** Columns with what all requests of a session took. */
const TOKENS = ["accumulated_input_tokens", "accumulated_output_tokens", "accumulated_cache_read_tokens"] as const;

/** In the order in which they were created: a copy comes after its original. */
async function* readSessions(database: ForeignDatabase, found: Session[], signal: AbortSignal): AsyncGenerator<Batch> {
  const columns = await database.columns("sessions");
  const optional = ["name", "description", "user_set_name", "session_type", "model_config_json", ...TOKENS]
    .map((name) => (columns.has(name) ? name : `NULL AS ${name}`))
    .join(", ");
  for (let last = ""; !signal.aborted;) {
    const rows = await database.rows(
      `SELECT CAST(id AS TEXT) AS id, working_dir, created_at, updated_at, ${optional}
       FROM sessions WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      SESSIONS_AT_ONCE,
    );
    for (const row of rows) {
      const model = recordOf(parseJson(textOf(row["model_config_json"]) ?? "null"));
      found.push({
        id: String(row["id"]),
        name: textOf(row["name"]) ?? textOf(row["description"]),
        isNamedByUser: row["user_set_name"] === 1,
        type: textOf(row["session_type"]),
        folder: textOf(row["working_dir"]),
        model: textOf(model?.["model_name"]),
        tokens: tokensIn({ input: row[TOKENS[0]], output: row[TOKENS[1]], cached: row[TOKENS[2]] }),
        created: sqlTime(row["created_at"]),
        updated: sqlTime(row["updated_at"]),
      });
    }
    if (rows.length < SESSIONS_AT_ONCE) break;
    last = String(rows.at(-1)!["id"]);
    yield [];
  }
  found.sort((a, b) => (a.created ?? 0) - (b.created ?? 0) || (a.id < b.id ? -1 : 1));
}

/** SQLite's own times are in UTC and do not say so. */
function sqlTime(value: unknown): number | undefined {
  const text = textOf(value);
  return timeOf(text !== undefined && /^[\d-]{10} [\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : value);
}

/**
 * Ids are a day and a number, the same on every machine: with the time of day they tell sessions of several machines
 * apart.
 */
function conversationOf({ id, created }: Session): string {
  return created === undefined || LEGACY.test(id)
    ? id
    : `${id}.${new Date(created).toISOString().slice(11, 19).replaceAll(":", "")}`;
}

/** A message without its content. */
interface Listed {
  readonly row: number;
  readonly id: string | undefined;
  readonly role: unknown;
  readonly created: number | undefined;
  readonly metadata: unknown;
  readonly size: number;
}

async function* readSession(
  database: ForeignDatabase,
  session: Session,
  parent: Session | undefined,
  before: SessionMark | undefined,
  columns: ReadonlySet<string>,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const column = (name: string) => (columns.has(name) ? name : `NULL AS ${name}`);
  const rows = await database.rows(
    `SELECT id AS row, role, CAST(created_timestamp AS REAL) AS created, octet_length(content_json) AS size,
       ${column("message_id")}, ${column("metadata_json")}
     FROM messages WHERE session_id = ? ORDER BY created_timestamp, id`,
    session.id,
  );
  const listed = rows.map((row): Listed => ({
    row: Number(row["row"]),
    id: textOf(row["message_id"]),
    role: row["role"],
    created: timeOf(row["created"]),
    metadata: parseJson(textOf(row["metadata_json"]) ?? "null"),
    size: Number(row["size"]),
  }));
  if (parent === undefined) yield [factsOf(session, listed[0]?.created)];
  const last = before?.[2] ?? -1;
  const isMore = listed.some(({ row }) => row > last);
  // A change in place, or the removal of messages, is seen by sizes alone.
  const reader = new MessageReader(session.id, conversationOf(parent ?? session), parent !== undefined);
  yield* readMessages(database, reader, listed, isMore ? last : -1, before === undefined, signal);
}

async function* readMessages(
  database: ForeignDatabase,
  reader: MessageReader,
  listed: readonly Listed[],
  last: number,
  isNew: boolean,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let unreadable = 0;
  const sizeOf = ({ row, size }: Listed) => (row > last ? size : 0);
  for (const some of batchesBySize(listed, MESSAGES_AT_ONCE, sizeOf, signal)) {
    const contents = await contentsOf(
      database,
      some.filter(({ row }) => row > last).map(({ row }) => row),
    );
    const events: SourceEvent[] = [];
    for (const message of some) {
      const content = contents.get(message.row);
      const isWanted = message.row > last;
      if (isWanted && !Array.isArray(content)) unreadable++;
      events.push(...reader.eventsOf({ ...message, content }, isWanted));
    }
    yield events;
  }
  if (!isNew) return;
  if (unreadable > 0)
    yield [{ kind: "unreadable", count: unreadable, reason: "messages that are no JSON, or larger than 64 MB" }];
  if (reader.unknown > 0)
    yield [{ kind: "skipped", count: reader.unknown, reason: "contents of messages of an unknown type" }];
}

async function contentsOf(database: ForeignDatabase, rows: readonly number[]): Promise<Map<number, unknown>> {
  if (rows.length === 0) return new Map();
  const found = await database.rows(
    `SELECT id AS row, content_json AS content FROM messages
     WHERE id IN (SELECT value FROM json_each(?)) AND octet_length(content_json) <= ?`,
    JSON.stringify(rows),
    MAX_VALUE_SIZE,
  );
  return new Map(found.map(({ row, content }) => [Number(row), storedJson(content)]));
}

/** Names until one is given or generated. */
const UNNAMED = /^(?:CLI Session|ACP Session|Goose Term Session|New (?:Chat|session)(?: \d+)?)$/i;

function factsOf(session: Session, first: number | undefined): SourceEvent {
  const { name, isNamedByUser, folder, model, created, updated } = session;
  // A session that was copied or imported has messages that are older than itself; those have whole seconds.
  const isCopy = created !== undefined && first !== undefined && first < created - 1000;
  return {
    kind: "conversation",
    facts: {
      id: conversationOf(session),
      folder,
      model,
      ...(name !== undefined && !UNNAMED.test(name) && { title: name }),
      ...(isNamedByUser && { titleBy: "user" as const }),
      ...storedTimes(created, updated),
      ...(isCopy && !LEGACY.test(session.id) && { copiedAt: created }),
    },
  };
}
