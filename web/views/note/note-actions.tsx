// What can be done with a note: edit it, give it another name or place, open it in
// Obsidian, copy its path or a link to it.
import { useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { CopyButton, ProblemNote, togglePin, useModalDialog, usePins } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { noteAddress, useNavigation } from "../../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../../server/server.ts";

interface NoteActionsProps {
  readonly path: string;
  /** Undefined if the note cannot be edited here. */
  readonly onEdit: (() => void) | undefined;
}

export function NoteActions({ path, onEdit }: NoteActionsProps) {
  const { client } = useServer();
  const [isMoving, setMoving] = useState(false);
  const canMove = client.has("vaultManager_moveNote");
  const isPinned = usePins().includes(path);
  return (
    <div class="note-actions">
      {onEdit && (
        <button type="button" class="button" onClick={onEdit}>
          Edit
        </button>
      )}
      {canMove && (
        <button type="button" class="button" onClick={() => setMoving(true)}>
          Rename or move
        </button>
      )}
      {client.has("vaultManager_openNote") && (
        <button
          type="button"
          class="button"
          onClick={() => void client.call("vaultManager_openNote", { path }).catch(() => {})}
        >
          Open in Obsidian
        </button>
      )}
      <button type="button" class="button" aria-pressed={isPinned} onClick={() => togglePin(client.vault, path)}>
        {isPinned ? "Unpin" : "Pin"}
      </button>
      <CopyButton text={path} label="Copy path" />
      <CopyButton text={`[[${nameOf(path)}]]`} label="Copy link" icon="link" />
      {isMoving && <MoveDialog path={path} onClose={() => setMoving(false)} />}
    </div>
  );
}

type Report = ResultNamed<"vaultManager_moveNote">["recommendations"];

/** Shows which links would be rewritten before anything happens. */
function MoveDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { client, refresh } = useServer();
  const { navigate } = useNavigation();
  const dialog = useModalDialog();
  const [newPath, setNewPath] = useState(path);
  const [report, setReport] = useState<{ readonly path: string; readonly lines: Report }>();
  const [problem, setProblem] = useState<Problem>();
  const isPlanned = report?.path === newPath;

  const plan = async () => {
    setProblem(undefined);
    try {
      const { recommendations } = await client.call("vaultManager_moveNote", { path, newPath, preview: true });
      setReport({ path: newPath, lines: recommendations });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const move = async () => {
    try {
      const moved = await client.call("vaultManager_moveNote", { path, newPath });
      refresh();
      dialog.current?.close();
      navigate(noteAddress(moved.newPath));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="move-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (isPlanned ? move() : plan());
        }}
      >
        <h2 id="move-title">Rename or move</h2>
        <label>
          New path
          <input value={newPath} onInput={(event) => setNewPath(event.currentTarget.value)} autoFocus />
        </label>
        {problem && <ProblemNote problem={problem} />}
        {isPlanned && <LinkReport lines={report.lines} />}
        <div class="editor-buttons">
          <button type="submit" class="button primary" disabled={newPath.trim() === "" || newPath === path}>
            {isPlanned ? "Move it" : "Show what changes"}
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

function LinkReport({ lines }: { lines: Report }) {
  // That it was only a preview is for assistants.
  const changes = lines.filter(({ type }) => type !== "preview");
  return (
    <div role="status" class="link-report">
      {changes.length === 0 ? (
        <p>No link needs to be rewritten.</p>
      ) : (
        <ul>
          {changes.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <p>It can be undone.</p>
    </div>
  );
}
