// Today, where the page opens: the note of the day, what assistants did since
// yesterday, tasks that are due and conversations to go on with. An earlier day shows
// the same of that day.
import { Columns, IndexProgress, ProblemNote, useTitle } from "../../components/components.ts";
import { DAY, dateOf, dayAfter, exactDay, startOfDay } from "../../format/format.ts";
import { SessionCard, timeOf, useSessions } from "../../history/history.tsx";
import { addressOf, TODAY } from "../../navigation/navigation.ts";
import { IS_FOR_MEMBERS, usePersonCall } from "../../server/server.ts";
import { Conversations } from "./conversations.tsx";
import { DayNote } from "./day-note.tsx";
import { DayStrip } from "./day-strip.tsx";
import { DueTasks } from "./due-tasks.tsx";
import { FirstSteps } from "./first-steps.tsx";

/** In milliseconds. */
const PROGRESS_PAUSE = 700;
/** The changes that are looked through for those of the day. */
const HISTORY_LIMIT = 300;
/** Sessions that are shown; the rest is in the activity. */
const MAX_SESSIONS = 6;

export function TodayView({ day }: { day: string }) {
  const now = Date.now();
  const isToday = day === "" || day === dateOf(now);
  const start = isToday ? startOfDay(now) : Date.parse(`${day}T00:00`);
  const name = exactDay(dateOf(start));
  useTitle(isToday ? "Today" : name);
  return (
    <Columns
      label="Tasks and conversations"
      aside={
        <>
          {isToday && <DueTasks />}
          <Conversations day={isToday ? "" : day} />
        </>
      }
    >
      <div class="today">
        <h1>{name}</h1>
        {!isToday && (
          <p class="today-back">
            <a href={addressOf(TODAY)}>Back to today</a>
          </p>
        )}
        <DayStrip day={dateOf(start)} />
        {isToday && !IS_FOR_MEMBERS && <Beginning />}
        <DayNote day={isToday ? "today" : day} />
        <Changes
          title={isToday ? "Since yesterday" : "What assistants did"}
          from={isToday ? startOfDay(start - DAY / 2) : start}
          to={dayAfter(start)}
        />
      </div>
    </Columns>
  );
}

/** The first steps, until they are taken; and how far the first indexing is. */
function Beginning() {
  const { result } = usePersonCall("progress", ({ notes, conversations }) =>
    notes?.isComplete === false || conversations?.isComplete === false ? PROGRESS_PAUSE : undefined,
  );
  return (
    <>
      <IndexProgress of="notes" indexing={result?.notes} />
      <IndexProgress of="conversations" indexing={result?.conversations} />
      {result?.vault.isGuide && <FirstSteps />}
    </>
  );
}

interface ChangesProps {
  readonly title: string;
  /** In milliseconds: from this time to before the other. */
  readonly from: number;
  readonly to: number;
}

/** A card for each session of an assistant. What the person wrote in the page is not news to them. */
function Changes({ title, from, to }: ChangesProps) {
  const { sessions, entries, problem } = useSessions(HISTORY_LIMIT);
  const ofAssistants = sessions
    .filter(({ by }) => by?.asker !== "person")
    .map((session) => ({
      ...session,
      entries: session.entries.filter((entry) => timeOf(entry) >= from && timeOf(entry) < to),
    }))
    .filter((session) => session.entries.length > 0);
  if (problem) return <ProblemNote problem={problem} />;
  if (entries === undefined) return null;
  return (
    <section aria-labelledby="changes-title" class="today-changes">
      <header class="section-head">
        <h2 id="changes-title">{title}</h2>
        <a href={addressOf({ view: "activity" })}>All activity</a>
      </header>
      {ofAssistants.length === 0 && <p class="none">No assistant changed anything.</p>}
      {ofAssistants.slice(0, MAX_SESSIONS).map((session) => (
        <SessionCard key={session.key} of={session} />
      ))}
      {ofAssistants.length > MAX_SESSIONS && (
        <p>
          <a href={addressOf({ view: "activity" })}>{ofAssistants.length - MAX_SESSIONS} more sessions</a>
        </p>
      )}
    </section>
  );
}
