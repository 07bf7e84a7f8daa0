// How many results there would be since each of the days that a search can be
// narrowed to. Counted one after the other once the person has stopped typing:
// each is a search of its own, and results come first. Used by the search view.
import { useEffect, useState } from "preact/hooks";
import { periodsWith } from "../../format/format.ts";
import type { RouteTo } from "../../navigation/navigation.ts";
import { useServer } from "../../server/server.ts";
import { EVERY_NOTE, recallInput } from "./use-search.ts";

/** By day. Those that are not known yet are missing. */
export type PeriodCounts = ReadonlyMap<string, number>;

type Client = ReturnType<typeof useServer>["client"];

/** After the last letter, in milliseconds. */
const PAUSE = 400;
const NO_COUNTS: PeriodCounts = new Map();

export function usePeriodCounts(route: RouteTo<"search">): PeriodCounts {
  const { client, version } = useServer();
  const [counted, setCounted] = useState({ key: "", counts: NO_COUNTS });
  const days = periodsWith(route.since).map(([day]) => day);
  const key = JSON.stringify([{ ...route, since: "" }, days, client.vault]);
  useEffect(() => {
    const controller = new AbortController();
    const count = async () => {
      const counts = new Map<string, number>();
      // The longest period first: if it has nothing, no shorter one has.
      for (const day of days.toSorted()) {
        const isNone = [...counts.values()].includes(0);
        counts.set(day, isNone ? 0 : await countSince(client, { ...route, since: day }, controller.signal));
      }
      if (!controller.signal.aborted) setCounted({ key, counts });
    };
    // Without counts the filters work all the same.
    const timer = setTimeout(() => void count().catch(() => {}), PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, key, version]);
  return counted.key === key ? counted.counts : NO_COUNTS;
}

/** As many as the view would list. */
async function countSince(client: Client, route: RouteTo<"search">, signal: AbortSignal): Promise<number> {
  const { query, kinds, since, source, project, folder } = route;
  const hasQuery = query.trim() !== "";
  const isOfConversations = source !== "" || project !== "";
  const hasConversations = kinds.length === 0 || kinds.includes("conversation");
  const conversations = async () => {
    if (!client.has("recall_conversations")) return 0;
    const { summary } = await client.call("recall_conversations", recallInput(query, route, 1), signal);
    return summary.total_conversations_found;
  };
  if (isOfConversations) return conversations();
  const asked = {
    limit: 1,
    hitsOnly: true,
    since,
    ...(folder !== "" && { path: folder }),
  };
  if (hasQuery) {
    const input = { ...asked, query, ...(kinds.length > 0 && { kinds }) };
    return (await client.call("search", input, signal)).totalResults;
  }
  const hasNotes = kinds.length === 0 || kinds.includes("note");
  const input = { ...asked, query: EVERY_NOTE, kinds: ["note" as const] };
  const notes = hasNotes ? (await client.call("search", input, signal)).totalResults : 0;
  return notes + (hasConversations && folder === "" ? await conversations() : 0);
}
