// All conversations by day, newest first. Only those that are visible are
// rendered, and the next page is loaded before the end of the list is reached.
import {
  asSearchResult,
  Columns,
  Empty,
  Loading,
  More,
  moveWithArrowKeys,
  ProblemNote,
  resultHeight,
  ResultItem,
  resultKey,
  useTitle,
  VirtualList,
  type RecallResult,
  type SearchResult,
} from "../../components/components.ts";
import { dayName, sourceName, startOfDay } from "../../format/format.ts";
import { addressOf, HOME } from "../../navigation/navigation.ts";
import { usePages } from "../../server/server.ts";
import { ArchiveImport } from "./archive-import.tsx";

const PAGE_SIZE = 100;
const INPUT = { since: "all", project: "all", min_score: 0, newest_first: true, limit: PAGE_SIZE };

export function ConversationList() {
  const { pages, problem, isLoading, hasMore, loadMore } = usePages("recall_conversations", INPUT);
  const [first] = pages;
  const items = itemsOf(pages);
  useTitle("Conversations");
  return (
    <Columns label="About these conversations" aside={<Sources result={first} />} isFirst>
      <h1>Conversations</h1>
      {first && <Expiring result={first} />}
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="conversations" />}
      {first && (
        <p class="count" role="status">
          {countText(first.summary.total_conversations_found)}
        </p>
      )}
      {first && items.length === 0 && (
        <Empty title="No conversations yet">
          <p>
            Conversations with Claude Code, Codex, Copilot, Cursor and other assistants on this machine appear here.
          </p>
        </Empty>
      )}
      <div class="results" role="list" onKeyDown={moveWithArrowKeys}>
        <VirtualList
          items={items}
          keyOf={(item) => (item.is === "day" ? `day ${item.day}` : resultKey(item.result))}
          estimateHeight={(item) => (item.is === "day" ? 60 : resultHeight(item.result))}
          render={(item) =>
            item.is === "day" ? <DayHead day={item.day} /> : <ResultItem result={item.result} query="" />
          }
        />
      </div>
      {hasMore && <More onVisible={loadMore} />}
    </Columns>
  );
}

type Item =
  | { readonly is: "day"; readonly day: number }
  | { readonly is: "conversation"; readonly result: SearchResult };

/** Each day's name, followed by its conversations. */
function itemsOf(pages: readonly RecallResult[]): readonly Item[] {
  const items: Item[] = [];
  const seen = new Set<string>();
  let last: number | undefined;
  for (const conversation of pages.flatMap((page) => page.conversations)) {
    const result = asSearchResult(conversation);
    // Something may have changed between two pages.
    if (seen.has(result.id)) continue;
    seen.add(result.id);
    const day = startOfDay(Date.parse(conversation.updated_at));
    if (day !== last) items.push({ is: "day", day });
    last = day;
    items.push({ is: "conversation", result });
  }
  return items;
}

function DayHead({ day }: { day: number }) {
  return (
    <div class="section-head" role="listitem">
      <h2>{dayName(day, Date.now())}</h2>
    </div>
  );
}

function countText(count: number): string {
  return count === 0 ? "" : count === 1 ? "1 conversation" : `${count.toLocaleString("en")} conversations`;
}

/** How many there are of each program, as links to a search for them; and the way to import more. */
function Sources({ result }: { result: RecallResult | undefined }) {
  const sources = Object.entries(result?.sources ?? {}).filter(([, { found }]) => found > 0);
  return (
    <>
      {sources.length > 0 && (
        <section aria-labelledby="sources-title">
          <h2 id="sources-title">Programs</h2>
          <ul class="links">
            {sources.map(([name, { found }]) => (
              <li key={name}>
                <a href={addressOf({ ...HOME, kinds: ["conversation"], source: name })}>{sourceName(name)}</a>
                <span class="entry-count">{found.toLocaleString("en")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ArchiveImport />
    </>
  );
}

/** What programs are about to delete, and how to keep it. */
function Expiring({ result: { sources } }: { result: RecallResult }) {
  return (
    <>
      {Object.entries(sources).map(([name, { about_to_be_deleted: expiring }]) =>
        expiring === undefined ? null : (
          <p key={name} class="callout" data-tone="warning" role="note">
            {sourceName(name)} deletes conversations after {Math.round(expiring.days)} days, and {expiring.count} of its
            files that are not kept here yet are about to go. <code>commonplace index</code> keeps them,{" "}
            <code>commonplace index --install</code> from now on by itself; <code>{expiring.setting}</code> in{" "}
            <code>{expiring.file}</code> raises the limit.
          </p>
        ),
      )}
    </>
  );
}
