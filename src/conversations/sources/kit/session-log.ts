// A program that appends a record to a file for everything that happens in a
// session: its description (`LogProgram`), and the source that is made of it.
// The kit reads lines in pieces, continues where an earlier reading stopped, and
// keeps order, branches, repeated facts and what was skipped; the description
// says what a record means.
import {
  boundedText,
  type Batch,
  type ConversationFacts,
  type ConversationSource,
  type MessagePart,
  type Said,
  type SourceEvent,
  type Tokens,
  type TranscriptFile,
  type Wanted,
} from "../source.ts";
import { cutIf, type CutKeys } from "./brief-json.ts";
import { parsedLine, readJsonLines } from "./json-lines.ts";
import { RecordTree, type SavedTree } from "./record-tree.ts";
import { recordOf } from "./stored-json.ts";
import { usageOf } from "./token-counts.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How a program writes its logs. `Own` is what its functions remember from record to record, and change in place. */
export interface LogProgram<Own> {
  /** @param saved what the reading that this one continues has saved; undefined at the beginning of a file */
  readonly begin: (path: string, saved: Own | undefined, tree: RecordTree) => Own;
  /** What a later reading needs, as JSON. All of it, unless this says otherwise. */
  readonly save?: (own: Own) => unknown;
  /** The conversation that the records belong to. */
  readonly conversation: (own: Own) => string;
  /** Whether everything in the log is of a sub-agent. */
  readonly isSubagent?: (own: Own) => boolean;
  readonly eventsOf: (record: Fields, log: SessionLog<Own>) => Iterable<SourceEvent>;
  /** Runs after each piece of the file, and when only a file beside it has changed. */
  readonly ended?: (log: SessionLog<Own>) => Iterable<SourceEvent>;
  /** Keys of a line below which long texts may be cut: see brief-json.ts. */
  readonly cut?: CutKeys | ((line: Buffer) => CutKeys);
  /** The id of the message of a record that the tree has under this id, unless they are the same. */
  readonly messageOf?: (record: string) => string;
}

/** The checkpoint of such a file. */
interface Saved {
  readonly at: string;
  readonly order: number | undefined;
  readonly facts: Readonly<Record<string, string>>;
  readonly tree: SavedTree;
  readonly own: unknown;
}

/** Facts that many records repeat: emitted when they change. */
type Repeated = Pick<ConversationFacts, "folder" | "branch" | "model" | "workspace" | "title">;

/** In milliseconds: less than between any two records. */
const SHORTLY = 0.001;

/** A log while it is read. */
export class SessionLog<Own = unknown> {
  readonly path: string;
  readonly own: Own;
  /** Records that follow others. Empty if the program keeps no branches. */
  readonly tree: RecordTree;
  readonly #program: LogProgram<Own>;
  #order: number | undefined;
  readonly #facts: Map<string, string>;
  readonly #skipped = new Map<string, number>();

  constructor(path: string, program: LogProgram<Own>, saved: Omit<Saved, "at"> | undefined) {
    this.path = path;
    this.#program = program;
    this.tree = new RecordTree(saved?.tree);
    this.#order = saved?.order;
    this.#facts = new Map(Object.entries(saved?.facts ?? {}));
    this.own = program.begin(path, saved?.own as Own | undefined, this.tree);
  }

  get conversation(): string {
    return this.#program.conversation(this.own);
  }

  get isSubagent(): boolean {
    return this.#program.isSubagent?.(this.own) ?? false;
  }

  /** By time, since sub-agents have files of their own; within a file by its own order. */
  nextOrder(time: number | undefined): number {
    this.#order = Math.max(time ?? 0, (this.#order ?? Number.NEGATIVE_INFINITY) + SHORTLY);
    return this.#order;
  }

  fact(facts: Omit<ConversationFacts, "id">): SourceEvent {
    return { kind: "conversation", facts: { id: this.conversation, ...facts } };
  }

  *changedFacts(facts: Repeated): Generator<SourceEvent> {
    const changed = Object.entries(facts).filter(
      ([name, value]) => value !== undefined && this.#facts.get(name) !== value,
    );
    if (changed.length === 0) return;
    for (const [name, value] of changed) this.#facts.set(name, value!);
    yield this.fact(Object.fromEntries(changed) as Repeated);
  }

