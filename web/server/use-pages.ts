// Calls a tool whose result comes in pages, and adds a page whenever the view
// asks for more. After a change on the server all pages that were loaded are
// loaded again before they replace the old ones, so that nothing jumps.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ResultNamed, ToolName } from "../../src/tools/tools.ts";
import type { InputOf } from "./client.ts";
import type { Problem } from "./failures.ts";
import { useServer } from "./server-provider.tsx";
import { asProblem } from "./use-tool-call.ts";

export interface Pages<R> {
  /** In order; those of the previous input until the first of the new one has arrived. */
  readonly pages: readonly R[];
  readonly problem?: Problem | undefined;
  /** True if the pages are those of another input, or there are none yet. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

interface Loaded<R> {
  readonly key: string;
  readonly pages: readonly R[];
  readonly problem?: Problem;
}

/** Without an input the tool is not called. */
export function usePages<N extends ToolName>(tool: N, input: InputOf<N> | undefined): Pages<ResultNamed<N>> {
  type Page = ResultNamed<N>;
  const { client, version } = useServer();
  const key = input === undefined ? "" : JSON.stringify([tool, input, client.vault]);
  const [loaded, setLoaded] = useState<Loaded<Page>>({ key: "", pages: [] });
  const latest = useRef(loaded);
  const update = (to: Loaded<Page>) => setLoaded((latest.current = to));
  const loading = useRef<AbortController>(undefined);
  /** True if more was asked for while pages were loaded again. */
  const isMoreDue = useRef(false);
  /** How many pages were asked for last: a change on the server may interrupt the load of one more. */
  const wanted = useRef(1);

  const load = async (count: number, before: readonly Page[]): Promise<void> => {
    loading.current?.abort();
    const controller = new AbortController();
    loading.current = controller;
    wanted.current = count;
    const pages = [...before];
    try {
      while (pages.length < count) {
        const cursor = cursorOf(pages.at(-1));
        if (pages.length > 0 && cursor === undefined) break;
        pages.push(await client.call(tool, { ...input, ...(cursor && { cursor }) } as InputOf<N>, controller.signal));
      }
      if (!controller.signal.aborted) update({ key, pages });
    } catch (error) {
      if (!controller.signal.aborted) update({ key, pages, problem: asProblem(error) });
    }
    if (loading.current !== controller) return;
    loading.current = undefined;
    const isDue = isMoreDue.current && latest.current.problem === undefined;
    isMoreDue.current = false;
    if (isDue && !controller.signal.aborted) void load(pages.length + 1, pages);
  };

  // Before the next frame is painted, which an effect would wait for.
  useLayoutEffect(() => {
    if (input === undefined) return undefined;
    if (latest.current.key !== key) isMoreDue.current = false;
    void load(latest.current.key === key ? wanted.current : 1, []);
    return () => loading.current?.abort();
  }, [client, key, version]);

  if (key === "") return { pages: [], isLoading: false, hasMore: false, loadMore: () => {} };
  const isCurrent = loaded.key === key;
  return {
    pages: loaded.pages,
    problem: isCurrent ? loaded.problem : undefined,
    isLoading: !isCurrent,
    hasMore: isCurrent && loaded.problem === undefined && cursorOf(loaded.pages.at(-1)) !== undefined,
    loadMore: () => {
      if (loading.current === undefined) void load(loaded.pages.length + 1, loaded.pages);
      else isMoreDue.current = true;
    },
  };
}

function cursorOf(page: object | undefined): string | undefined {
  const { nextCursor } = (page ?? {}) as { readonly nextCursor?: unknown };
  return typeof nextCursor === "string" ? nextCursor : undefined;
}
