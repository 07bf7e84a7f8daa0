// The column beside a note: its headings, the links to it and from it, where it is
// mentioned, and its history.
import { useState } from "preact/hooks";
import { Loading, ProblemNote } from "../../components/components.ts";
import { folderIn } from "../../../src/kernel/kernel.ts";
import { nameOf } from "../../format/format.ts";
import { HistoryEntry, withoutUndoSteps } from "../../history/history.tsx";
import type { Heading } from "../../markdown/markdown.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import type { NoteLinks } from "./note-links.ts";

export function HeadingList({ headings }: { headings: readonly Heading[] }) {
  const shown = headings.filter(({ text }) => text !== "");
  if (shown.length < 2) return null;
  const topLevel = Math.min(...shown.map(({ level }) => level));
  return (
    <nav class="headings" aria-labelledby="headings-title">
      <h2 id="headings-title">On this page</h2>
      <ol>
        {shown.map(({ level, text, id }) => (
          <li key={id} class={`depth-${Math.min(level - topLevel, 3)}`}>
            <a href={`#${encodeURIComponent(id)}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function LinkLists({ path: own, links }: { path: string; links: NoteLinks }) {
  const { paths, broken, backlinks, hasBacklinks } = links;
  const linked = [...new Set(paths.values())];
  return (
    <>
      {hasBacklinks && (
        <section aria-labelledby="backlinks-title">
          <h2 id="backlinks-title">Linked from</h2>
          {backlinks === undefined && <Loading of="links" />}
          {backlinks?.length === 0 && <p class="none">No other note links here.</p>}
          <ul class="links">
            {backlinks?.map(({ path, count, snippet }) => (
              <li key={path}>
                <PathLink path={path} />
                {count > 1 && <span class="entry-count">{count}×</span>}
                <LinkSnippet of={own} text={snippet} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {linked.length + broken.length > 0 && (
        <section aria-labelledby="outgoing-title">
          <h2 id="outgoing-title">Links to</h2>
          <ul class="links">
            {linked.map((path) => (
              <li key={path}>
                <PathLink path={path} />
              </li>
            ))}
            {broken.map((target) => (
              <li key={target}>
                <a class="broken" href={noteAddress(/\.\w{1,8}$/.test(target) ? target : `${target}.md`)}>
                  {target}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A link alone in its line says nothing more than that it is there. */
function LinkSnippet({ of, text }: { of: string; text: string | undefined }) {
  return text && text !== nameOf(of) ? <span class="snippet">{text}</span> : null;
}

function PathLink({ path }: { path: string }) {
  const folder = folderIn(path);
  return (
    <a href={noteAddress(path)} title={path}>
      {nameOf(path)}
      {folder !== "" && <span class="in-folder"> {folder}</span>}
    </a>
  );
}

/** Looked for when it is opened: it reads the notes that may mention this one. */
export function Mentions({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  const { result, problem } = useToolCall("vaultLibrarian_links", isOpen ? { path, type: "mentions" } : undefined);
  const mentions = result?.data.links.flatMap(({ from, snippet }) => (from === undefined ? [] : [{ from, snippet }]));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Unlinked mentions</h2>
      </summary>
      {problem && <ProblemNote problem={problem} />}
      {isOpen && !result && !problem && <Loading of="mentions" />}
      {mentions?.length === 0 && <p class="none">No other note mentions it.</p>}
      <ul class="links">
        {mentions?.map(({ from, snippet }) => (
          <li key={from}>
            <PathLink path={from} />
            <LinkSnippet of={path} text={snippet} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const HISTORY_LIMIT = 20;

export function NoteHistory({ path }: { path: string }) {
  const { result } = useToolCall("history", { path, limit: HISTORY_LIMIT });
  if (result === undefined) return null;
  const entries = withoutUndoSteps(result.entries);
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {entries.length === 0 && <p class="none">No assistant has changed this note.</p>}
      <ul class="history">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} hasAsker />
        ))}
      </ul>
    </section>
  );
}
