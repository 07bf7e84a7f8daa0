// opencode's database: a row for each session, message and part. Parts grow in
// place while an answer is streamed, so sessions that changed are found by the
// times and sizes of all rows, and of these only the messages that changed are
// read. Only named columns of these tables: others hold tokens. Used by
// opencode.ts.
import { UnreadableFile } from "../../../files/files.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import type { RowMark } from "../formats/row-marks.ts";
import type { Batch, SourceEvent, TranscriptFile } from "../source.ts";
import { NextMessages } from "./next-messages.ts";
import { SessionMessages } from "./session-messages.ts";
import {
  factsOf,
  isSameMark,
  markOf,
  readRowMarks,
  readSessions,
  topOf,
  type Session,
  type SessionMark,
} from "./sessions.ts";

interface Checkpoint {
  readonly sessions: Readonly<Record<string, SessionMark>>;
}

/** Sessions between checkpoints. */
const CHECKPOINT_AFTER = 50;

export async function* readDatabase(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("session"))) throw new UnreadableFile("without a table of sessions");
  const before = checkpoint === undefined ? {} : (JSON.parse(checkpoint) as Checkpoint).sessions;
  const sessions: Session[] = [];
  yield* readSessions(database, sessions, signal);
  const rows = new Map<string, RowMark>();
  yield* readRowMarks(database, rows, signal);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const marks: Record<string, SessionMark> = {};
  let read = 0;
  for (const session of sessions) {
    if (signal.aborted) return;
    const mark = markOf(session, rows.get(session.id));
    if (!isSameMark(before[session.id], mark)) {
      yield* readSession(database, session, topOf(session, byId), before[session.id], signal);
      if (signal.aborted) return;
      // For sessions that were not reached yet, the marks of the earlier reading.
      if (++read % CHECKPOINT_AFTER === 0) yield [checkpointOf({ ...before, ...marks, [session.id]: mark })];
    }
    marks[session.id] = mark;
  }
  yield [
    { kind: "present", conversations: sessions.flatMap(({ id, parent }) => (parent === undefined ? [id] : [])) },
    checkpointOf(marks),
  ];
}

function checkpointOf(sessions: Readonly<Record<string, SessionMark>>): SourceEvent {
  return { kind: "checkpoint", checkpoint: JSON.stringify({ sessions } satisfies Checkpoint) };
}

async function* readSession(
  database: ForeignDatabase,
  session: Session,
  conversation: string,
  before: SessionMark | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const isSubagent = session.parent !== undefined;
  const messages = new SessionMessages(database, { ...session, conversation, isSubagent }, signal);
  await messages.open();
  if (!isSubagent) yield [factsOf(session, messages.copiedAt)];
  yield* messages.read(before?.[2]);
  if (messages.isEmpty) {
    const next = new NextMessages(database, { ...session, conversation, isSubagent }, signal);
    yield* next.read(before?.[2]);
    yield await next.eventsOfRevert(before?.[3]);
  } else yield messages.eventsOfRevert(before?.[3]);
}
