// A new note: its path is asked for, and then it is open in the editor.
import { useState } from "preact/hooks";
import { folderIn } from "../../src/kernel/kernel.ts";
import { ProblemNote, useModalDialog } from "../components/components.ts";
import { noteAddress, useNavigation } from "../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../server/server.ts";

/** As the tool completes a name. */
function withExtension(path: string): string {
  return /\.[^./]+$/.test(path) ? path : `${path}.md`;
}

export function NewNoteDialog({ onClose }: { onClose: () => void }) {
  const { client, refresh } = useServer();
  const { route, navigate } = useNavigation();
  const folder = route.view === "folder" ? route.path : route.view === "note" ? folderIn(route.path) : "";
  const dialog = useModalDialog();
  const [path, setPath] = useState(folder === "" ? "" : `${folder}/`);
  const [problem, setProblem] = useState<Problem>();
  const isNamed = path.trim() !== "" && !path.trim().endsWith("/");

  const create = async () => {
    if (!isNamed) return;
    setProblem(undefined);
    try {
      const { data } = await client.call("contentManager_createContent", { filePath: path.trim(), content: "" });
      refresh();
      dialog.current?.close();
      navigate(noteAddress(data.filePath, { isEdited: true }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="new-note-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <h2 id="new-note-title">New note</h2>
        <label>
          Path
          <input
            value={path}
            placeholder="Folder/Name"
            autoFocus
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        </label>
        {problem && <ProblemNote problem={problem} />}
        {problem?.code === "exists" && (
          <p>
            <a href={noteAddress(withExtension(path.trim()))} onClick={() => dialog.current?.close()}>
              Open it
            </a>
          </p>
        )}
        <footer>
          <button type="submit" class="button primary" disabled={!isNamed}>
            Create
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </footer>
      </form>
    </dialog>
  );
}
