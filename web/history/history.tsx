// One change of the journal, with the button that takes it back or brings it
// back. Shown beside a note and in the activity.
import { useState } from "preact/hooks";
import { noteAddress } from "../navigation/navigation.ts";
import { type Refusal, asRefusal, useSession } from "../server/server.ts";
import { Icon, RefusalNote, Time } from "../components/components.ts";

export interface Entry {
  readonly id: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly message: string;
  readonly time: number;
  readonly undone: boolean;
}

/** That something was taken back or brought back is told by the entry of it. */
export function withoutUndo(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ tool }) => tool !== "undo" && tool !== "redo");
}

export function HistoryEntry({ entry, isLinked = false }: { entry: Entry; isLinked?: boolean }) {
  const { client, noteChange } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const tool = entry.undone ? "redo" : "undo";
  const take = async () => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await client.call(tool, { id: entry.id });
      noteChange();
    } catch (error) {
      setRefusal(asRefusal(error));
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
        <Time at={entry.time} />
        {client.has(tool) && (
          <button
            type="button"
            class="button small"
            disabled={isBusy}
            aria-label={`${tool === "undo" ? "Undo" : "Redo"}: ${entry.message}`}
            onClick={() => void take()}
          >
            <Icon name={tool} /> {tool === "undo" ? "Undo" : "Redo"}
          </button>
        )}
      </div>
      {refusal && <RefusalNote refusal={refusal} />}
    </li>
  );
}
