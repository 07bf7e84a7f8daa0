// All results of a search in one list: only those that are visible are rendered,
// and the next page is loaded before its end is reached.
import {
  More,
  moveWithArrowKeys,
  resultHeight,
  ResultItem,
  resultKey,
  VirtualList,
  type SearchResult,
} from "../../components/components.ts";

interface ResultPagesProps {
  readonly results: readonly SearchResult[];
  readonly query: string;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly typing?: "search";
  /** True if these are the results of what was typed before. */
  readonly isStale?: boolean;
}

export function ResultPages({ results, query, hasMore, loadMore, typing, isStale = false }: ResultPagesProps) {
  return (
    <>
      <div class="results" role="list" data-typing={typing} aria-busy={isStale} onKeyDown={moveWithArrowKeys}>
        <VirtualList
          items={results}
          keyOf={resultKey}
          estimateHeight={resultHeight}
          render={(result) => <ResultItem result={result} query={query} />}
        />
      </div>
      {hasMore && <More onVisible={loadMore} />}
    </>
  );
}
