// Lists what is below a folder of a vault, without hidden entries and links: a
// link to a folder could form a circle, and its target is listed where it really
// is. Used by vault-root.ts.
import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../disk/system-errors.ts";
import { listReal } from "../disk/real-path.ts";
import { below, type EntryPath, type VaultPath } from "./vault-path.ts";
import type { ListedEntry, ListOptions } from "./stored-files.ts";
import type { VaultRoot } from "./vault-root.ts";

/** Folders before their content, sorted by name. A folder that disappears during the listing is skipped. */
export function* listBelow(
  root: Pick<VaultRoot, "folder" | "locate">,
  from: VaultPath,
  limits: ListOptions = {},
): Generator<ListedEntry> {
  const { absolute, path, target } = root.locate(from);
  yield* listFolder(target === undefined ? absolute : join(root.folder, target), path, 1, limits);
}

function* listFolder(absolute: string, folder: EntryPath, depth: number, limits: ListOptions): Generator<ListedEntry> {
  limits.signal?.throwIfAborted();
  for (const entry of entriesOf(absolute, folder, limits)) {
    if (entry.name.startsWith(".")) continue;
    const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : undefined;
    if (kind === undefined) continue;
    // Below a parsed path and not hidden, so it is a valid path as well.
    const path = below(folder, entry.name) as VaultPath;
    if (limits.skip?.(path)) continue;
    yield { path, name: entry.name, kind, depth };
    if (kind === "folder" && depth < (limits.depth ?? Number.POSITIVE_INFINITY)) {
      yield* listFolder(join(absolute, entry.name), path, depth + 1, limits);
    }
  }
}

function entriesOf(absolute: string, folder: EntryPath, { onUnreadable }: ListOptions): Dirent[] {
  try {
    const entries = listReal(absolute, (path) => readdirSync(path, { withFileTypes: true }));
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) onUnreadable?.(folder as VaultPath);
    else if (!/^(?:ENOENT|ENOTDIR|ELOOP)$/.test(codeOf(error))) throw error;
    return [];
  }
}
