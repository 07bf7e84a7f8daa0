// The changes of several journal entries taken together, file by file: what a session
// made of each note, however many calls it took. Pure; used by the tool history.
import type { EntryChanges, FileChange } from "./changes.ts";

/** A file before the first of the entries and after the last one. */
export type FileTogether = FileChange;

/** @param changes of the entries, the oldest first */
export function changesTogether(changes: readonly Pick<EntryChanges, "files">[]): FileTogether[] {
  const files = new Map<string, FileTogether>();
  for (const { files: changed } of changes) for (const file of changed) take(files, file);
  return [...files.values()].map(fromWhereItWas);
}

/** Keyed by the path that a file has after the change; a file that was moved keeps its first path in `path`. */
function take(files: Map<string, FileTogether>, file: FileChange): void {
  const { kind, path, to = path } = file;
  const known = files.get(path);
  switch (kind) {
    case "changed":
      files.set(path, known === undefined ? file : { ...withoutAfter(known), ...afterOf(file), kind: kindWith(known) });
      break;
    case "moved":
      files.delete(path);
      files.set(to, known === undefined ? file : { ...known, to });
      moveBelow(files, path, to);
      break;
    case "deleted":
      files.delete(path);
      if (known?.kind !== "created") files.set(path, { kind, path: known?.path ?? path });
      break;
    case "created":
    case "restored":
    case "folder created":
    case "folder removed":
      files.set(path, file);
  }
}

/** A folder takes along what was changed in it before. */
function moveBelow(files: Map<string, FileTogether>, folder: string, to: string): void {
  const before = [...files];
  for (const [path, file] of before) {
    if (!path.startsWith(`${folder}/`)) continue;
    const moved = to + path.slice(folder.length);
    files.delete(path);
    files.set(moved, { ...file, to: moved });
  }
}

function kindWith({ kind }: FileTogether): FileTogether["kind"] {
  return kind === "created" ? kind : "changed";
}

function withoutAfter({ after: _, ...file }: FileTogether): FileTogether {
  return file;
}

function afterOf({ after }: FileChange): Pick<FileChange, "after"> {
  return after === undefined ? {} : { after };
}

/** A file that the entries made has been nowhere else. */
function fromWhereItWas({ to, ...file }: FileTogether): FileTogether {
  if (to === undefined || to === file.path) return file;
  return file.kind === "created" ? { ...file, path: to } : { ...file, to };
}
