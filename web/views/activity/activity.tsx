// The activity view: a card for each session of an assistant, with what it made of
// each note and every change with its undo; and plots of the conversations and
// changed notes per day.
import { useState } from "preact/hooks";
import { Empty, Loading, ProblemNote, useTitle } from "../../components/components.ts";
import { countPerDay, dateOf, dayAfter, lastDays, sourceName, sumOf, withOthersAsOne } from "../../format/format.ts";
import { SessionCard, useSessions } from "../../history/history.tsx";
import { useServer, useToolCall } from "../../server/server.ts";
import { Plot } from "./plot.tsx";
import { Scrubber } from "./scrubber.tsx";

const PLOT_DAYS = 56;
/** That the style sheet has for the series of a plot. */
const COLOURS = 5;
const HISTORY_LIMIT = 1000;
/** Sessions that are shown at first, and added by each click. */
const PAGE_SIZE = 20;

export function ActivityView() {
  const { client } = useServer();
  const { sessions, entries, hasMore, problem } = useSessions(HISTORY_LIMIT);
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
      {entries === undefined && problem === undefined && <Loading of="the activity" />}
      {entries?.length === 0 && (
        <Empty title="Nothing has changed yet">
          <p>Everything that an assistant writes, moves or deletes is listed here, and can be undone.</p>
        </Empty>
      )}
      {entries !== undefined && <Scrubber entries={entries} />}
      <h2 class="sessions-title">By session</h2>
      {sessions.slice(0, count).map((session) => (
        <SessionCard key={session.key} of={session} hasChanges />
      ))}
      {sessions.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + PAGE_SIZE)}>
          Show earlier
        </button>
      )}
      {sessions.length <= count && hasMore && (
        <p class="none">These are the last {HISTORY_LIMIT.toLocaleString("en")} changes.</p>
      )}
    </div>
  );
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
