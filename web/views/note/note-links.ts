// The links of a note, as the index knows them: where those in its text lead, and
// which notes link to it. Used by the note view and the column beside it.
import { useMemo } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { useToolCall } from "../../server/server.ts";

export interface NoteLinks {
  /** True if the links from the note are known. */
  readonly isReady: boolean;
  /** From a target as the note writes it to the path of the file. */
  readonly paths: ReadonlyMap<string, string>;
  /** Where a target leads, as far as is known. */
  readonly resolve: (target: string) => Resolved;
  /** Targets without a file. */
  readonly broken: readonly string[];
  /** Undefined until they are known; of a file that has none, such as a text file, they never are. */
  readonly backlinks: readonly Backlink[] | undefined;
  readonly hasBacklinks: boolean;
}

export interface Backlink {
  readonly path: string;
  readonly count: number;
  /** The sentence that has the link. */
  readonly snippet: string | undefined;
}

const TOOL = "vaultLibrarian_links";
const NONE: ResultNamed<typeof TOOL>["data"]["links"] = [];

/** Waits for `isLoaded`: a note that cannot be read has no links. */
export function useNoteLinks(path: string, isLoaded: boolean): NoteLinks {
  const outgoing = useToolCall(TOOL, isLoaded ? { path, type: "outgoing" } : undefined);
  const backlinks = useToolCall(TOOL, isLoaded ? { path, type: "backlinks", snippets: true } : undefined);
  const links = outgoing.result?.data.links ?? NONE;
  const paths = useMemo(
    () => new Map(links.flatMap(({ target = "", to }) => (to ? [[target.split("#")[0]!.trim(), to] as const] : []))),
    [links],
  );
  const isReady = outgoing.result !== undefined || outgoing.problem !== undefined;
  const resolve = useMemo(
    () =>
      (target: string): Resolved => {
        const to = paths.get(target);
        return to !== undefined ? { address: noteAddress(to) } : isReady ? "missing" : "unknown";
      },
    [paths, isReady],
  );
  return {
    isReady,
    paths,
    resolve,
    hasBacklinks: backlinks.problem === undefined,
    broken: [...new Set(links.flatMap(({ target, to }) => (to === null && target !== undefined ? [target] : [])))],
    backlinks: backlinks.result?.data.links.flatMap(({ from, count = 1, snippet }) =>
      from === undefined ? [] : [{ path: from, count, snippet }],
    ),
  };
}
