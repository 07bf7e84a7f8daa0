// The results of a search, page by page, and how many there are of each kind.
// Used by the search view.
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { asSearchResult, resultKey, type SearchResult } from "../../components/components.ts";
import type { Filters, Kind, RouteTo } from "../../navigation/navigation.ts";
import { usePages, useServer, type Pages, type Problem } from "../../server/server.ts";

export interface Found {
  readonly results: readonly SearchResult[];
  /** Undefined until it is known. */
  readonly total: number | undefined;
  /** How many there are of each kind, whether it was asked for or not. */
  readonly counts: Readonly<Record<Kind, number>> | undefined;
  readonly indexing: ResultNamed<"search">["indexing"];
  /** Words of the query that nothing has. */
  readonly unfound: readonly string[] | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

const LIMIT = 50;

/** A query that only filters, and that every note passes: it returns the newest first. */
export const EVERY_NOTE = "-path:.trash";

/** Only conversations have a source or a project, and only their own tool filters by them. */
export function useSearch(route: RouteTo<"search">): Found {
  const { client } = useServer();
  const { query, kinds, since, source, project, folder } = route;
  const isOfConversations = source !== "" || project !== "";
  const search = usePages(
    "search",
    isOfConversations
      ? undefined
      : {
          query,
          limit: LIMIT,
          counts: true,
          hitsOnly: true,
          ...(kinds.length > 0 && { kinds }),
          ...(since !== "" && { since }),
          ...(folder !== "" && { path: folder }),
        },
  );
  const recall = usePages(
    "recall_conversations",
    isOfConversations && client.has("recall_conversations") ? recallInput(query, route, LIMIT) : undefined,
  );
  if (isOfConversations) {
    const total = recall.pages[0]?.summary.total_conversations_found;
    const { not_found } = recall.pages[0] ?? {};
    return foundIn(recall, ({ conversations }) => conversations.map(asSearchResult), total, { not_found });
  }
  const [first] = search.pages;
  return foundIn(search, ({ results }) => results, first?.totalResults, first ?? {});
}

function foundIn<P>(
  { pages, ...state }: Pages<P>,
  resultsOf: (page: P) => readonly SearchResult[],
  total: number | undefined,
  { counts, indexing, not_found }: Pick<Partial<ResultNamed<"search">>, "counts" | "indexing" | "not_found">,
): Found {
  // Something may have changed between two pages.
  const byId = new Map(pages.flatMap(resultsOf).map((result) => [resultKey(result), result]));
  return { ...state, problem: state.problem, results: [...byId.values()], total, counts, indexing, unfound: not_found };
}

/** Only an object, since the source may be any text that the address holds: the server checks it. */
export function recallInput(query: string, { since, source, project }: Filters, limit: number): object {
  return {
    ...(query.trim() === "" ? { newest_first: true } : { search_query: query }),
    limit,
    min_score: 0,
    since: since === "" ? "all" : since,
    project: project === "" ? "all" : project,
    ...(source !== "" && { tools: [source] }),
  };
}
