// Which change was made in which session: as memory's traces tell, else by when
// it was made; changes of no session are put together by pauses. Pure.
import type { Entry } from "../../history/history.tsx";

export interface SessionFacts {
  readonly id: string;
  readonly name: string;
  readonly goal?: string;
  readonly created: number;
  readonly lastUsed: number;
}

export interface Trace {
  readonly session: string;
  readonly when: number;
  readonly tool: string;
  readonly paths?: readonly string[];
}

export interface ActivityGroup {
  readonly key: string;
  /** Undefined where no session is known. */
  readonly session: SessionFacts | undefined;
  /** The latest first. */
  readonly entries: readonly Entry[];
}

/** A trace is left when its call ends: so much later than the change at the most. */
const TRACE_DELAY = 5_000;
/** After a pause like this something else was begun. */
const PAUSE = 30 * 60_000;

export function groupsOf(
  entries: readonly Entry[],
  sessions: readonly SessionFacts[],
  traces: readonly Trace[],
): ActivityGroup[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const groups: { key: string; session: SessionFacts | undefined; entries: Entry[] }[] = [];
  for (const entry of entries.toSorted((a, b) => b.time - a.time)) {
    const session = byId.get(tracedSession(entry, traces) ?? "") ?? sessionAt(entry.time, sessions);
    const group =
      session === undefined
        ? groups.findLast((one) => one.session === undefined && one.entries.at(-1)!.time - entry.time < PAUSE)
        : groups.find((one) => one.session === session);
    if (group === undefined) groups.push({ key: session?.id ?? entry.id, session, entries: [entry] });
    else group.entries.push(entry);
  }
  return groups;
}

function tracedSession(entry: Entry, traces: readonly Trace[]): string | undefined {
  const isOf = ({ tool, when, paths = [] }: Trace) =>
    tool === entry.tool &&
    Math.abs(when - entry.time) < TRACE_DELAY &&
    paths.some((path) => entry.paths.some((touched) => touched.replace(/\.md$/i, "") === path.replace(/\.md$/i, "")));
  return traces.find(isOf)?.session;
}

/** Of the sessions in whose time it was, the shortest. */
function sessionAt(time: number, sessions: readonly SessionFacts[]): SessionFacts | undefined {
  return sessions
    .filter(({ created, lastUsed }) => created - TRACE_DELAY <= time && time <= lastUsed + TRACE_DELAY)
    .toSorted((a, b) => a.lastUsed - a.created - (b.lastUsed - b.created))[0];
}
