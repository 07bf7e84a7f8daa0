// A dialog that shows a change to this machine's set-up before it is made: the
// file, the lines, what else there is to know; and afterwards where the backup is.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { MadeChange, PlannedChange } from "../../../src/app/app.ts";
import { Icon, Loading, ProblemNote, useModalDialog } from "../../components/components.ts";
import { LineDifference } from "../../diff/diff.tsx";
import { asProblem, type Problem } from "../../server/server.ts";

interface ChangeDialogProps {
  readonly title: string;
  /** The text of the button that makes the change. */
  readonly verb: string;
  readonly plan: () => Promise<PlannedChange>;
  readonly make: (stamp: string) => Promise<MadeChange>;
  readonly onClose: (wasMade: boolean) => void;
}

export function ChangeDialog({ title, verb, plan, make, onClose }: ChangeDialogProps) {
  const dialog = useModalDialog();
  const [planned, setPlanned] = useState<PlannedChange>();
  const [made, setMade] = useState<MadeChange>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const load = () =>
    plan().then(
      (shown) => {
        setPlanned(shown);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  // Not a button: the key that opened the dialog must not press one.
  useLayoutEffect(() => dialog.current?.focus(), []);
  useEffect(() => void load(), []);
  const agree = async () => {
    setBusy(true);
    try {
      setMade(await make(planned!.stamp));
      setProblem(undefined);
    } catch (error) {
      // It may have changed in between: what is shown is what would be written now.
      await load();
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      tabIndex={-1}
      aria-labelledby="change-title"
      onClose={() => onClose(made !== undefined)}
    >
      <header>
        <h2 id="change-title">{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      {planned === undefined && problem === undefined && <Loading of="the change" />}
      {planned && made === undefined && <Planned planned={planned} />}
      {made && (
        <div role="status">
          <p>
            <Icon name="done" /> Written.
          </p>
          {made.backup !== undefined && (
            <p class="dialog-note">
              Before, it was: <code>{made.backup}</code>
            </p>
          )}
          {made.notes.map((note) => (
            <p key={note} class="dialog-note">
              {note}
            </p>
          ))}
        </div>
      )}
      {problem && <ProblemNote problem={problem} />}
      <footer>
        {made === undefined && planned?.difference !== undefined && (
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void agree()}>
            {verb}
          </button>
        )}
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {made === undefined && planned?.difference !== undefined ? "Cancel" : "Close"}
        </button>
      </footer>
    </dialog>
  );
}

function Planned({ planned: { file, difference, notes } }: { planned: PlannedChange }) {
  return (
    <>
      {difference === undefined ? (
        <p>There is nothing to change.</p>
      ) : (
        <>
          <p class="dialog-note">
            This changes <code>{file}</code>; a copy of what it was is kept.
          </p>
          <LineDifference text={difference} label="What changes" />
        </>
      )}
      {notes.map((note) => (
        <p key={note} class="dialog-note">
          {note}
        </p>
      ))}
    </>
  );
}
