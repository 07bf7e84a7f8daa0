// One entry of the journal with its undo or redo button. Used beside a note and
// in the activity view.
import { useState } from "preact/hooks";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { Icon, ProblemNote, Time } from "../components/components.ts";
import { noteAddress } from "../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../server/server.ts";

export type Entry = ResultNamed<"history">["entries"][number];

/** Leaves out the entries of undo and redo themselves: the entry they apply to shows its state. */
export function withoutUndoSteps(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ tool }) => tool !== "undo" && tool !== "redo");
}

/** In milliseconds. */
export function timeOf({ time }: Pick<Entry, "time">): number {
  return Date.parse(time);
}

export function HistoryEntry({ entry, isLinked = false }: { entry: Entry; isLinked?: boolean }) {
  const { client, refresh } = useServer();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [tool, label] = entry.undone ? (["redo", "Redo"] as const) : (["undo", "Undo"] as const);
  const undoOrRedo = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await client.call(tool, { id: entry.id });
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
          {isLinked && path !== undefined && entry.paths.length === 1 && /\.md$/i.test(path) ? (
            <a href={noteAddress(path)}>{entry.message}</a>
          ) : (
            entry.message
          )}
          {entry.undone && <span class="badge">undone</span>}
        </span>
        <Time at={timeOf(entry)} />
        {client.has(tool) && (
          <button
            type="button"
            class="button small"
            disabled={isBusy}
            aria-label={`${label}: ${entry.message}`}
            onClick={() => void undoOrRedo()}
          >
            <Icon name={tool} /> {label}
          </button>
        )}
      </div>
      {problem && <ProblemNote problem={problem} />}
    </li>
  );
}
