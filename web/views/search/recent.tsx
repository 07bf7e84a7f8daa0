// What a person sees first: what changed last, of every kind that is here.
import { addressOf } from "../../navigation/navigation.ts";
import {
  Icon,
  goThrough,
  Result,
  type Found,
  asFound,
  type Recalled,
  Loading,
  RefusalNote,
} from "../../components/components.ts";
import { useAnswer, useSession } from "../../server/server.ts";

const MOST = 8;
const MOST_CONVERSATIONS = 5;

export function Recent() {
  const { client } = useSession();
  return (
    <div class="recent">
      <p class="greeting">What are you looking for?</p>
      <RecentNotes />
      {client.has("recall_conversations") && <RecentConversations />}
    </div>
  );
}

function RecentNotes() {
  // A query of nothing but a filter that every note passes: the newest first.
  const { result, refusal, isLoading } = useAnswer<{ results: readonly Found[] }>("search", {
    query: "-path:.trash",
    kinds: ["note"],
    limit: MOST,
  });
  return (
    <section aria-labelledby="recent-notes">
      <header class="section-head">
        <h2 id="recent-notes">Notes</h2>
        <a href={addressOf({ view: "folder", path: "" })}>
          All notes <Icon name="fold" />
        </a>
      </header>
      {refusal && <RefusalNote refusal={refusal} />}
      {isLoading && <Loading of="notes" />}
      <ol class="results" data-typing="search" onKeyDown={goThrough}>
        {result?.results.map((found) => (
          <Result key={found.id} found={found} query="" />
        ))}
      </ol>
    </section>
  );
}

function RecentConversations() {
  const sent = { since: "all", project: "all", min_score: 0, limit: MOST_CONVERSATIONS };
  const { result } = useAnswer<Recalled>("recall_conversations", sent);
  if (result === undefined || result.conversations.length === 0) return null;
  return (
    <section aria-labelledby="recent-conversations">
      <header class="section-head">
        <h2 id="recent-conversations">Conversations</h2>
        <a href={addressOf({ view: "conversation", id: "", message: "", query: "" })}>
          All conversations <Icon name="fold" />
        </a>
      </header>
      <ol class="results" data-typing="search" onKeyDown={goThrough}>
        {result.conversations.map(asFound).map((found) => (
          <Result key={found.id} found={found} query="" />
        ))}
      </ol>
    </section>
  );
}
