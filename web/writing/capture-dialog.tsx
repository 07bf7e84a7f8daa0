// Quick capture: a few words to the end of today's note, which is created from its
// template if there is none.
import { useState } from "preact/hooks";
import { ProblemNote, useModalDialog } from "../components/components.ts";
import { nameOf } from "../format/format.ts";
import { noteAddress } from "../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../server/server.ts";

const TODAY = "daily:today";

export function CaptureDialog({ onClose }: { onClose: () => void }) {
  const { client, refresh } = useServer();
  const dialog = useModalDialog();
  const [text, setText] = useState("");
  const [written, setWritten] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [isWriting, setWriting] = useState(false);

  const capture = async () => {
    if (text.trim() === "" || isWriting) return;
    setWriting(true);
    setProblem(undefined);
    try {
      const { data } = await client.call("contentManager_appendContent", {
        filePath: TODAY,
        content: `${text.trimEnd()}\n`,
      });
      setWritten(data.filePath);
      setText("");
      refresh();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setWriting(false);
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="capture-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void capture();
        }}
      >
        <h2 id="capture-title">Add to today’s note</h2>
        <textarea
          class="capture-text"
          aria-label="What to add"
          rows={5}
          value={text}
          autoFocus
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void capture();
          }}
        />
        {problem && <ProblemNote problem={problem} />}
        <p class="dialog-note" role="status">
          {written !== undefined && (
            <>
              Added to{" "}
              <a href={noteAddress(written)} onClick={() => dialog.current?.close()}>
                {nameOf(written)}
              </a>
              .
            </>
          )}
        </p>
        <footer>
          <button type="submit" class="button primary" disabled={text.trim() === "" || isWriting}>
            Add <kbd>Ctrl Enter</kbd>
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </footer>
      </form>
    </dialog>
  );
}
