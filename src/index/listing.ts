// Lists the files of a vault with what the index needs of each: its kind, its
// version, and whether it is there without being readable. Used by the sweep,
// which must know what it could not see; the walk of the tools passes over that.
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../files/atomic.ts";
import type { DocumentKind, Version } from "./document.ts";
import { isOnlyInCloud, kindOfFile, placeholderFor } from "./file-names.ts";

export interface ListedFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly version: Version;
  /** Why it is not to be read: it is only in the cloud, or a folder that cannot be listed. */
  readonly unread: string | undefined;
}

const IN_CLOUD = "only in the cloud";
const UNKNOWN_VERSION: Version = { size: -1, mtime: 0, inode: 0 };

export function* listFiles(root: string, folder: string): Generator<ListedFile> {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    // What vanishes meanwhile is no longer there.
    if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)))
      // What is below it is unknown, and counts as present. The slash keeps its path from being any file's.
      yield { path: `${folder}/`, kind: "folder", version: UNKNOWN_VERSION, unread: codeOf(error) };
    return;
  }
  for (const entry of entries) {
    const name = placeholderFor(entry.name) ?? entry.name;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* listFiles(root, path);
    if (!entry.isFile()) continue;
    const kind = kindOfFile(name);
    if (kind === undefined) continue;
    if (name !== entry.name) {
      yield { path, kind, version: UNKNOWN_VERSION, unread: IN_CLOUD };
      continue;
    }
    const file = fileAt(root, path, kind);
    if (file !== undefined) yield file;
  }
}

/** Undefined where there is no such file. */
export function fileAt(root: string, path: string, kind: DocumentKind): ListedFile | undefined {
  try {
    const stats = lstatSync(join(root, path));
    if (!stats.isFile()) return undefined;
    const version = { size: stats.size, mtime: stats.mtimeMs, inode: stats.ino };
    return { path, kind, version, unread: isOnlyInCloud(stats) ? IN_CLOUD : undefined };
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error))) return undefined;
    return { path, kind, version: UNKNOWN_VERSION, unread: codeOf(error) };
  }
}
