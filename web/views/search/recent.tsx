// What the page shows first: the notes and conversations that changed last.
import type { ComponentChildren } from "preact";
import { asSearchResult, Icon, Loading, ProblemNote, ResultList } from "../../components/components.ts";
import { addressOf, CONVERSATIONS, VAULT } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";

const NOTES_LIMIT = 8;
const CONVERSATIONS_LIMIT = 5;

export function Recent() {
  const { client } = useServer();
  return (
    <div class="recent">
      <p class="greeting">What are you looking for?</p>
      <RecentNotes />
      {client.has("recall_conversations") && <RecentConversations />}
    </div>
  );
}

function RecentNotes() {
  // A query that only filters, and that every note passes, returns the newest first.
  const { result, problem, isLoading } = useToolCall("search", {
    query: "-path:.trash",
    kinds: ["note"],
    limit: NOTES_LIMIT,
  });
  return (
    <RecentSection of="Notes" all={addressOf(VAULT)}>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="notes" />}
      <ResultList results={result?.results ?? []} typing="search" />
    </RecentSection>
  );
}

function RecentConversations() {
  const input = { since: "all", project: "all", min_score: 0, limit: CONVERSATIONS_LIMIT };
  const { result } = useToolCall("recall_conversations", input);
  if (result === undefined || result.conversations.length === 0) return null;
  return (
    <RecentSection of="Conversations" all={addressOf(CONVERSATIONS)}>
      <ResultList results={result.conversations.map(asSearchResult)} typing="search" />
    </RecentSection>
  );
}

function RecentSection({ of, all, children }: { of: string; all: string; children: ComponentChildren }) {
  const id = `recent-${of.toLowerCase()}`;
  return (
    <section aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{of}</h2>
        <a href={all}>
          All {of.toLowerCase()} <Icon name="fold" />
        </a>
      </header>
      {children}
    </section>
  );
}
