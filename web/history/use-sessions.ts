// The changes of the last days, grouped by the session in which they were made, with
// the goal that its assistant named. Used by Today and by the activity view.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useServer, useToolCall, type Problem } from "../server/server.ts";
import { timeOf, withoutUndoSteps, type Entry } from "./entry.ts";
import { groupBySession, type SessionFacts, type SessionOfEntries, type Trace } from "./session-groups.ts";

interface Sessions {
  /** The newest first. */
  readonly sessions: readonly SessionOfEntries[];
  /** Undefined until the entries are known. */
  readonly entries: readonly Entry[] | undefined;
  /** True if there are older entries. */
  readonly hasMore: boolean;
  readonly problem: Problem | undefined;
}

const NO_SESSIONS: readonly SessionFacts[] = [];
const NO_TRACES: readonly Trace[] = [];
/** Traces are loaded for the latest sessions only: those of the changes at the top. */
const MAX_TRACED_SESSIONS = 12;

/** @param limit of entries */
export function useSessions(limit: number): Sessions {
  const { result, problem } = useToolCall("history", { limit }, { keepsPrevious: true });
  const entries = useMemo(() => withoutUndoSteps(result?.entries ?? []), [result]);
  const { known, traces } = useKnownSessions(entries);
  const sessions = useMemo(() => groupBySession(entries, known, traces), [entries, known, traces]);
  return {
    sessions,
    entries: result && entries,
    hasMore: (result?.entries.length ?? 0) >= limit,
    problem,
  };
}

/** The sessions in memory, and the traces of those that may have made entries without one. */
function useKnownSessions(entries: readonly Entry[]) {
  const { client } = useServer();
  const input = client.has("memoryManager_listSessions") && entries.length > 0 ? { limit: 100 } : undefined;
  const { result } = useToolCall("memoryManager_listSessions", input, { keepsPrevious: true });
  const [traces, setTraces] = useState(NO_TRACES);
  const known = result?.data.sessions ?? NO_SESSIONS;
  useEffect(() => {
    const nameless = entries.filter(({ by }) => by === undefined).map(timeOf);
    if (nameless.length === 0) return;
    const oldest = Math.min(...nameless);
    const traced = known.filter(({ lastUsed }) => Date.parse(lastUsed) >= oldest).slice(0, MAX_TRACED_SESSIONS);
    void Promise.allSettled(
      traced.map(async ({ id }) => {
        const { data } = await client.call("memoryManager_loadSession", { targetSessionId: id });
        return (data.done ?? []).map((trace) => ({ ...trace, session: id }));
      }),
    ).then((calls) => setTraces(calls.flatMap((call) => (call.status === "fulfilled" ? call.value : []))));
  }, [known, entries]);
  return { known, traces };
}
