// opencode's database: a row for each session, message and part. Parts grow in
// place while an answer is streamed, so sessions that changed are found by the
// times and sizes of all rows, and of these only the messages that changed are
// read. Only named columns of these tables: others hold tokens. Used by
// opencode.ts.
import { UnreadableFile } from "../../../files/files.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { readChangedSessions, topSession } from "../kit/changed-sessions.ts";
import type { RowMark } from "../kit/row-marks.ts";
import type { Batch, TranscriptFile, Wanted } from "../source.ts";
import { usageOf } from "../kit/token-counts.ts";
import { NextMessages } from "./next-messages.ts";
import { SessionMessages } from "./session-messages.ts";
import { factsOf, markOf, readRowMarks, readSessions, type Session, type SessionMark } from "./sessions.ts";
import { countedTokens } from "./tokens.ts";

interface Checkpoint {
  readonly sessions: Readonly<Record<string, SessionMark>>;
}

export async function* readDatabase(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("session"))) throw new UnreadableFile("without a table of sessions");
  const before = checkpoint === undefined ? {} : (JSON.parse(checkpoint) as Checkpoint).sessions;
  const sessions: Session[] = [];
  yield* readSessions(database, sessions, signal);
  const rows = new Map<string, RowMark>();
  yield* readRowMarks(database, rows, signal);
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent]));
  yield* readChangedSessions({
    sessions,
    before,
    signal,
    markOf: (session) => markOf(session, rows.get(session.id)),
    read: (session, old) =>
      readSession(
        database,
        session,
        topSession(session.id, (id) => parents.get(id)),
        old,
        signal,
        wanted,
      ),
    checkpoint: (marks): Checkpoint => ({ sessions: marks }),
    present: sessions.flatMap(({ id, parent }) => (parent === undefined ? [id] : [])),
  });
}

async function* readSession(
  database: ForeignDatabase,
  session: Session,
  conversation: string,
  before: SessionMark | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const isSubagent = session.parent !== undefined;
  const messages = new SessionMessages(database, { ...session, conversation, isSubagent }, signal, wanted);
  await messages.open();
  if (!isSubagent) yield [factsOf(session, messages.copiedAt)];
  yield* messages.read(before?.[2]);
  if (messages.isEmpty) {
    const next = new NextMessages(database, { ...session, conversation, isSubagent }, signal);
    yield* next.read(before?.[2]);
    yield await next.eventsOfRevert(before?.[3]);
  } else yield messages.eventsOfRevert(before?.[3]);
  const table = messages.isEmpty ? "session_message" : "message";
  const tokens = await countedTokens(database, table, session.id, messages.copiedAt);
  yield [...usageOf(tokens, { conversation, session: session.id, isTotal: true })];
}
