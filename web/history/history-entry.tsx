// One entry of the journal: what was done, by whom and when; what it changed, if
// asked; and its undo, which shows first what it would do.
import { useState } from "preact/hooks";
import { Icon, ProblemNote, Time } from "../components/components.ts";
import { whoName } from "../format/format.ts";
import { noteAddress } from "../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../server/server.ts";
import { EntryChanges } from "./entry-changes.tsx";
import { isNoteOf, timeOf, type Entry } from "./entry.ts";

interface HistoryEntryProps {
  readonly entry: Entry;
  /** True if the message is a link to the note. */
  readonly isLinked?: boolean;
  /** Shows who asked for it. */
  readonly hasAsker?: boolean;
}

export function HistoryEntry({ entry, isLinked = false, hasAsker = false }: HistoryEntryProps) {
  const { client, refresh } = useServer();
  const [shown, setShown] = useState<"changes" | "preview">();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [tool, label] = entry.undone ? (["redo", "Redo"] as const) : (["undo", "Undo"] as const);
  const toggle = (what: "changes" | "preview") => setShown(shown === what ? undefined : what);
  const undoOrRedo = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await client.call(tool, { id: entry.id });
      setShown(undefined);
      refresh();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  const [path] = entry.paths;
  return (
    <li class={entry.undone ? "change is-undone" : "change"}>
      <div class="change-line">
        <span class="change-message">
          {isLinked && path !== undefined && entry.paths.length === 1 && isNoteOf(entry, path) ? (
            <a href={noteAddress(path, { vault: entry.vault })}>{entry.message}</a>
          ) : (
            entry.message
          )}
          {entry.vault !== undefined && <span class="badge">{entry.vault}</span>}
          {entry.undone && <span class="badge">undone</span>}
          {isLinked && entry.paths.length === 1 && entry.gone !== undefined && (
            <>
              {" "}
              <span class="badge">no longer there</span>
            </>
          )}
          {hasAsker && entry.by !== undefined && <span class="change-by"> by {whoName(entry.by)}</span>}
        </span>
        <Time at={timeOf(entry)} />
        <span class="change-buttons">
          <button
            type="button"
            class="button small"
            aria-expanded={shown === "changes"}
            aria-label={`Show: ${entry.message}`}
            onClick={() => toggle("changes")}
          >
            <Icon name="diff" /> Show
          </button>
          {client.has(tool) && (
            <button
              type="button"
              class="button small"
              disabled={isBusy}
              aria-expanded={shown === "preview"}
              aria-label={`${label}: ${entry.message}`}
              onClick={() => toggle("preview")}
            >
              <Icon name={tool} /> {label} …
            </button>
          )}
        </span>
      </div>
      {shown !== undefined && (
        <div class="change-details">
          {shown === "preview" && <p class="change-lead">This is what {label.toLowerCase()} would do:</p>}
          <EntryChanges
            entry={entry}
            isPreview={shown === "preview"}
            {...(shown === "preview" && {
              footer: (isPossible: boolean) => (
                <p class="change-confirm">
                  {isPossible && (
                    <button type="button" class="button primary" disabled={isBusy} onClick={() => void undoOrRedo()}>
                      {label} this
                    </button>
                  )}
                  <button type="button" class="button" onClick={() => setShown(undefined)}>
                    {isPossible ? "Cancel" : "Close"}
                  </button>
                </p>
              ),
            })}
          />
        </div>
      )}
      {problem && <ProblemNote problem={problem} />}
    </li>
  );
}
