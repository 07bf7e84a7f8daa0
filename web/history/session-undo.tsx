// Undoes all changes of a session, or all since a moment, the newest first, after it has shown what comes
// back and what stands in the way: the server works out each undo on what those
// before it leave. Stops at the first that cannot be undone, and says which were.
import { useState } from "preact/hooks";
import { Icon, Loading, ProblemNote } from "../components/components.ts";
import { asProblem, Problem, useServer, useToolCall } from "../server/server.ts";
import { EntryChanges } from "./entry-changes.tsx";
import type { Entry } from "./entry.ts";

interface SessionUndoProps {
  readonly entries: readonly Entry[];
  readonly of: string;
  /** True if they are all changes since a moment. */
  readonly goesBack?: boolean;
}

export function SessionUndo({ entries, of, goesBack = false }: SessionUndoProps) {
  const { client, refresh } = useServer();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  // Newest first, as they are listed.
  const standing = entries.filter(({ undone }) => !undone);
  if (!client.has("undo") || standing.length === 0) return null;
  const undoAll = async (possible: readonly Entry[]) => {
    setProblem(undefined);
    let count = 0;
    setDone(0);
    for (const { id, message } of possible)
      try {
        await client.call("undo", { id });
        setDone(++count);
      } catch (error) {
        const { message: reason, hint } = asProblem(error);
        const before = `${count} of ${possible.length} changes were undone, and can be redone.`;
        setProblem(new Problem(`${before} “${message}” could not: ${reason}`, hint));
        break;
      }
    setDone(undefined);
    if (count === possible.length) setOpen(false);
    refresh();
  };
  return (
    <div class="session-undo">
      <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="undo" />{" "}
        {goesBack ? "Go back to here …" : standing.length === 1 ? "Undo …" : `Undo all ${standing.length} …`}
      </button>
      {isOpen && (
        <Preview
          of={of}
          goesBack={goesBack}
          standing={standing}
          done={done}
          onUndo={(possible) => void undoAll(standing.slice(0, possible))}
          onClose={() => setOpen(false)}
        />
      )}
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}

interface PreviewProps {
  readonly of: string;
  readonly goesBack: boolean;
  /** The newest first. */
  readonly standing: readonly Entry[];
  /** How many are undone by now; undefined unless they are being undone. */
  readonly done: number | undefined;
  readonly onUndo: (possible: number) => void;
  readonly onClose: () => void;
}

function Preview({ of, goesBack, standing, done, onUndo, onClose }: PreviewProps) {
  const { result, problem } = useToolCall("history", { undoing: standing.map(({ id }) => id) });
  if (problem) return <ProblemNote problem={problem} />;
  if (result?.forecast === undefined) return <Loading of="what would come back" />;
  const { possible, obstacle } = result.forecast;
  const label =
    goesBack && possible === standing.length
      ? "Go back to here"
      : standing.length === 1
        ? "Undo it"
        : possible === standing.length
          ? `Undo all ${possible}`
          : `Undo the last ${possible}`;
  return (
    <div class="change-details" role="group" aria-label={`Undo all of ${of}`}>
      <p class="change-lead">
        {standing.length === 1
          ? possible === 1
            ? "This change would be undone:"
            : "This change cannot be undone now:"
          : possible === standing.length
            ? `All ${possible} changes would be undone, the last one first:`
            : `${possible} of ${standing.length} changes would be undone, the last one first:`}
      </p>
      <ol class="history">
        {standing.map((entry, i) => (
          <PreviewedEntry
            key={entry.id}
            entry={entry}
            obstacle={i === possible ? obstacle : undefined}
            isReached={i < possible}
          />
        ))}
      </ol>
      <p class="change-confirm">
        {possible > 0 && (
          <button type="button" class="button primary" disabled={done !== undefined} onClick={() => onUndo(possible)}>
            {done === undefined ? label : `${done} of ${possible} …`}
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          {possible > 0 ? "Cancel" : "Close"}
        </button>
      </p>
    </div>
  );
}

interface PreviewedEntryProps {
  readonly entry: Entry;
  readonly obstacle: string | undefined;
  /** True if it would be undone. */
  readonly isReached: boolean;
}

/** One of the changes: what would come back, or why it would stay. */
function PreviewedEntry({ entry, obstacle, isReached }: PreviewedEntryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {entry.message}
          {!isReached && <span class="badge">stays</span>}
        </summary>
        {isOpen && <EntryChanges entry={entry} isPreview={false} isReversed={isReached} />}
      </details>
      {obstacle !== undefined && (
        <div class="callout" data-tone="warning" role="note">
          <p>This stands in the way: {obstacle}</p>
        </div>
      )}
    </li>
  );
}
