// The search view: filters and results of every kind. Without a query, which is
// how the page opens, it shows what changed recently.
import type { ResultNamed } from "../../../src/tools/tools.ts";
import {
  asSearchResult,
  Empty,
  Loading,
  ProblemNote,
  ResultList,
  type RecallResult,
  type SearchResult,
} from "../../components/components.ts";
import type { Filters, RouteTo } from "../../navigation/navigation.ts";
import { useServer, useToolCall, type ToolCall } from "../../server/server.ts";
import { FilterBar } from "./filters.tsx";
import { Recent } from "./recent.tsx";

type Results = Pick<ResultNamed<"search">, "totalResults" | "indexing"> & {
  readonly results: readonly SearchResult[];
};

const LIMIT = 50;

export function SearchView({ route }: { route: RouteTo<"search"> }) {
  const hasQuery = route.query.trim() !== "";
  return (
    <div class="search">
      <h1 class="visually-hidden">{hasQuery ? `Search: ${route.query}` : "Commonplace"}</h1>
      {hasQuery ? <Found route={route} /> : <Recent />}
    </div>
  );
}

function Found({ route }: { route: RouteTo<"search"> }) {
  const { result, problem, isLoading } = useSearch(route);
  return (
    <>
      <FilterBar route={route} />
      {problem && <ProblemNote problem={problem} />}
      {result === undefined && isLoading && <Loading of="results" />}
      <p class="count" role="status">
        {result && countText(result)}
      </p>
      {result?.results.length === 0 && (
        <Empty title="Nothing found">
          <p>
            Try fewer words, or part of a word. You can also search for <code>"a phrase"</code>, <code>-without</code>,{" "}
            <code>tag:#x</code>, <code>path:folder</code>, <code>prop:status=open</code>.
          </p>
        </Empty>
      )}
      <ResultList results={result?.results ?? []} query={route.query} typing="search" />
    </>
  );
}

function countText({ totalResults, results, indexing }: Results): string {
  const count = totalResults === 1 ? "1 result" : `${totalResults.toLocaleString("en")} results`;
  const shown = totalResults > results.length ? `, showing the best ${results.length}` : "";
  const soFar = indexing ? ` so far: ${indexing.done} of ${indexing.total} notes are indexed` : "";
  return totalResults === 0 && !indexing ? "" : count + shown + soFar;
}

/** Only conversations have a source or a project, and only their own tool filters by them. */
function useSearch(route: RouteTo<"search">): ToolCall<Results> {
  const { client } = useServer();
  const { query, kinds, since, source, project, folder } = route;
  const isOfConversations = source !== "" || project !== "";
  const search = useToolCall(
    "search",
    isOfConversations
      ? undefined
      : {
          query,
          limit: LIMIT,
          ...(kinds.length > 0 && { kinds }),
          ...(since !== "" && { since }),
          ...(folder !== "" && { path: folder }),
        },
    { keepsPrevious: true },
  );
  const recall = useToolCall(
    "recall_conversations",
    isOfConversations && client.has("recall_conversations") ? recallInput(query, route) : undefined,
    { keepsPrevious: true },
  );
  if (!isOfConversations) return search;
  const { result, ...state } = recall;
  return result === undefined ? state : { ...state, result: asResults(result) };
}

/** Only an object, since the source may be any text that the address holds: the server checks it. */
function recallInput(query: string, { since, source, project }: Filters): object {
  return {
    search_query: query,
    limit: LIMIT,
    min_score: 0,
    since: since === "" ? "all" : since,
    project: project === "" ? "all" : project,
    ...(source !== "" && { tools: [source] }),
  };
}

function asResults({ conversations, summary }: RecallResult): Results {
  return { results: conversations.map(asSearchResult), totalResults: summary.total_conversations_found };
}
