// The last thirty days in a line, darker for more conversations and changed notes:
// each leads to its day.
import { useMemo } from "preact/hooks";
import { dateOf, dayAfter, exactDay, lastDays, startOfDay } from "../../format/format.ts";
import { addressOf } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";

const DAYS = 30;
const SHADES = 4;

/** @param day the one that is shown, such as 2026-01-31 */
export function DayStrip({ day }: { day: string }) {
  const { client } = useServer();
  const days = useMemo(() => lastDays(DAYS, Date.now()), [dateOf(Date.now())]);
  const notes = useToolCall("history", { limit: 1, times: [...days, dayAfter(days.at(-1)!)] }, { keepsPrevious: true });
  const asked = client.has("recall_conversations")
    ? ({ since: dateOf(days[0]!), project: "all", min_score: 0, limit: 1, group_by: "hour", details: true } as const)
    : undefined;
  const recalled = useToolCall("recall_conversations", asked, { keepsPrevious: true });
  const conversations = new Map<number, number>();
  for (const { hour, count } of recalled.result?.summary.hours ?? []) {
    const start = startOfDay(Date.parse(hour));
    conversations.set(start, (conversations.get(start) ?? 0) + count);
  }
  const counts = days.map((start, i) => ({
    start,
    talks: conversations.get(start) ?? 0,
    changed: notes.result?.notesChanged?.[i] ?? 0,
  }));
  const most = Math.max(1, ...counts.map(({ talks, changed }) => talks + changed));
  return (
    <nav class="day-strip" aria-label="Thirty days">
      {counts.map(({ start, talks, changed }) => {
        const date = dateOf(start);
        const name = `${exactDay(date)}: ${counted(talks, "conversation")}, ${counted(changed, "note")} changed`;
        return (
          <a
            key={date}
            href={addressOf({ view: "today", day: date === dateOf(Date.now()) ? "" : date })}
            title={name}
            aria-label={name}
            aria-current={date === day ? "date" : undefined}
            data-shade={Math.ceil((SHADES * (talks + changed)) / most)}
          />
        );
      })}
    </nav>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
