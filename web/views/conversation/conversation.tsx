// Conversations: the list of the latest, and one of them as a thread that can be
// read.
import type { Place } from "../../navigation/navigation.ts";
import {
  Result,
  goThrough,
  asFound,
  type Recalled,
  type RecalledConversation,
  Empty,
  Loading,
  RefusalNote,
} from "../../components/components.ts";
import { sourceName, dayName, startOfDay } from "../../format/format.ts";
import { useAnswer } from "../../server/server.ts";
import { Thread } from "./thread.tsx";

type ConversationPlace = Extract<Place, { view: "conversation" }>;

export function ConversationView({ place }: { place: ConversationPlace }) {
  return place.id === "" ? <Latest /> : <Thread place={place} />;
}

const MOST = 100;

interface Sources {
  readonly sources?: Readonly<Record<string, { readonly found: number; readonly reasons?: readonly string[] }>>;
}

function Latest() {
  const sent = { since: "all", project: "all", min_score: 0, limit: MOST };
  const { result, refusal, isLoading } = useAnswer<Recalled & Sources>("recall_conversations", sent);
  const conversations = (result?.conversations ?? []).toSorted(
    (a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at),
  );
  const sources = Object.entries(result?.sources ?? {}).filter(([, { found }]) => found > 0);
  return (
    <div class="conversation-list">
      <h1>Conversations</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      {isLoading && <Loading of="conversations" />}
      {result && conversations.length === 0 && (
        <Empty title="No conversations yet">
          <p>Those with Claude Code, Cursor, Windsurf, Codex and Gemini on this machine show up here by themselves.</p>
        </Empty>
      )}
      {sources.length > 0 && (
        <p class="count">
          {sources.map(([name, { found }]) => `${found.toLocaleString("en")} with ${sourceName(name)}`).join(", ")}
          {(result?.summary.total_conversations_found ?? 0) > conversations.length &&
            `; the latest ${conversations.length}`}
        </p>
      )}
      {byDay(conversations).map(([day, some]) => (
        <section key={day} aria-label={dayName(day, Date.now())}>
          <header class="section-head">
            <h2>{dayName(day, Date.now())}</h2>
          </header>
          <ol class="results" onKeyDown={goThrough}>
            {some.map(asFound).map((found) => (
              <Result key={found.id} found={found} query="" />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function byDay(conversations: readonly RecalledConversation[]): [day: number, some: RecalledConversation[]][] {
  return [...Map.groupBy(conversations, ({ updated_at: updated }) => startOfDay(Date.parse(updated)))];
}
