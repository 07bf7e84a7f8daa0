// Names a document for people and programs: its path on the disk, or
// `store:SPACE/path` in a shared store, which is the same on every machine and says
// nothing about it. Used by file-document.ts and by what finds documents.
import { join } from "node:path";
import type { EntryPath, VaultPath } from "../../files/files.ts";
import type { FileStore } from "../../journal/journal.ts";

/** The place of a document. */
interface Home {
  readonly root: Pick<FileStore["root"], "folder">;
  readonly sidecars?: FileStore["sidecars"] | undefined;
}

export function documentName({ root, sidecars }: Home, path: EntryPath): string {
  return sidecars?.subjectOf(path as VaultPath) ?? join(root.folder, path);
}
