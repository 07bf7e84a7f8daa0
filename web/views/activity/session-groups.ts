// Groups entries of the journal by the session in which they were made: by the
// traces in memory, else by time. Entries without a session are grouped by pauses
// between them. Pure; used by the activity view.
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { timeOf, type Entry } from "../../history/history.tsx";

export type SessionFacts = Pick<
  ResultNamed<"memoryManager_listSessions">["data"]["sessions"][number],
  "id" | "name" | "goal" | "created" | "lastUsed"
>;
type LoadedSession = ResultNamed<"memoryManager_loadSession">["data"];
export type Trace = NonNullable<LoadedSession["done"]>[number] & { readonly session: string };

export interface ActivityGroup {
  readonly key: string;
  /** Undefined if the session is unknown. */
  readonly session: SessionFacts | undefined;
  /** Newest first. */
  readonly entries: readonly Entry[];
}

/** A trace is written when its call ends: at most so many milliseconds after the change. */
const TRACE_DELAY = 5_000;
/** Entries further apart belong to different groups, in milliseconds. */
const PAUSE = 30 * 60_000;

export function groupBySession(
  entries: readonly Entry[],
  sessions: readonly SessionFacts[],
  traces: readonly Trace[],
): ActivityGroup[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const groups: { key: string; session: SessionFacts | undefined; entries: Entry[] }[] = [];
  for (const entry of entries.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const session = byId.get(tracedSession(entry, traces) ?? "") ?? sessionAt(timeOf(entry), sessions);
    const group =
      session === undefined
        ? groups.findLast((one) => one.session === undefined && timeOf(one.entries.at(-1)!) - timeOf(entry) < PAUSE)
        : groups.find((one) => one.session === session);
    if (group === undefined) groups.push({ key: session?.id ?? entry.id, session, entries: [entry] });
    else group.entries.push(entry);
  }
  return groups;
}

function tracedSession(entry: Entry, traces: readonly Trace[]): string | undefined {
  const matches = ({ tool, when, paths = [] }: Trace) =>
    tool === entry.tool &&
    Math.abs(Date.parse(when) - timeOf(entry)) < TRACE_DELAY &&
    paths.some((path) => entry.paths.some((touched) => touched.replace(/\.md$/i, "") === path.replace(/\.md$/i, "")));
  return traces.find(matches)?.session;
}

/** The shortest session that was active at the time. */
function sessionAt(time: number, sessions: readonly SessionFacts[]): SessionFacts | undefined {
  return sessions
    .map((session) => ({ session, from: Date.parse(session.created), to: Date.parse(session.lastUsed) }))
    .filter(({ from, to }) => from - TRACE_DELAY <= time && time <= to + TRACE_DELAY)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from))[0]?.session;
}
