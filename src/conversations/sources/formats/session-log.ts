// A session in a file with one record per line, which its program appends to:
// what the readers of such programs share. Keeps the order of records, the
// branch that the conversation is on, what is known of it, and what was skipped,
// from one reading to the next.
import type { CutKeys } from "./brief-json.ts";
import { parsedLine, readJsonLines } from "./json-lines.ts";
import { RecordTree, type SavedTree } from "./record-tree.ts";
import { recordOf } from "./stored-json.ts";
import type { Batch, ConversationFacts, SourceEvent, TranscriptFile } from "../source.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The checkpoint of such a file. */
interface Saved {
  readonly at: string;
  readonly order: number | undefined;
  readonly facts: Readonly<Record<string, string>>;
  readonly tree: SavedTree;
  readonly own: unknown;
}

/** Facts that many records repeat: emitted when they change. */
type Repeated = Pick<ConversationFacts, "folder" | "branch" | "model" | "workspace">;

/** In milliseconds: less than between any two records. */
const SHORTLY = 0.001;

export class SessionLog {
  readonly tree: RecordTree;
  #order: number | undefined;
  readonly #facts: Map<string, string>;
  readonly #skipped = new Map<string, number>();

  constructor(saved: Omit<Saved, "at" | "own"> | undefined) {
    this.tree = new RecordTree(saved?.tree);
    this.#order = saved?.order;
    this.#facts = new Map(Object.entries(saved?.facts ?? {}));
  }

  /** By time, since sub-agents have files of their own; within a file by its own order. */
  nextOrder(time: number | undefined): number {
    this.#order = Math.max(time ?? 0, (this.#order ?? Number.NEGATIVE_INFINITY) + SHORTLY);
    return this.#order;
  }

  *changedFacts(id: string, facts: Repeated): Generator<SourceEvent> {
    const changed = Object.entries(facts).filter(
      ([name, value]) => value !== undefined && this.#facts.get(name) !== value,
    );
    if (changed.length === 0) return;
    for (const [name, value] of changed) this.#facts.set(name, value!);
    yield { kind: "conversation", facts: { id, ...(Object.fromEntries(changed) as Repeated) } };
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** What a piece of the file brought beside its records. */
  *ended(conversation: string, messageOf: (record: string) => string): Generator<SourceEvent> {
    const { abandoned, revived } = this.tree.changes();
    for (const id of abandoned) yield { kind: "abandoned", conversation, abandoned: { message: messageOf(id) } };
    for (const id of revived) yield { kind: "revived", conversation, message: messageOf(id) };
    for (const [reason, count] of this.#skipped) yield { kind: "skipped", count, reason };
    this.#skipped.clear();
  }

  get saved(): Omit<Saved, "at" | "own"> {
    return { order: this.#order, facts: Object.fromEntries(this.#facts), tree: this.tree.saved };
  }
}

/** The reader of one file. */
export interface LogReader {
  readonly eventsOf: (record: Fields) => Iterable<SourceEvent>;
  /** After each piece. */
  readonly ended: () => Iterable<SourceEvent>;
  /** Plain data, handed to the reader that continues. */
  readonly state: () => unknown;
}

/**
 * @param make a reader, for a file that is read from its beginning or on from where another stopped
 * @param cutIn keys of a line below which long texts are cut: see brief-json.ts
 */
export async function* readSessionLog(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  make: (log: SessionLog, state: unknown) => LogReader,
  cutIn: (line: Buffer) => CutKeys = () => [],
): AsyncGenerator<Batch> {
  const before = checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as Saved);
  let log = new SessionLog(before);
  let reader = make(log, before?.own);
  for await (const { isRewritten, lines, checkpoint: at } of readJsonLines(transcript, before?.at, signal)) {
    const events: SourceEvent[] = [];
    if (isRewritten) {
      events.push({ kind: "rewritten" });
      log = new SessionLog(undefined);
      reader = make(log, undefined);
    }
    for (const line of lines) {
      const record = recordOf(parsedLine(line, cutIn(line.bytes)));
      if (record === undefined) log.skip("lines that are no records");
      else for (const event of reader.eventsOf(record)) events.push(event);
    }
    for (const event of reader.ended()) events.push(event);
    const saved: Saved = { at, ...log.saved, own: reader.state() };
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(saved) }];
  }
}
