// What stands beside a note: its headings, the links to it and from it, and its
// history.
import { useMemo } from "preact/hooks";
import { noteAddress } from "../../navigation/navigation.ts";
import { HistoryEntry, withoutUndo, type Entry } from "../../history/history.tsx";
import type { Heading } from "../../markdown/markdown.ts";
import { useAnswer } from "../../server/server.ts";
import { folderOf, nameOf } from "../../format/format.ts";

export interface NoteLink {
  readonly from: string;
  readonly to: string | null;
  readonly target: string;
  readonly count?: number;
}

interface LinkReport {
  readonly data: { readonly links: readonly NoteLink[] };
}

export interface Links {
  readonly isReady: boolean;
  readonly from: readonly NoteLink[];
  readonly to: readonly NoteLink[];
  /** Where each target that the note names leads. */
  readonly outgoing: ReadonlyMap<string, string>;
}

const TOOL = "vaultLibrarian_links";
const NONE: readonly NoteLink[] = [];

export function useLinks(path: string, isThere: boolean): Links {
  const outgoing = useAnswer<LinkReport>(TOOL, isThere ? { path, type: "outgoing" } : undefined);
  const backlinks = useAnswer<LinkReport>(TOOL, isThere ? { path, type: "backlinks" } : undefined);
  const from = outgoing.result?.data.links ?? NONE;
  const targets = useMemo(
    () =>
      new Map(
        from.flatMap(({ target, to }) => {
          const [name = ""] = target.split("#");
          return to === null ? [] : [[name.trim(), to] as const];
        }),
      ),
    [from],
  );
  return {
    isReady: outgoing.result !== undefined || outgoing.refusal !== undefined,
    from,
    to: backlinks.result?.data.links ?? NONE,
    outgoing: targets,
  };
}

export function HeadingList({ headings }: { headings: readonly Heading[] }) {
  const shown = headings.filter(({ text }) => text !== "");
  if (shown.length < 2) return null;
  const least = Math.min(...shown.map(({ level }) => level));
  return (
    <nav class="headings" aria-labelledby="headings-title">
      <h2 id="headings-title">On this page</h2>
      <ol>
        {shown.map(({ level, text, id }) => (
          <li key={id} class={`depth-${Math.min(level - least, 3)}`}>
            <a href={`#${encodeURIComponent(id)}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function NoteLinks({ links: { from, to } }: { links: Links }) {
  const leadsTo = [...new Set(from.flatMap((link) => link.to ?? []))];
  const nowhere = [...new Set(from.filter((link) => link.to === null).map(({ target }) => target))];
  return (
    <>
      <section aria-labelledby="backlinks-title">
        <h2 id="backlinks-title">Linked from</h2>
        {to.length === 0 && <p class="none">No other note links here.</p>}
        <ul class="links">
          {to.map((link) => (
            <li key={link.from}>
              <NoteLinkItem path={link.from} />
              {(link.count ?? 1) > 1 && <span class="entry-count">{link.count}×</span>}
            </li>
          ))}
        </ul>
      </section>
      {from.length > 0 && (
        <section aria-labelledby="outgoing-title">
          <h2 id="outgoing-title">Links to</h2>
          <ul class="links">
            {leadsTo.map((path) => (
              <li key={path}>
                <NoteLinkItem path={path} />
              </li>
            ))}
            {nowhere.map((target) => (
              <li key={target}>
                <span class="broken" title="Nothing has this name">
                  {target}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function NoteLinkItem({ path }: { path: string }) {
  const folder = folderOf(path);
  return (
    <a href={noteAddress(path)} title={path}>
      {nameOf(path)}
      {folder !== "" && <span class="in-folder"> {folder}</span>}
    </a>
  );
}

const MOST_ENTRIES = 20;

export function NoteHistory({ path }: { path: string }) {
  const { result } = useAnswer<{ entries: readonly Entry[] }>("history", { path, limit: MOST_ENTRIES });
  if (result === undefined) return null;
  const entries = withoutUndo(result.entries);
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {entries.length === 0 && <p class="none">No assistant has changed this note.</p>}
      <ul class="history">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}