  /**
   * @param id of the record
   * @param message its own id, if several records are one message
   * @param isSubagent unless the whole log is that of one
   */
  *parts(
    said: readonly Said[],
    id: string,
    time: number | undefined,
    message = id,
    isSubagent = this.isSubagent,
  ): Generator<SourceEvent> {
    for (const [at, one] of said.entries()) {
      if (one.text === "") continue;
      const kind = isSubagent ? "subagent" : one.kind;
      const part: MessagePart = {
        ...one,
        conversation: this.conversation,
        key: kind === "prose" ? id : `${id}:${at}`,
        message,
        order: this.nextOrder(time),
        kind,
        text: kind === "prose" ? one.text : boundedText(one.text),
        time,
      };
      yield { kind: "part", part };
    }
  }

  usage(tokens: Tokens | undefined): Iterable<SourceEvent> {
    return usageOf(tokens, { conversation: this.conversation });
  }

  total(tokens: Tokens | undefined): Iterable<SourceEvent> {
    return usageOf(tokens, { conversation: this.conversation, isTotal: true });
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** @param what "records", "entries" … */
  skipUnknown(what: string, type: unknown): void {
    this.skip(`${what} of the unknown ${what === "messages" ? "role" : "type"} ${String(type).slice(0, 40)}`);
  }

  *ended(): Generator<SourceEvent> {
    yield* this.#program.ended?.(this) ?? [];
    const { abandoned, revived } = this.tree.changes();
    const { conversation } = this;
    const messageOf = this.#program.messageOf ?? ((id: string) => id);
    for (const id of abandoned) yield { kind: "abandoned", conversation, abandoned: { message: messageOf(id) } };
    for (const id of revived) yield { kind: "revived", conversation, message: messageOf(id) };
    for (const [reason, count] of this.#skipped) yield { kind: "skipped", count, reason };
    this.#skipped.clear();
  }

  saved(at: string): Saved {
    const own = this.#program.save === undefined ? this.own : this.#program.save(this.own);
    return { at, order: this.#order, facts: Object.fromEntries(this.#facts), tree: this.tree.saved, own };
  }
}

export async function* readSessionLog<Own>(
  program: LogProgram<Own>,
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const before = checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as Saved);
  const { cut = [] } = program;
  const cutIn = (line: Buffer) => cutIf(wanted, typeof cut === "function" ? cut(line) : cut);
  let log = new SessionLog(transcript.path, program, before);
  let isLonger = false;
  for await (const { isRewritten, lines, checkpoint: at } of readJsonLines(transcript, before?.at, signal)) {
    const events: SourceEvent[] = [];
    isLonger = true;
    if (isRewritten) {
      events.push({ kind: "rewritten" });
      log = new SessionLog(transcript.path, program, undefined);
    }
    for (const line of lines) {
      const record = recordOf(parsedLine(line, cutIn(line.bytes)));
      if (record === undefined) log.skip("lines that are no records");
      else for (const event of program.eventsOf(record, log)) events.push(event);
    }
    for (const event of log.ended()) events.push(event);
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(log.saved(at)) }];
  }
  // A file beside it may have changed, or its first line.
  if (before === undefined || isLonger || signal.aborted) return;
  yield [...log.ended(), { kind: "checkpoint", checkpoint: JSON.stringify(log.saved(before.at)) }];
}

/** The source of a program that keeps nothing but such logs. */
export function logSource<Own>({
  name,
  title,
  reader,
  resume,
  find,
  ...program
}: LogProgram<Own> & Pick<ConversationSource, "name" | "title" | "reader" | "resume" | "find">): ConversationSource {
  return {
    name,
    title,
    reader,
    ...(resume !== undefined && { resume }),
    emitsNonProseOnce: true,
    find,
    read: (transcript, checkpoint, signal, wanted) => readSessionLog(program, transcript, checkpoint, signal, wanted),
  };
}

/** Calls without a result yet: more than ever run at the same time. */
const MAX_CALLS = 50;

/** By the id of a call, the name of its tool: results have only the id. Part of a log's state. */
export class OpenCalls {
  readonly #tools: Map<string, string>;

  constructor(saved: unknown) {
    this.#tools = new Map(Array.isArray(saved) ? (saved as [string, string][]) : []);
  }

  add(call: string, tool: string): void {
    this.#tools.set(call, tool);
  }

  toolOf(call: string): string | undefined {
    return this.#tools.get(call);
  }

  take(call: string): string | undefined {
    const tool = this.#tools.get(call);
    this.#tools.delete(call);
    return tool;
  }

  toJSON(): readonly (readonly [call: string, tool: string])[] {
    return [...this.#tools].slice(-MAX_CALLS);
  }
}
