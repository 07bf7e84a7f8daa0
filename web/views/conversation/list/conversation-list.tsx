// All conversations by day, newest first, as far as the filters let them through.
// Only those that are visible are rendered, and the next page is loaded before the
// end of the list is reached.
import { useMemo } from "preact/hooks";
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
  useIsWide,
  useTitle,
  VirtualList,
  type RecallResult,
  type SearchResult,
} from "../../../components/components.ts";
import { dayName, sourceName, startOfDay } from "../../../format/format.ts";
import { addressOf, CONVERSATIONS, useNavigation, type RouteTo } from "../../../navigation/navigation.ts";
import { IS_FOR_MEMBERS, usePages, useToolCall, type InputOf } from "../../../server/server.ts";
import { ArchiveImport } from "./archive-import.tsx";
import { firstDay, lastDay, nextDay } from "./day-counts.ts";
import { DayMap } from "./day-map.tsx";
import { ListFilters, OrderChoice } from "./list-filters.tsx";
import { UsagePictures } from "./usage-pictures.tsx";
import { usesIn } from "./usage.ts";

const PAGE_SIZE = 100;

/** The conversations that pass the filters, as the tool is asked for them. */
function inputOf(route: RouteTo<"conversation">, limit: number): InputOf<"recall_conversations"> {
  const { source, project, model, branch, file, since, day, order } = route;
  return {
    project: project || "all",
    min_score: 0,
    limit,
    since: firstDay(day) || since || "all",
    ...(day !== "" && { before: nextDay(lastDay(day)) }),
    ...(source !== "" && { tools: [source] as InputOf<"recall_conversations">["tools"] }),
    ...(model !== "" && { model }),
    ...(branch !== "" && { branch }),
    ...(file !== "" && { touched: file }),
    ...(isOrder(order) ? { order } : { newest_first: true }),
  };
}

function isOrder(order: string): order is "oldest" | "longest" | "shortest" {
  return order === "oldest" || order === "longest" || order === "shortest";
}

export function ConversationList({ route }: { route: RouteTo<"conversation"> }) {
  const { navigate } = useNavigation();
  const { pages, problem, isLoading, hasMore, loadMore } = usePages("recall_conversations", inputOf(route, PAGE_SIZE));
  const facets = useFacetsOf(route);
  // A facet counts what there would be without its own filter.
  const ofAllTimes = useFacetsOf(route.since === "" ? undefined : { ...route, since: "" });
  const hours = (route.since === "" ? facets : ofAllTimes)?.hour;
  const use = useToolCall(
    "recall_conversations",
    { ...inputOf({ ...route, day: "", order: "" }, 1), group_by: "use" },
    { keepsPrevious: true },
  ).result?.groups;
  const uses = useMemo(() => usesIn(use ?? []), [use]);
  const [first] = pages;
  const items = itemsOf(pages, !isOrder(route.order) || route.order === "oldest");
  const isFiltered = addressOf({ ...route, order: "" }) !== addressOf(CONVERSATIONS);
  useTitle("Conversations");
  const list = (
    <>
      {first && <Expiring result={first} />}
      {facets?.hour !== undefined && facets.hour.length > 0 && (
        <>
          <DayMap
            hours={facets.hour}
            chosen={route.day}
            onChoose={(day) => navigate({ ...route, day, since: "" }, { replaces: true })}
          />
          <UsagePictures
            uses={uses}
            messages={facets.hour.reduce((sum, hour) => sum + hour.messages, 0)}
            projects={facets.project?.length ?? 0}
            chosen={route.day}
            onSpan={(day) => navigate({ ...route, day, since: "" }, { replaces: true })}
            onFilter={(filter) => navigate({ ...route, ...filter }, { replaces: true })}
          />
        </>
      )}
      <ListFilters route={route} facets={facets} hours={hours} />
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of="conversations" />}
      {first && (
        <div class="list-head">
          <p class="count" role="status">
            {countText(first.summary.total_conversations_found)}
          </p>
          <OrderChoice route={route} />
        </div>
      )}
      {first && items.length === 0 && isFiltered && (
        <Empty title="No conversation passes these filters">
          <p>
            <a href={addressOf(CONVERSATIONS)}>All conversations</a>
          </p>
        </Empty>
      )}
      {first && items.length === 0 && !isFiltered && (
        <Empty title="No conversations yet">
          {IS_FOR_MEMBERS ? (
            <p>
              Conversations that members share with <code>commonplace push conversations</code> appear here.
            </p>
          ) : (
            <p>
              Conversations with Claude Code, Codex, Copilot, Cursor and other assistants on this machine appear here.
            </p>
          )}
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
    </>
  );
  return (
    <div class="conversations">
      <h1>Conversations</h1>
      <Columns label="About these conversations" aside={<Sources result={first} route={route} />} isFirst>
        {list}
      </Columns>
    </div>
  );
}

/** How many conversations each choice of each filter would leave. */
function useFacetsOf(route: RouteTo<"conversation"> | undefined) {
  const input = route && { ...inputOf({ ...route, day: "", order: "" }, 1), facets: true };
  return useToolCall("recall_conversations", input, { keepsPrevious: true }).result?.facets;
}

type Item =
  | { readonly is: "day"; readonly day: number }
  | { readonly is: "conversation"; readonly result: SearchResult };

/** The conversations; in the order of time, those of a day below its name. */
function itemsOf(pages: readonly RecallResult[], hasDays: boolean): readonly Item[] {
  const items: Item[] = [];
  const seen = new Set<string>();
  let last: number | undefined;
  for (const conversation of pages.flatMap((page) => page.conversations)) {
    const result = asSearchResult(conversation);
    // Something may have changed between two pages.
    if (seen.has(result.id)) continue;
    seen.add(result.id);
    const day = startOfDay(Date.parse(conversation.updated_at));
    if (hasDays && day !== last) items.push({ is: "day", day });
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

/** How many there are of each program, as filters; and the way to import more. */
function Sources({ result, route }: { result: RecallResult | undefined; route: RouteTo<"conversation"> }) {
  const isWide = useIsWide();
  const sources = Object.entries(result?.sources ?? {}).filter(([, { found }]) => found > 0);
  return (
    <>
      {/* On a narrow screen the filters above the list say the same. */}
      {isWide && sources.length > 0 && (
        <section aria-labelledby="sources-title">
          <h2 id="sources-title">Programs</h2>
          <ul class="links">
            {sources.map(([name, { found }]) => (
              <li key={name}>
                <a href={addressOf({ ...route, source: name })}>{sourceName(name)}</a>
                <span class="entry-count">{found.toLocaleString("en")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!IS_FOR_MEMBERS && <ArchiveImport />}
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
