// What came of an edit: what was deleted or undone, for screen readers too, why
// something was not saved, and the choice between two texts of one row.
import { ProblemNote } from "../../components/components.ts";
import type { Problem } from "../../server/server.ts";
import { TextConflict } from "./open-document.ts";

export type TextEdit = TextConflict["edit"];

export interface EditNoticeProps {
  readonly message: string;
  readonly problem: Problem | undefined;
  /** Saves the person's text over the other one. */
  readonly onKeepMine: (conflict: TextConflict) => void;
  readonly onDismiss: () => void;
  /** What the person typed before Escape. */
  readonly unsaved: TextEdit | undefined;
  readonly onKeepUnsaved: (edit: TextEdit) => void;
}

export function EditNotice({ message, problem, onKeepMine, onDismiss, unsaved, onKeepUnsaved }: EditNoticeProps) {
  return (
    <>
      <p class="edit-status count" role="status">
        {message}
      </p>
      {unsaved !== undefined && (
        <p class="edit-status" role="status">
          Not saved: “{unsaved.text}”{" "}
          <button type="button" class="quiet" onClick={() => onKeepUnsaved(unsaved)}>
            Save it
          </button>
        </p>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {problem instanceof TextConflict && (
        <div class="text-conflict">
          <dl>
            <dt>Yours</dt>
            <dd>{problem.edit.text}</dd>
            <dt>Theirs</dt>
            <dd>{problem.theirs}</dd>
          </dl>
          <button type="button" onClick={() => onKeepMine(problem)}>
            Keep mine
          </button>
          <button type="button" class="quiet" onClick={onDismiss}>
            Keep theirs
          </button>
        </div>
      )}
    </>
  );
}
