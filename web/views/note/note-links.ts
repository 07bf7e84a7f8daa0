// The links of a note, as the index knows them: where those in its text lead, and
// which notes link to it.
import { useMemo } from "preact/hooks";
import { useToolCall } from "../../server/server.ts";

export interface NoteLink {
  readonly from: string;
  /** Null if there is no such file. */
  readonly to: string | null;
  readonly target: string;
  readonly count?: number;
}

interface LinkReport {
  readonly data: { readonly links: readonly NoteLink[] };
}

export interface NoteLinks {
  readonly isReady: boolean;
  readonly outgoing: readonly NoteLink[];
  readonly backlinks: readonly NoteLink[];
  /** From the target as the note writes it to the path of the file. */
  readonly paths: ReadonlyMap<string, string>;
}

const TOOL = "vaultLibrarian_links";
const NONE: readonly NoteLink[] = [];

/** Waits for `isLoaded`: a note that cannot be read has no links. */
export function useNoteLinks(path: string, isLoaded: boolean): NoteLinks {
  const outgoing = useToolCall<LinkReport>(TOOL, isLoaded ? { path, type: "outgoing" } : undefined);
  const backlinks = useToolCall<LinkReport>(TOOL, isLoaded ? { path, type: "backlinks" } : undefined);
  const links = outgoing.result?.data.links ?? NONE;
  const paths = useMemo(
    () =>
      new Map(
        links.flatMap(({ target, to }) => {
          const [name = ""] = target.split("#");
          return to === null ? [] : [[name.trim(), to] as const];
        }),
      ),
    [links],
  );
  return {
    isReady: outgoing.result !== undefined || outgoing.problem !== undefined,
    outgoing: links,
    backlinks: backlinks.result?.data.links ?? NONE,
    paths,
  };
}
