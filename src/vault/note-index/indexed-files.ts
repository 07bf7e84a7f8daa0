// The files of a folder as the SQLite index reads them: listed with their versions,
// and read in transactions that cannot wait. Made by sqlite-note-index.ts, used by the
// sweep and by what gives meaning to passages.
import { join } from "node:path";
import { codeOf, readReal, realPath, type StoredFiles } from "../../files/files.ts";
import { type Listing, listFiles, statsOf } from "./file-listing.ts";

export interface IndexedFiles extends Pick<StoredFiles, "folder" | "isHidden" | "check"> {
  /** @param within only what is at or below these paths */
  readonly list: (within?: readonly string[], signal?: AbortSignal) => Promise<Listing>;
  /** Whether a file that was not listed exists, or may exist. */
  readonly isThere: (path: string) => boolean;
  /** The bytes of a file that is no link. Throws if it is gone, is something else, or is too large. */
  readonly read: (path: string) => Buffer;
}

export function indexedFolder(root: Pick<StoredFiles, "folder" | "isHidden" | "check">): IndexedFiles {
  const { folder, isHidden, check } = root;
  return {
    folder,
    isHidden,
    check,
    list: (within, signal) => listFiles(root, within, signal),
    isThere: (path) => isThere(folder, path),
    read: (path) => readReal(join(folder, path)).bytes,
  };
}

/** Its folder could not be listed, or the file was created since. Not in another spelling or through a link. */
function isThere(folder: string, path: string): boolean {
  const stats = statsOf(folder, path);
  if (stats === undefined || (typeof stats === "object" && !stats.isFile())) return false;
  const absolute = join(folder, path);
  try {
    return realPath(absolute) === absolute;
  } catch (error) {
    return codeOf(error) !== "ENOENT";
  }
}
