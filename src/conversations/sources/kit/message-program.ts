// Programs that keep messages in the form of models' interfaces. A description
// says where they are and what a record is; the kit reads the shape: lines of a
// log, a list in a document (document-source.ts), rows of a database
// (row-source.ts).
import type { ConversationFacts, ConversationSource, Said, SourceEvent, Tokens } from "../source.ts";
import { timeOf } from "../source.ts";
import type { CutKeys } from "./brief-json.ts";
import { callsIn, saidInMessage } from "./said.ts";
import { logSource, OpenCalls, type Fields, type LogProgram, type SessionLog } from "./session-log.ts";

/** What a record means. An empty one means nothing to a reader. */
export interface Meaning {
  /** With a role, and content in any of the forms that said.ts knows. */
  readonly message?: Fields | undefined;
  /** In place of a message. */
  readonly said?: readonly Said[];
  readonly time?: unknown;
  /** Unique in the program, and the same in a copy of the session. Without one, the number of the record in its session counts. */
  readonly id?: string | undefined;
  /** The id of the record that it follows, if the program keeps branches; null for none. */
  readonly follows?: string | null | undefined;
  /** The id of its message, if several records are one message. */
  readonly part?: string | undefined;
  readonly tokens?: Tokens | undefined;
  readonly facts?: Omit<ConversationFacts, "id">;
  readonly isSubagent?: boolean;
}

export interface Place {
  readonly path: string;
  readonly session: string;
  /** How many records were before it. */
  readonly at: number;
}

export interface MessageProgram {
  /** @returns undefined for a record that the description does not know */
  readonly meaningOf: (record: Fields, place: Place) => Meaning | undefined;
  readonly sessionOf?: (path: string) => string;
  /** The session that a file is of a sub-agent of. */
  readonly callerOf?: (path: string) => string | undefined;
  /** Facts in a file beside it. */
  readonly factsAt?: (path: string) => Omit<ConversationFacts, "id"> | undefined;
  /** What was typed of a text in the user's name. */
  readonly typed?: (text: string) => string;
  readonly cut?: CutKeys;
}

export type About = Pick<ConversationSource, "name" | "title" | "reader" | "resume" | "find">;

/** A session that is read: the state of its log. */
export interface Session {
  readonly session: string;
  readonly caller: string | undefined;
  records: number;
  readonly calls: OpenCalls;
}

/** The source of a program that appends a line for each message. */
export function messageLogSource({
  sessionOf,
  ...program
}: About & MessageProgram & { readonly sessionOf: (path: string) => string }): ConversationSource {
  return logSource({ ...program, ...messageLog({ ...program, sessionOf }) });
}

export function messageLog(program: MessageProgram): LogProgram<Session> {
  const { sessionOf = (path) => path, callerOf, factsAt, cut } = program;
  return {
    begin: (path, saved) => ({
      session: saved?.session ?? sessionOf(path),
      caller: saved?.caller ?? callerOf?.(path),
      records: saved?.records ?? 0,
      calls: new OpenCalls(saved?.calls),
    }),
    conversation: ({ session, caller }) => caller ?? session,
    isSubagent: ({ caller }) => caller !== undefined,
    eventsOf: (record, log) => eventsOf(program, record, log),
    *ended(log) {
      const facts = log.isSubagent ? undefined : factsAt?.(log.path);
      if (facts !== undefined) yield log.fact(facts);
    },
    ...(cut !== undefined && { cut }),
  };
}

function* eventsOf(program: MessageProgram, record: Fields, log: SessionLog<Session>): Generator<SourceEvent> {
  const { session, calls } = log.own;
  const at = log.own.records++;
  const meaning = program.meaningOf(record, { path: log.path, session, at });
  if (meaning === undefined) return log.skipUnknown("records", record["type"] ?? record["role"]);
  const { message, id = `${session}:${at}`, part = id } = meaning;
  const isSubagent = meaning.isSubagent ?? log.isSubagent;
  if (meaning.facts !== undefined && !isSubagent) yield* factsIn(meaning.facts, log);
  if (meaning.follows !== undefined) log.tree.add(id, meaning.follows);
  const { typed } = program;
  const toolOf = (call: string) => calls.toolOf(call);
  const said = meaning.said ?? (message && saidInMessage(message, { toolOf, ...(typed && { typed }) })) ?? [];
  for (const { id: call, tool } of message === undefined ? [] : callsIn(message)) calls.add(call, tool);
  yield* log.parts(said, id, timeOf(meaning.time), part, isSubagent);
  yield* log.usage(meaning.tokens);
}

function* factsIn(facts: Omit<ConversationFacts, "id">, log: SessionLog<Session>): Generator<SourceEvent> {
  const { folder, branch, model, workspace, title, ...others } = facts;
  yield* log.changedFacts({ folder, branch, model, workspace, title });
  if (Object.values(others).some((value) => value !== undefined)) yield log.fact(others);
}
