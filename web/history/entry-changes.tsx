// Shows the changes of an entry, file by file, as differences; or, before it is undone,
// what comes back and what stands in the way. Loaded when it is first shown.
import type { ComponentChildren } from "preact";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { Loading, ProblemNote } from "../components/components.ts";
import { TextDifference } from "../diff/diff.tsx";
import { noteAddress } from "../navigation/navigation.ts";
import { useToolCall } from "../server/server.ts";
import { isNoteOf, type Entry } from "./entry.ts";
import { KeptCopy } from "./kept-copy.tsx";

export type Changes = NonNullable<ResultNamed<"history">["changes"]>;
type FileChange = Changes["files"][number];

interface EntryChangesProps {
  readonly entry: Entry;
  /** Shows what undo (or redo) would do, instead of what was done. */
  readonly isPreview: boolean;
  /** Shows the change in the other direction: by default in a preview of an undo. */
  readonly isReversed?: boolean;
  /** Shown below a preview. @param isPossible whether nothing stands in the way */
  readonly footer?: (isPossible: boolean) => ComponentChildren;
}

export function EntryChanges({ entry, isPreview, isReversed = isPreview && !entry.undone, footer }: EntryChangesProps) {
  const { result, problem } = useToolCall("history", { changes: entry.id });
  if (problem) return <ProblemNote problem={problem} />;
  if (result === undefined) return <Loading of="the change" />;
  const { changes } = result;
  if (changes === undefined) return <p class="none">What it changed is not known here.</p>;
  return (
    <div class="entry-changes">
      {isPreview && <Obstacle changes={changes} />}
      {changes.files.map((file, i) => (
        <FileChanges key={i} file={file} entry={entry} isReversed={isReversed && changes.obstacle === undefined}>
          {isPreview && changes.obstacle !== undefined && file.kind === "changed" && isNoteOf(entry, file.path) && (
            <KeptCopy path={file.path} vault={entry.vault} before={file.before} after={file.after} />
          )}
        </FileChanges>
      ))}
      {changes.more > 0 && <p class="none">And {changes.more.toLocaleString("en")} more files.</p>}
      {footer?.(changes.obstacle === undefined)}
    </div>
  );
}

/** Shows the obstacle, and the later changes that would have to be undone first. */
function Obstacle({ changes: { obstacle, later } }: { changes: Pick<Changes, "obstacle" | "later"> }) {
  if (obstacle === undefined) return null;
  return (
    <div class="callout" data-tone="warning" role="note">
      <p>This stands in the way: {obstacle}</p>
      {later.length > 0 && (
        <p>
          Later changes of the same files, to be undone first: {later.map(({ message }) => `“${message}”`).join(", ")}.
        </p>
      )}
    </div>
  );
}

interface FileChangesProps {
  readonly file: FileChange;
  readonly entry: Entry;
  readonly isReversed: boolean;
  readonly children: ComponentChildren;
}

function FileChanges({ file, entry, isReversed, children }: FileChangesProps) {
  const { before, after } = file;
  const [old, now] = isReversed ? [after, before] : [before, after];
  const hasText = before !== undefined || after !== undefined;
  const isUnknown = (file.kind === "changed" || file.kind === "created") && !hasText;
  return (
    <section class="file-change" role="group" aria-label={file.path}>
      <p class="file-change-head">{headOf(file, entry, isReversed)}</p>
      {hasText && <TextDifference before={old ?? ""} after={now ?? ""} label={`Difference of ${file.path}`} />}
      {isUnknown && (
        <p class="none">The text is not shown: it is no text, very long, or was changed by somebody else since.</p>
      )}
      {children}
    </section>
  );
}

function headOf(file: FileChange, entry: Entry, isReversed: boolean) {
  const { kind, path, to = "" } = file;
  switch (kind) {
    case "changed":
      return isNoteOf(entry, path) ? <a href={noteAddress(path, { vault: entry.vault })}>{path}</a> : <>{path}</>;
    case "created":
      return isReversed ? <>{path} goes to the trash</> : <>Created {path}</>;
    case "deleted":
      return isReversed ? <>{path} comes back from the trash</> : <>Deleted {path}</>;
    case "restored":
      return isReversed ? <>{path} goes to the trash again</> : <>Restored {path}</>;
    case "moved":
      return isReversed ? (
        <>
          {to} goes back to {path}
        </>
      ) : (
        <>
          Moved {path} to {to}
        </>
      );
    case "folder created":
      return isReversed ? <>The folder {path} is removed</> : <>Created the folder {path}</>;
    case "folder removed":
      return isReversed ? <>The folder {path} comes back</> : <>Removed the folder {path}</>;
  }
}
