// The search: filters and one list over everything. Without words it is the
// first thing that a person sees: what changed last.
import type { Filters, Place } from "../../navigation/navigation.ts";
import {
  Result,
  type Found,
  goThrough,
  asFound,
  type Recalled,
  Empty,
  Loading,
  RefusalNote,
} from "../../components/components.ts";
import { useAnswer, useSession, type Answer } from "../../server/server.ts";
import { FilterBar } from "./filters.tsx";
import { Recent } from "./recent.tsx";

interface Results {
  readonly results: readonly Found[];
  readonly totalResults: number;
  readonly indexing?: { readonly done: number; readonly total: number };
}

type SearchPlace = Extract<Place, { view: "search" }>;

const MOST = 50;

export function SearchView({ place }: { place: SearchPlace }) {
  const hasQuery = place.query.trim() !== "";
  return (
    <div class="search">
      <h1 class="unseen">{hasQuery ? `Search: ${place.query}` : "Commonplace"}</h1>
      {hasQuery ? <FoundList place={place} /> : <Recent />}
    </div>
  );
}

function FoundList({ place }: { place: SearchPlace }) {
  const { query } = place;
  const answer = useFound(place);
  const { result, refusal, isLoading } = answer;
  return (
    <>
      <FilterBar place={place} />
      {refusal && <RefusalNote refusal={refusal} />}
      {result === undefined && isLoading && <Loading of="results" />}
      <p class="count" role="status">
        {result && countOf(result)}
      </p>
      {result?.results.length === 0 && (
        <Empty title="Nothing found">
          <p>
            Try fewer words, or part of one. Also understood: <code>"a phrase"</code>, <code>-without</code>,{" "}
            <code>tag:#x</code>, <code>path:folder</code>, <code>prop:status=open</code>.
          </p>
        </Empty>
      )}
      <ol class="results" data-typing="search" onKeyDown={goThrough}>
        {result?.results.map((found) => (
          <Result key={`${found.kind} ${found.id}`} found={found} query={query} />
        ))}
      </ol>
    </>
  );
}

function countOf({ totalResults, results, indexing }: Results): string {
  const count = totalResults === 1 ? "1 result" : `${totalResults.toLocaleString("en")} results`;
  const shown = totalResults > results.length ? `, the best ${results.length}` : "";
  const soFar = indexing ? ` so far: ${indexing.done} of ${indexing.total} notes are indexed` : "";
  return totalResults === 0 && !indexing ? "" : count + shown + soFar;
}

/** A source or a project is something that only conversations have. */
function useFound(place: SearchPlace): Answer<Results> {
  const { client } = useSession();
  const { query, kinds, since, source, project, folder } = place;
  const isOfConversations = source !== "" || project !== "";
  const general = useAnswer<Results>(
    "search",
    isOfConversations
      ? undefined
      : {
          query,
          limit: MOST,
          ...(kinds.length > 0 && { kinds }),
          ...(since !== "" && { since }),
          ...(folder !== "" && { path: folder }),
        },
    { keepsLast: true },
  );
  const recalled = useAnswer<Recalled>(
    "recall_conversations",
    isOfConversations && client.has("recall_conversations") ? recallArguments(query, place) : undefined,
    { keepsLast: true },
  );
  if (!isOfConversations) return general;
  const { result, ...state } = recalled;
  return result === undefined ? state : { ...state, result: asResults(result) };
}

function recallArguments(query: string, { since, source, project }: Filters): object {
  return {
    search_query: query,
    limit: MOST,
    min_score: 0,
    since: since === "" ? "all" : since,
    project: project === "" ? "all" : project,
    ...(source !== "" && { tools: [source] }),
  };
}

function asResults({ conversations, summary }: Recalled): Results {
  return { results: conversations.map(asFound), totalResults: summary.total_conversations_found };
}
