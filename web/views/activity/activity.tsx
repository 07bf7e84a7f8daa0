// The activity view: what each assistant changed, by session, every change with
// its difference and its undo; and plots of the conversations and changed notes per day.
import { useEffect, useMemo, useState } from "preact/hooks";
import { Empty, Loading, ProblemNote, useTitle } from "../../components/components.ts";
import { dateOf, dayName, sourceName, spanText, startOfDay, whoName } from "../../format/format.ts";
import { HistoryEntry, SessionUndo, timeOf, withoutUndoSteps, type Entry } from "../../history/history.tsx";
import { useServer, useToolCall } from "../../server/server.ts";
import { countPerDay, dayAfter, lastDays, sumOf, withOthersAsOne } from "./days.ts";
import { Plot } from "./plot.tsx";
import { groupBySession, type ActivityGroup, type SessionFacts, type Trace } from "./session-groups.ts";

const PLOT_DAYS = 56;
/** That the style sheet has for the series of a plot. */
const COLOURS = 5;
const HISTORY_LIMIT = 1000;
/** Groups that are shown at first, and added by each click. */
const PAGE_SIZE = 20;

export function ActivityView() {
  const { client } = useServer();
  const { result, problem, isLoading } = useToolCall("history", {
    limit: HISTORY_LIMIT,
  });
  const entries = useMemo(() => withoutUndoSteps(result?.entries ?? []), [result]);
  const { sessions, traces } = useSessions(entries);
  const groups = useMemo(() => groupBySession(entries, sessions, traces), [entries, sessions, traces]);
  const [count, setCount] = useState(PAGE_SIZE);
  useTitle("Activity");
  const days = lastDays(PLOT_DAYS, Date.now());
  return (
    <div class="activity">
      <h1>Activity</h1>
      <div class="plots">
        {client.has("recall_conversations") && <ConversationPlot days={days} />}
        <NotePlot days={days} />
      </div>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="the activity" />}
      {result && entries.length === 0 && (
        <Empty title="Nothing has changed yet">
          <p>Everything that an assistant writes, moves or deletes is listed here, and can be undone.</p>
        </Empty>
      )}
      {groups.slice(0, count).map((group) => (
        <Group key={group.key} group={group} />
      ))}
      {groups.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + PAGE_SIZE)}>
          Show earlier
        </button>
      )}
      {groups.length <= count && (result?.entries.length ?? 0) >= HISTORY_LIMIT && (
        <p class="none">These are the last {HISTORY_LIMIT.toLocaleString("en")} changes.</p>
      )}
    </div>
  );
}

function Group({ group: { key, session, by, entries } }: { group: ActivityGroup }) {
  const [latest, first] = [timeOf(entries[0]!), timeOf(entries.at(-1)!)];
  const who = whoName(by);
  const day = dayName(startOfDay(latest), Date.now());
  const goal = goalOf(session);
  return (
    // With its time and goal: an assistant has several sessions on a day.
    <section class="session" aria-labelledby={`session-${key} session-time-${key} session-goal-${key}`}>
      <header class="section-head">
        <h2 id={`session-${key}`}>
          {who} <span class="session-when">· {day}</span>
        </h2>
        <span class="count" id={`session-time-${key}`}>
          {entries.length === 1 ? "1 change" : `${entries.length} changes`}, {spanText(first, latest)}
        </span>
      </header>
      {goal !== undefined && (
        <p class="session-goal" id={`session-goal-${key}`}>
          Goal: {goal}
        </p>
      )}
      <ul class="history">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} isLinked />
        ))}
      </ul>
      <SessionUndo entries={entries} of={`${who}, ${day}`} />
    </section>
  );
}

/** What a model wrote is shown if it says anything: some send a letter. */
function goalOf(session: SessionFacts | undefined): string | undefined {
  return [session?.goal, session?.name].find((text) => text !== undefined && text.trim().length > 3);
}

const NO_SESSIONS: readonly SessionFacts[] = [];
const NO_TRACES: readonly Trace[] = [];
/** Traces are loaded for the latest sessions only: those of the changes at the top. */
const MAX_TRACED_SESSIONS = 12;

/** The sessions in memory and their traces. */
function useSessions(entries: readonly Entry[]) {
  const { client } = useServer();
  const input = client.has("memoryManager_listSessions") && entries.length > 0 ? { limit: 100 } : undefined;
  const { result } = useToolCall("memoryManager_listSessions", input);
  const [traces, setTraces] = useState(NO_TRACES);
  const sessions = result?.data.sessions ?? NO_SESSIONS;
  useEffect(() => {
    const oldest = entries.length === 0 ? Number.POSITIVE_INFINITY : timeOf(entries.at(-1)!);
    const traced = sessions.filter(({ lastUsed }) => Date.parse(lastUsed) >= oldest).slice(0, MAX_TRACED_SESSIONS);
    void Promise.allSettled(
      traced.map(async ({ id }) => {
        const { data } = await client.call("memoryManager_loadSession", { targetSessionId: id });
        return (data.done ?? []).map((trace) => ({ ...trace, session: id }));
      }),
    ).then((calls) => setTraces(calls.flatMap((call) => (call.status === "fulfilled" ? call.value : []))));
  }, [sessions, entries]);
  return { sessions, traces };
}

/** The server counts: a list of 10,000 notes would be 1.3 MB at every change, the counts are 0.4 kB. */
function NotePlot({ days }: { days: readonly number[] }) {
  const times = [...days, dayAfter(days.at(-1)!)];
  const { result } = useToolCall("history", { limit: 1, times });
  const counts = result?.notesChanged ?? [];
  const series = sumOf(counts) === 0 ? [] : [{ name: "Notes changed", counts }];
  return <Plot title="Notes changed" unit="note" days={days} series={series} />;
}

function ConversationPlot({ days }: { days: readonly number[] }) {
  const { result } = useToolCall("recall_conversations", {
    since: dateOf(days[0]!),
    project: "all",
    min_score: 0,
    limit: 1,
    group_by: "hour",
    details: true,
  });
  const events = (result?.summary.hours ?? []).map(({ hour, source_tool: source, count }) => ({
    time: Date.parse(hour),
    name: sourceName(source),
    count,
  }));
  return (
    <Plot
      title="Conversations"
      unit="conversation"
      days={days}
      series={withOthersAsOne(countPerDay(events, days), COLOURS)}
    />
  );
}
