// Undoes all changes of a session, the newest first, after it has shown which:
// each with what it would do and what stands in the way. Stops at the first that
// cannot be undone, and says which were.
import { useState } from "preact/hooks";
import { Icon, ProblemNote } from "../components/components.ts";
import { asProblem, Problem, useServer, useToolCall } from "../server/server.ts";
import { EntryChanges, Obstacle } from "./entry-changes.tsx";
import type { Entry } from "./entry.ts";

export function SessionUndo({ entries, of }: { entries: readonly Entry[]; of: string }) {
  const { client, refresh } = useServer();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  // Newest first, as they are listed.
  const standing = entries.filter(({ undone }) => !undone);
  if (!client.has("undo") || standing.length < 2) return null;
  const undoAll = async () => {
    setProblem(undefined);
    let count = 0;
    setDone(0);
    for (const { id, message } of standing)
      try {
        await client.call("undo", { id });
        setDone(++count);
      } catch (error) {
        const { message: reason, hint } = asProblem(error);
        const before = `${count} of ${standing.length} changes were undone, and can be redone.`;
        setProblem(new Problem(`${before} “${message}” could not: ${reason}`, hint));
        break;
      }
    setDone(undefined);
    if (count === standing.length) setOpen(false);
    refresh();
  };
  return (
    <div class="session-undo">
      <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="undo" /> Undo all {standing.length} …
      </button>
      {isOpen && (
        <div class="change-details" role="group" aria-label={`Undo all of ${of}`}>
          <p class="change-lead">These {standing.length} changes would be undone, the last one first:</p>
          <ol class="history">
            {standing.map((entry, i) => (
              <PreviewedEntry key={entry.id} entry={entry} before={new Set(standing.slice(0, i).map(({ id }) => id))} />
            ))}
          </ol>
          <p class="change-confirm">
            <button type="button" class="button primary" disabled={done !== undefined} onClick={() => void undoAll()}>
              {done === undefined ? `Undo all ${standing.length}` : `${done} of ${standing.length} …`}
            </button>
            <button type="button" class="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </p>
        </div>
      )}
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}

interface PreviewedEntryProps {
  readonly entry: Entry;
  /** The ids of the changes that are undone before this one. */
  readonly before: ReadonlySet<string>;
}

/** One of the changes: what would come back, and what stands in the way that is not undone before it. */
function PreviewedEntry({ entry, before }: PreviewedEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const { result } = useToolCall("history", { changes: entry.id });
  const later = result?.changes?.later.filter(({ id }) => !before.has(id)) ?? [];
  // What the changes before it leave behind is not known: only what remains of others is said.
  const isOnlyOwn = later.length === 0 && (result?.changes?.later.length ?? 0) > 0;
  const obstacle = isOnlyOwn ? undefined : result?.changes?.obstacle;
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {entry.message}
          {obstacle !== undefined && <span class="badge">something stands in the way</span>}
        </summary>
        {isOpen && <EntryChanges entry={entry} isPreview={false} />}
      </details>
      {obstacle !== undefined && <Obstacle changes={{ obstacle, later }} />}
    </li>
  );
}
