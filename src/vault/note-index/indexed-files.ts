// The files of a vault as the SQLite index reads them: listed with their versions,
// and read in transactions that cannot wait. A folder is read directly; of a shared
// store what a transaction needs is fetched before it. Made by vault.ts, used by the
// sweep and by what gives meaning to passages.
import { join } from "node:path";
import { codeOf, readReal, realPath, type StoredFiles } from "../../files/files.ts";
import { type Listing, listFiles, statsOf } from "./file-listing.ts";

export interface IndexedFiles extends Pick<StoredFiles, "folder" | "isHidden" | "check"> {
  /** @param within only what is at or below these paths */
  readonly list: (within?: readonly string[], signal?: AbortSignal) => Promise<Listing>;
  /** Whether two contents never have the same version: that of a file may be written twice within a tick of its clock. */
  readonly hasExactVersions: boolean;
  /** Whether a file that was not listed exists, or may exist. */
  readonly isThere: (path: string) => boolean;
  /** Makes some of these readable; all of them, if they are read directly. */
  readonly fetch: (paths: readonly string[]) => Promise<void>;
  readonly isFetched: (path: string) => boolean;
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
    hasExactVersions: false,
    isThere: (path) => isThere(folder, path),
    fetch: async () => {},
    isFetched: () => true,
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
