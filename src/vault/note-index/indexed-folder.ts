// The folder of a vault as its SQLite index reads it: directly, since it reads
// every file, in transactions that cannot wait. Made by sqlite-note-index.ts.
import { join } from "node:path";
import { readReal, type StoredFiles } from "../../files/files.ts";

export interface IndexedFolder extends Pick<StoredFiles, "folder" | "isHidden" | "check"> {
  /** The bytes of a file that is no link. Throws if it is gone, is something else, or is too large. */
  readonly read: (path: string) => Buffer;
}

export function indexedFolder({ folder, isHidden, check }: Omit<IndexedFolder, "read">): IndexedFolder {
  return { folder, isHidden, check, read: (path) => readReal(join(folder, path)).bytes };
}
