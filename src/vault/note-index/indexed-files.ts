// The files that an index reads: listed with their versions, and read in transactions
// that cannot wait. Those of a folder are made by kept-folder.ts, those of a space of a
// shared store by space-files.ts; used by the sweep and by what gives meaning to passages.
import { join } from "node:path";
import { codeOf, readReal, realPath, type StoredFiles } from "../../files/files.ts";
import { type Listing, listFiles, statsOf } from "./file-listing.ts";

/** A file that is to be read. */
export interface NextFile {
  readonly path: string;
  readonly size: number;
}

export interface FilesAhead {
  /** How many of the files can be read now; at least one. */
  readonly count: number;
  /** The bytes of one of them that is no link. Throws if it is gone, is something else, or is too large. */
  readonly read: (path: string) => Buffer;
}

export interface IndexedFiles extends Pick<StoredFiles, "check"> {
  /** @param within only what is at or below these paths */
  readonly list: (within?: readonly string[], signal?: AbortSignal) => Promise<Listing>;
  /** Returns whether a file that was not listed exists, or may exist. */
  readonly isThere: (path: string) => boolean;
  /** Makes the first of these files ready to be read: all of a folder are. */
  readonly ahead: (files: Iterable<NextFile>) => Promise<FilesAhead>;
}

export function indexedFolder(root: Pick<StoredFiles, "folder" | "isHidden" | "check">): IndexedFiles {
  const { folder, check } = root;
  const all: FilesAhead = {
    count: Number.POSITIVE_INFINITY,
    read: (path) => readReal(join(folder, path)).bytes,
  };
  return {
    check,
    list: (within, signal) => listFiles(root, within, signal),
    isThere: (path) => isThere(folder, path),
    ahead: async () => all,
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
