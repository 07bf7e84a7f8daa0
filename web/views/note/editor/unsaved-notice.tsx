// Above a note: that something was written and not saved, and how to go on with it.
import { useState } from "preact/hooks";
import { keepDraft, keptDraft } from "./draft.ts";

export function UnsavedNotice({ path, onContinue }: { path: string; onContinue: () => void }) {
  const [isThere, setThere] = useState(() => keptDraft(path) !== undefined);
  if (!isThere) return null;
  return (
    <p class="unsaved" role="status">
      You have written something here that is not saved.
      <button type="button" class="button small" onClick={onContinue}>
        Continue
      </button>
      <button
        type="button"
        class="button small"
        onClick={() => {
          keepDraft(path, undefined);
          setThere(false);
        }}
      >
        Discard
      </button>
    </p>
  );
}
