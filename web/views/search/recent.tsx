// What the page shows first: the notes and conversations that changed last.
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
    <section aria-labelledby="recent-notes">
      <header class="section-head">
        <h2 id="recent-notes">Notes</h2>
        <a href={addressOf(VAULT)}>
          All notes <Icon name="fold" />
        </a>
      </header>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="notes" />}
      <ResultList results={result?.results ?? []} typing="search" />
    </section>
  );
}

function RecentConversations() {
  const input = { since: "all", project: "all", min_score: 0, limit: CONVERSATIONS_LIMIT };
  const { result } = useToolCall("recall_conversations", input);
  if (result === undefined || result.conversations.length === 0) return null;
  return (
    <section aria-labelledby="recent-conversations">
      <header class="section-head">
        <h2 id="recent-conversations">Conversations</h2>
        <a href={addressOf(CONVERSATIONS)}>
          All conversations <Icon name="fold" />
        </a>
      </header>
      <ResultList results={result.conversations.map(asSearchResult)} typing="search" />
    </section>
  );
}
