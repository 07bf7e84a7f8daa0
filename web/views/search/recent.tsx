// What the page shows before anything is typed: the notes and conversations that
// changed last and pass the filters. If the filters leave one kind, all of it.
import type { ComponentChildren } from "preact";
import { asSearchResult, Icon, Loading, ProblemNote, ResultList } from "../../components/components.ts";
import { addressOf, CONVERSATIONS, VAULT, type RouteTo } from "../../navigation/navigation.ts";
import { usePages, useServer } from "../../server/server.ts";
import { ResultPages } from "./result-pages.tsx";
import { EVERY_NOTE, recallInput } from "./use-search.ts";

/** What fits beside each other; a list of one kind has pages of the other size. */
const FEW = 8;
const PAGE_SIZE = 50;

export function Recent({ route }: { route: RouteTo<"search"> }) {
  const { client } = useServer();
  const { kinds, source, project, folder } = route;
  const isKind = (kind: "note" | "conversation") => kinds.length === 0 || kinds.includes(kind);
  const hasNotes = isKind("note") && source === "" && project === "";
  const hasConversations = client.has("recall_conversations") && isKind("conversation") && folder === "";
  const isWhole = hasNotes !== hasConversations;
  return (
    <div class={isWhole ? "recent" : "recent is-split"}>
      {hasNotes && <RecentNotes route={route} isWhole={isWhole} />}
      {hasConversations && <RecentConversations route={route} isWhole={isWhole} />}
      {!hasNotes && !hasConversations && <p class="none">Type to search the outline.</p>}
    </div>
  );
}

interface RecentProps {
  readonly route: RouteTo<"search">;
  /** All of them, with pages; else only a few. */
  readonly isWhole: boolean;
}

function RecentNotes({ route: { since, folder }, isWhole }: RecentProps) {
  const { pages, problem, isLoading, ...more } = usePages("search", {
    query: EVERY_NOTE,
    kinds: ["note"],
    limit: isWhole ? PAGE_SIZE : FEW,
    hitsOnly: true,
    ...(since !== "" && { since }),
    ...(folder !== "" && { path: folder }),
  });
  const results = pages.flatMap((page) => page.results);
  return (
    <RecentSection of="Notes" all={addressOf(VAULT)}>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && pages.length === 0 && <Loading of="notes" />}
      {pages.length > 0 && results.length === 0 && <p class="none">No note passes the filters.</p>}
      {isWhole ? (
        <ResultPages results={results} query="" typing="search" {...more} />
      ) : (
        <ResultList results={results} typing="search" />
      )}
    </RecentSection>
  );
}

function RecentConversations({ route, isWhole }: RecentProps) {
  const input = recallInput("", route, isWhole ? PAGE_SIZE : FEW);
  const { pages, problem, isLoading, ...more } = usePages("recall_conversations", input);
  const results = pages.flatMap((page) => page.conversations.map(asSearchResult));
  return (
    <RecentSection of="Conversations" all={addressOf(CONVERSATIONS)}>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && pages.length === 0 && <Loading of="conversations" />}
      {pages.length > 0 && results.length === 0 && <p class="none">No conversations yet.</p>}
      {isWhole ? (
        <ResultPages results={results} query="" typing="search" {...more} />
      ) : (
        <ResultList results={results} typing="search" />
      )}
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
