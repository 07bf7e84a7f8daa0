// The view of conversations: a list of the latest ones, or one of them as a
// thread.
import {
  asSearchResult,
  Empty,
  Loading,
  ProblemNote,
  ResultList,
  type RecalledConversation,
} from "../../components/components.ts";
import { dayName, sourceName, startOfDay } from "../../format/format.ts";
import type { RouteTo } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import { ArchiveImport } from "./archive-import.tsx";
import { Thread } from "./thread.tsx";

export function ConversationView({ route }: { route: RouteTo<"conversation"> }) {
  return route.id === "" ? <LatestConversations /> : <Thread route={route} />;
}

const LIMIT = 100;

function LatestConversations() {
  const input = { since: "all", project: "all", min_score: 0, limit: LIMIT };
  const { result, problem, isLoading } = useToolCall("recall_conversations", input);
  const conversations = (result?.conversations ?? []).toSorted(
    (a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at),
  );
  const sources = Object.entries(result?.sources ?? {}).filter(([, { found }]) => found > 0);
  return (
    <div class="conversation-list">
      <h1>Conversations</h1>
      <ArchiveImport />
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="conversations" />}
      {result && conversations.length === 0 && (
        <Empty title="No conversations yet">
          <p>
            Conversations with Claude Code, Codex, Copilot, Cursor and other assistants on this machine appear here.
          </p>
        </Empty>
      )}
      {sources.length > 0 && (
        <p class="count">
          {sources.map(([name, { found }]) => `${found.toLocaleString("en")} with ${sourceName(name)}`).join(", ")}
          {(result?.summary.total_conversations_found ?? 0) > conversations.length &&
            `; showing the latest ${conversations.length}`}
        </p>
      )}
      {Object.entries(result?.sources ?? {}).map(([name, { about_to_be_deleted: expiring }]) =>
        expiring === undefined ? null : (
          <p key={name} class="callout warning" role="note">
            {sourceName(name)} deletes conversations after {Math.round(expiring.days)} days, and {expiring.count} of its
            files that are not kept here yet are about to go. <code>commonplace index</code> keeps them,{" "}
            <code>commonplace index --install</code> from now on by itself; <code>{expiring.setting}</code> in{" "}
            <code>{expiring.file}</code> raises the limit.
          </p>
        ),
      )}
      {byDay(conversations).map(([day, ofDay]) => (
        <section key={day} aria-label={dayName(day, Date.now())}>
          <header class="section-head">
            <h2>{dayName(day, Date.now())}</h2>
          </header>
          <ResultList results={ofDay.map(asSearchResult)} />
        </section>
      ))}
    </div>
  );
}

function byDay(conversations: readonly RecalledConversation[]): [day: number, ofDay: RecalledConversation[]][] {
  return [...Map.groupBy(conversations, ({ updated_at: updated }) => startOfDay(Date.parse(updated)))];
}
