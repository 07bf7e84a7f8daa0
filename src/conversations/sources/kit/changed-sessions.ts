// Sessions in another program's database that changed since an earlier reading,
// read one after the other, with a checkpoint now and then. What the sources of
// opencode, Goose and Crush share.
import { hash } from "node:crypto";
import type { Batch, SourceEvent } from "../source.ts";
import type { RowMark } from "./row-marks.ts";

/** By the session's id, what was read of it: anything that compares as JSON. */
export type SessionMarks<M> = Readonly<Record<string, M>>;

/** What was read of a session: its own row, its messages, and the latest change or number of one of these. */
export type SessionMark = readonly [row: string, messages: string, changed: number];

export function sessionMark(session: object, rows: RowMark | undefined): SessionMark {
  const row = hash("sha1", JSON.stringify(session), "base64url").slice(0, 8);
  return [row, `${rows?.rows ?? 0}.${rows?.bytes ?? 0}`, rows?.changed ?? 0];
}

/** Returns whether the messages are as they were: only the session's own row differs. */
export function hasSameMessages(one: SessionMark | undefined, other: SessionMark): boolean {
  return one !== undefined && one[1] === other[1] && one[2] === other[2];
}

/** Sessions between checkpoints. */
const CHECKPOINT_AFTER = 50;

interface Reading<S, M> {
  readonly sessions: readonly S[];
  readonly markOf: (session: S) => M;
  /** The marks of the earlier reading. */
  readonly before: SessionMarks<M>;
  readonly signal: AbortSignal;
  readonly read: (session: S, before: M | undefined, mark: M) => AsyncIterable<Batch>;
  readonly checkpoint: (marks: SessionMarks<M>) => object;
  /** The ids of all conversations that are there. */
  readonly present: readonly string[];
}

/** Ends without a checkpoint if the signal aborts. */
export async function* readChangedSessions<S extends { readonly id: string }, M>(
  reading: Reading<S, M>,
): AsyncGenerator<Batch> {
  const { sessions, before, signal } = reading;
  const checkpointOf = (all: SessionMarks<M>): SourceEvent => ({
    kind: "checkpoint",
    checkpoint: JSON.stringify(reading.checkpoint(all)),
  });
  const marks: Record<string, M> = {};
  let count = 0;
  for (const session of sessions) {
    if (signal.aborted) return;
    const mark = reading.markOf(session);
    const old = before[session.id];
    if (JSON.stringify(old) !== JSON.stringify(mark)) {
      yield* reading.read(session, old, mark);
      if (signal.aborted) return;
      // For sessions that were not reached yet, the marks of the earlier reading.
      if (++count % CHECKPOINT_AFTER === 0) yield [checkpointOf({ ...before, ...marks, [session.id]: mark })];
    }
    marks[session.id] = mark;
  }
  yield [{ kind: "present", conversations: reading.present }, checkpointOf(marks)];
}

/** More levels of sub-agents than any program allows; parents may also form a circle. */
const DEEPEST = 20;

/** The session that the first of its parents is. */
export function topSession(id: string, parentOf: (id: string) => string | undefined): string {
  let top = id;
  for (let level = 0; level < DEEPEST; level++) {
    const parent = parentOf(top);
    if (parent === undefined) break;
    top = parent;
  }
  return top;
}

const BYTES_AT_ONCE = 1 << 18;

/** Consecutive rows that one query reads: so many, or of so many bytes. */
export function* batchesBySize<T>(
  rows: readonly T[],
  most: number,
  sizeOf: (row: T) => number,
  signal: AbortSignal,
): Generator<readonly T[]> {
  for (let from = 0; from < rows.length && !signal.aborted;) {
    let to = from;
    for (let bytes = 0; to < rows.length && to - from < most && bytes < BYTES_AT_ONCE; to++) bytes += sizeOf(rows[to]!);
    yield rows.slice(from, to);
    from = to;
  }
}
