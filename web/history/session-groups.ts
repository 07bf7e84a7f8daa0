// Groups entries of the journal by who asked for them and in which session: as the
// journal has it; for entries of earlier releases by the traces in memory, else by
// time. Entries without a session are grouped by pauses between them. Pure; used
// by use-sessions.ts.
import type { ResultNamed } from "../../src/tools/tools.ts";
import { whoName } from "../format/format.ts";
import { timeOf, type Entry } from "./entry.ts";

export type SessionFacts = Pick<
  ResultNamed<"memoryManager_listSessions">["data"]["sessions"][number],
  "id" | "name" | "goal" | "created" | "lastUsed"
>;
type LoadedSession = ResultNamed<"memoryManager_loadSession">["data"];
export type Trace = NonNullable<LoadedSession["done"]>[number] & { readonly session: string };

export interface SessionOfEntries {
  /** Of its oldest entry: a group to which a session adds entries stays the same one. */
  readonly key: string;
  /** Undefined if the session is unknown. */
  readonly session: SessionFacts | undefined;
  /** The program or person that asked for them, if that is known. */
  readonly by: Entry["by"];
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
): SessionOfEntries[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const guessed = (entry: Entry) => byId.get(tracedSession(entry, traces) ?? "") ?? sessionAt(timeOf(entry), sessions);
  const groups: { id: string; session: SessionFacts | undefined; by: Entry["by"]; entries: Entry[] }[] = [];
  for (const entry of entries.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const { by } = entry;
    const session = by === undefined ? guessed(entry) : byId.get(by.session ?? "");
    // A session that memory does not know is a session all the same.
    const id = by?.session ?? session?.id ?? "";
    const isSame = (one: (typeof groups)[number]) => one.id === id && whoName(one.by) === whoName(by);
    const group =
      id === ""
        ? groups.findLast((one) => isSame(one) && timeOf(one.entries.at(-1)!) - timeOf(entry) < PAUSE)
        : groups.find(isSame);
    if (group === undefined) groups.push({ id, session, by, entries: [entry] });
    else group.entries.push(entry);
  }
  return groups.map((group) => ({ ...group, key: group.entries.at(-1)!.id }));
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
