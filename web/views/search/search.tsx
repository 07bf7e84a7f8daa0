// The search view: filters, results of every kind, and how many there are in each.
// Without a query, which is how the page opens, it shows what changed recently.
import { Columns, Empty, IndexProgress, Loading, ProblemNote, useIsWide } from "../../components/components.ts";
import { addressOf, SEARCH, useNavigation, type Kind, type RouteTo } from "../../navigation/navigation.ts";
import { IS_FOR_MEMBERS, usePersonCall } from "../../server/server.ts";
import { FacetColumn } from "./facet-column.tsx";
import { FilterBar } from "./filters.tsx";
import { Recent } from "./recent.tsx";
import { ResultPages } from "./result-pages.tsx";
import { useFacets } from "./use-facets.ts";
import { usePeriodCounts } from "./use-period-counts.ts";
import { useSearch, type Found } from "./use-search.ts";

/** In milliseconds. */
const PROGRESS_PAUSE = 700;

export function SearchView({ route }: { route: RouteTo<"search"> }) {
  const hasQuery = route.query.trim() !== "";
  return (
    <div class="search">
      <h1 class="visually-hidden">{hasQuery ? `Search: ${route.query}` : "Commonplace"}</h1>
      {hasQuery ? <Results route={route} /> : <Start route={route} />}
    </div>
  );
}

function Start({ route }: { route: RouteTo<"search"> }) {
  const facets = useFacets(route);
  const periods = usePeriodCounts(route);
  return (
    <>
      <FilterBar route={route} facets={facets} periods={periods} counts={undefined} isBrief={false} />
      {!IS_FOR_MEMBERS && <Beginning />}
      <Recent route={route} />
    </>
  );
}

/** While the notes are those of the guide, the way to one's own; and how far the first indexing is. */
function Beginning() {
  const { result } = usePersonCall("progress", ({ notes, conversations }) =>
    notes?.isComplete === false || conversations?.isComplete === false ? PROGRESS_PAUSE : undefined,
  );
  return (
    <>
      {result?.vault.isGuide && (
        <p class="beginning">
          <span>These are the notes of the guide. Choose your own, and connect an assistant.</span>
          <a class="button primary" href={addressOf({ view: "begin" })}>
            Set up
          </a>
        </p>
      )}
      <IndexProgress of="notes" indexing={result?.notes} />
      <IndexProgress of="conversations" indexing={result?.conversations} />
    </>
  );
}

function Results({ route }: { route: RouteTo<"search"> }) {
  const found = useSearch(route);
  const facets = useFacets(route);
  const periods = usePeriodCounts(route);
  const isWide = useIsWide();
  const list = (
    <>
      <FilterBar route={route} facets={facets} periods={periods} counts={found.counts} isBrief={isWide} />
      {found.problem && <ProblemNote problem={found.problem} />}
      {found.total === undefined && found.isLoading && <Loading of="results" />}
      <p class="count" role="status">
        {countText(found)}
      </p>
      {found.total === 0 && <NothingFound route={route} found={found} />}
      <ResultPages
        results={found.results}
        query={route.query}
        hasMore={found.hasMore}
        loadMore={found.loadMore}
        isStale={found.isLoading}
        typing="search"
      />
    </>
  );
  if (!isWide) return list;
  return (
    <Columns label="Filters" aside={<FacetColumn route={route} facets={facets} periods={periods} />}>
      {list}
    </Columns>
  );
}

function countText({ total, indexing, unfound = [] }: Found): string {
  const missing = unfound.length === 0 ? "" : `No text has: ${unfound.join(", ")}.`;
  if (total === undefined || (total === 0 && !indexing)) return missing;
  const count = total === 1 ? "1 result" : `${total.toLocaleString("en")} results`;
  return indexing
    ? `${count} so far: ${indexing.done} of ${indexing.total} notes are indexed`
    : `${count}${missing && `. ${missing}`}`;
}

const NAMES: Readonly<Record<Kind, string>> = { note: "notes", outline: "outlines", conversation: "conversations" };

/** If a filter is the reason, says where there is something instead. */
function NothingFound({ route, found: { counts } }: { route: RouteTo<"search">; found: Found }) {
  const { navigate } = useNavigation();
  const elsewhere = (Object.entries(counts ?? {}) as [Kind, number][]).filter(
    ([kind, count]) => count > 0 && !route.kinds.includes(kind),
  );
  const isFiltered = route.since + route.folder + route.source + route.project !== "";
  const without = { ...SEARCH, query: route.query };
  return (
    <Empty
      title={elsewhere.length > 0 ? `None in ${route.kinds.map((kind) => NAMES[kind]).join(" and ")}` : "Nothing found"}
    >
      {elsewhere.map(([kind, count]) => (
        <p key={kind}>
          {count.toLocaleString("en")} in {NAMES[kind]}:{" "}
          <button type="button" class="link" onClick={() => navigate({ ...route, kinds: [kind] }, { replaces: true })}>
            show
          </button>
        </p>
      ))}
      {isFiltered && (
        <p>
          Some filters are set:{" "}
          <button type="button" class="link" onClick={() => navigate(without, { replaces: true })}>
            search without them
          </button>
        </p>
      )}
      {elsewhere.length === 0 && (
        <p>
          Try fewer words, or part of a word. You can also search for <code>"a phrase"</code>, <code>-without</code>,{" "}
          <code>tag:#x</code>, <code>path:folder</code>, <code>prop:status=open</code>.
        </p>
      )}
    </Empty>
  );
}
