// The programs and projects of the conversations that a search finds, each with
// how many there are. Asked for once the person stops typing: results come first.
// Used by the search view.
import { useEffect, useState } from "preact/hooks";
import type { RouteTo } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";
import { recallInput } from "./use-search.ts";

export interface Facet {
  readonly key: string;
  readonly count: number;
}

export interface Facets {
  /** Undefined until they are known. */
  readonly sources: readonly Facet[] | undefined;
  readonly projects: readonly Facet[] | undefined;
}

/** In milliseconds. */
const PAUSE = 150;

export function useFacets(route: RouteTo<"search">): Facets {
  const { client } = useServer();
  const query = useSettled(route.query);
  const isOfConversations = route.kinds.length === 0 || route.kinds.includes("conversation");
  const isAsked = client.has("recall_conversations") && isOfConversations && route.folder === "";
  const asked = (filters: typeof route, group: "tool" | "project") =>
    isAsked ? { ...recallInput(query, filters, 1), group_by: group } : undefined;
  // A facet counts what there would be without its own filter.
  const sources = useToolCall("recall_conversations", asked({ ...route, source: "" }, "tool"), { keepsPrevious: true });
  const projects = useToolCall("recall_conversations", asked({ ...route, project: "" }, "project"), {
    keepsPrevious: true,
  });
  return { sources: named(sources.result?.groups), projects: named(projects.result?.groups) };
}

/** What is chosen stays to be taken back, even if nothing passes it. */
export function withChosen(facets: readonly Facet[], chosen: string): readonly Facet[] {
  return chosen === "" || facets.some(({ key }) => key === chosen) ? facets : [{ key: chosen, count: 0 }, ...facets];
}

/** Conversations without a project cannot be filtered by one. */
function named(groups: readonly Facet[] | undefined): readonly Facet[] | undefined {
  return groups?.filter(({ key }) => key !== "");
}

/** The text, once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
