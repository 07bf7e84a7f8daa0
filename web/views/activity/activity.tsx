// What the assistants did in the vault, by session, each step with its undo; and
// how much went on, day by day.
import { useEffect, useMemo, useState } from "preact/hooks";
import { HistoryEntry, withoutUndo, type Entry } from "../../history/history.tsx";
import { groupsOf, type ActivityGroup, type SessionFacts, type Trace } from "./session-groups.ts";
import { countPerDay, dayAfter, lastDays, sumOf } from "./days.ts";
import { type Recalled, Empty, Loading, RefusalNote, Time } from "../../components/components.ts";
import { sourceName, dateOf, dayName, startOfDay } from "../../format/format.ts";
import { useAnswer, useSession } from "../../server/server.ts";
import { Plot } from "./plot.tsx";

const DAYS = 56;
const MOST = 1000;
/** Groups that are shown at first, and with every further click. */
const GROUPS = 20;

export function ActivityView() {
  const { client } = useSession();
  const { result, refusal, isLoading } = useAnswer<{ entries: readonly Entry[] }>("history", { limit: MOST });
  const entries = useMemo(() => withoutUndo(result?.entries ?? []), [result]);
  const { sessions, traces } = useSessions(entries);
  const groups = useMemo(() => groupsOf(entries, sessions, traces), [entries, sessions, traces]);
  const [count, setCount] = useState(GROUPS);
  const days = lastDays(DAYS, Date.now());
  return (
    <div class="activity">
      <h1>Activity</h1>
      <div class="plots">
        {client.has("recall_conversations") && <ConversationPlot days={days} />}
        <NotePlot days={days} />
      </div>
      {refusal && <RefusalNote refusal={refusal} />}
      {isLoading && <Loading of="the activity" />}
      {result && entries.length === 0 && (
        <Empty title="Nothing was changed yet">
          <p>What an assistant writes, moves or deletes is listed here, and each step can be undone.</p>
        </Empty>
      )}
      {groups.slice(0, count).map((group) => (
        <Group key={group.key} group={group} />
      ))}
      {groups.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + GROUPS)}>
          Show earlier
        </button>
      )}
    </div>
  );
}

function Group({ group: { key, session, entries } }: { group: ActivityGroup }) {
  const latest = entries[0]!.time;
  const title = session?.name || dayName(startOfDay(latest), Date.now());
  return (
    <section class="session" aria-labelledby={`session-${key}`}>
      <header class="section-head">
        <h2 id={`session-${key}`}>{title}</h2>
        <Time at={latest} />
      </header>
      {session?.goal && session.goal !== session.name && <p class="session-goal">{session.goal}</p>}
      <ul class="history">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} isLinked />
        ))}
      </ul>
    </section>
  );
}

interface SessionList {
  readonly data: { readonly sessions: readonly SessionFacts[] };
}

interface Briefing {
  readonly data: { readonly done: readonly Omit<Trace, "session">[] };
}

const NO_SESSIONS: readonly SessionFacts[] = [];
const NO_TRACES: readonly Trace[] = [];
/** Sessions whose traces are asked for: those of the changes that are seen first. */
const MOST_ASKED = 12;

/** The sessions that memory knows, where there is one, and their traces. */
function useSessions(entries: readonly Entry[]) {
  const { client } = useSession();
  const listing = client.has("memoryManager_listSessions") && entries.length > 0 ? { limit: 100 } : undefined;
  const { result } = useAnswer<SessionList>("memoryManager_listSessions", listing);
  const [traces, setTraces] = useState(NO_TRACES);
  const sessions = result?.data.sessions ?? NO_SESSIONS;
  useEffect(() => {
    const oldest = entries.at(-1)?.time ?? Number.POSITIVE_INFINITY;
    const asked = sessions.filter(({ lastUsed }) => lastUsed >= oldest).slice(0, MOST_ASKED);
    void Promise.allSettled(
      asked.map(async ({ id }) => {
        const { data } = await client.call<Briefing>("memoryManager_loadSession", { targetSessionId: id });
        return data.done.map((trace) => ({ ...trace, session: id }));
      }),
    ).then((answers) => setTraces(answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))));
  }, [sessions, entries]);
  return { sessions, traces };
}

/** Counted by the server, of all notes: a large vault is not listed for it. */
function NotePlot({ days }: { days: readonly number[] }) {
  const times = [...days, dayAfter(days.at(-1)!)];
  const { result } = useAnswer<{ notesChanged: readonly number[] }>("history", { limit: 1, times });
  const counts = result?.notesChanged ?? [];
  const series = sumOf(counts) === 0 ? [] : [{ name: "Notes changed", counts }];
  return <Plot title="Notes changed" days={days} series={series} />;
}

function ConversationPlot({ days }: { days: readonly number[] }) {
  const sent = { since: dateOf(days[0]!), project: "all", min_score: 0, limit: 1, group_by: "hour" };
  const { result } = useAnswer<Recalled>("recall_conversations", sent);
  const events = (result?.summary.hours ?? []).map(({ hour, source_tool: source, count }) => ({
    time: Date.parse(hour),
    name: sourceName(source),
    count,
  }));
  return <Plot title="Conversations" days={days} series={countPerDay(events, days)} />;
}
