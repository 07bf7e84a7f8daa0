// The source of a program that keeps sessions in an SQLite database, a row for
// each and a row for each message. A session that changed is read as a whole;
// whether it did is found by its own row, and by a mark of its messages.
import { UnreadableFile } from "../../../files/files.ts";
import { ForeignDatabase, type Row } from "../../../sqlite/sqlite.ts";
import type { Batch, ConversationFacts, ConversationSource, SourceEvent } from "../source.ts";
import { readChangedSessions, topSession, type SessionMarks } from "./changed-sessions.ts";
import { messageLog, type About, type Meaning, type MessageProgram } from "./message-program.ts";
import { SessionLog, type Fields } from "./session-log.ts";
import { textOf } from "./stored-json.ts";
import { DocumentTokens, usageOf } from "./token-counts.ts";

interface RowProgram extends About, Omit<MessageProgram, "sessionOf" | "factsAt" | "meaningOf"> {
  /** Without these, it is another database. */
  readonly tables: readonly string[];
  /** A query for all sessions: `id`, what facts are made of, and `parent` of a sub-agent's. */
  readonly sessions: string;
  readonly factsOf: (session: Row) => Omit<ConversationFacts, "id">;
  /** A query for the `id` of each session and a `mark` that differs if its messages do. */
  readonly marks: string;
  /** A query for the messages of a session, in their order. */
  readonly messages: string;
  /** The records that a row has: it may be one, or have a list of them. */
  readonly recordsIn?: (row: Row) => Iterable<Fields>;
  readonly meaningOf: (record: Fields, place: { readonly session: string; readonly at: number }) => Meaning | undefined;
}

/** Rows of one query. */
const ROWS_AT_ONCE = 64;

export function rowSource(program: RowProgram): ConversationSource {
  const { name, title, reader, resume, find } = program;
  return {
    name,
    title,
    reader,
    ...(resume !== undefined && { resume }),
    find,
    async *read(transcript, checkpoint, signal): AsyncGenerator<Batch> {
      using database = new ForeignDatabase(transcript.path);
      for (const table of program.tables)
        if (!(await database.hasTable(table))) throw new UnreadableFile(`without a table ${table}`);
      const rows = await database.rows(program.sessions);
      const marks = new Map((await database.rows(program.marks)).map(({ id, mark }) => [String(id), String(mark)]));
      const parents = new Map(rows.map((row) => [String(row["id"]), textOf(row["parent"])]));
      yield* readChangedSessions({
        sessions: rows.map((row) => ({ id: String(row["id"]), row })),
        before: checkpoint === undefined ? {} : (JSON.parse(checkpoint) as SessionMarks<string>),
        signal,
        markOf: ({ id, row }) => `${JSON.stringify(row)} ${marks.get(id) ?? ""}`,
        read: ({ id, row }) => {
          const top = topSession(id, (one) => parents.get(one));
          return readSession(program, database, { id, row, caller: top === id ? undefined : top }, signal);
        },
        checkpoint: (all) => all,
        present: rows.flatMap(({ id, parent }) => (textOf(parent) === undefined ? [String(id)] : [])),
      });
    },
  };
}

interface SessionRow {
  readonly id: string;
  readonly row: Row;
  readonly caller: string | undefined;
}

async function* readSession(
  program: RowProgram,
  database: ForeignDatabase,
  { id, row, caller }: SessionRow,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const { recordsIn = (one: Row) => [one as Fields] } = program;
  const description = messageLog({ ...program, sessionOf: () => id, callerOf: () => caller });
  const log = new SessionLog(id, description, undefined);
  const tokens = new DocumentTokens();
  const facts = program.factsOf(row);
  // Messages of a sub-agent come after those of its session if none has a time.
  log.nextOrder(facts.created?.at);
  if (caller === undefined) yield [log.fact(facts)];
  for (let from = 0; !signal.aborted; from += ROWS_AT_ONCE) {
    const rows = await database.rows(`${program.messages} LIMIT ${ROWS_AT_ONCE} OFFSET ?`, id, from);
    const events: SourceEvent[] = [];
    for (const record of rows.flatMap((one) => [...recordsIn(one)]))
      for (const event of description.eventsOf(record, log)) {
        if (event.kind === "usage") tokens.add(event.usage.tokens);
        else events.push(event);
      }
    yield events;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  yield [...log.ended(), ...usageOf(tokens.sum, { conversation: log.conversation, session: id, isTotal: true })];
}
