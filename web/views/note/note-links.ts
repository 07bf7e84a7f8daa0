// The links of a note, as the index knows them: where those in its text lead, and
// which notes link to it. Used by the note view and the column beside it.
import { useMemo } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { useToolCall } from "../../server/server.ts";

export interface NoteLinks {
  readonly isReady: boolean;
  /** From a target as the note writes it to the path of the file. */
  readonly paths: ReadonlyMap<string, string>;
  /** Targets without a file. */
  readonly broken: readonly string[];
  readonly backlinks: readonly Backlink[];
}

interface Backlink {
  readonly path: string;
  readonly count: number;
}

const TOOL = "vaultLibrarian_links";
const NONE: ResultNamed<typeof TOOL>["data"]["links"] = [];

/** Waits for `isLoaded`: a note that cannot be read has no links. */
export function useNoteLinks(path: string, isLoaded: boolean): NoteLinks {
  const outgoing = useToolCall(TOOL, isLoaded ? { path, type: "outgoing" } : undefined);
  const backlinks = useToolCall(TOOL, isLoaded ? { path, type: "backlinks" } : undefined);
  const links = outgoing.result?.data.links ?? NONE;
  const paths = useMemo(
    () => new Map(links.flatMap(({ target = "", to }) => (to ? [[target.split("#")[0]!.trim(), to] as const] : []))),
    [links],
  );
  return {
    isReady: outgoing.result !== undefined || outgoing.problem !== undefined,
    paths,
    broken: [...new Set(links.flatMap(({ target, to }) => (to === null && target !== undefined ? [target] : [])))],
    backlinks: (backlinks.result?.data.links ?? NONE).flatMap(({ from, count = 1 }) =>
      from === undefined ? [] : [{ path: from, count }],
    ),
  };
}
