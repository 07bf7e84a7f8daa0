// A folder on disk as StoredFiles: what all rooms read through that must not know
// where files live. The folder itself is synchronous (vault-root.ts), which is
// faster than waiting for each file. Used where a vault or an outline is opened.
import { readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkWritable } from "../disk/atomic.ts";
import { readText } from "../disk/open-file.ts";
import { listReal } from "../disk/real-path.ts";
import type { PlannableFiles } from "./stored-files.ts";
import type { VaultRoot } from "./vault-root.ts";

export function folderFiles(root: VaultRoot): PlannableFiles {
  return {
    folder: root.folder,
    key: root.key,
    isHidden: root.isHidden,
    check: root.check,
    locate: async (path) => root.locate(path),
    locateEntry: async (path) => root.locateEntry(path),
    read: async (path, most) => root.read(path, most),
    readLocated: async (path, most) => {
      const located = root.locate(path);
      return { located, content: located.kind === "file" ? root.read(path, most) : undefined };
    },
    open: async (path) => root.open(path),
    pieces: async (path) => root.pieces(path),
    // A listing names no links, so that nothing has to be resolved.
    stats: async (path) => statSync(join(root.folder, path), { bigint: true, throwIfNoEntry: false }),
    hash: async (path) => root.hash(path),
    list: async (folder, options) => root.list(folder, options),
    settingsText: async (path) => {
      try {
        // People share one .obsidian between vaults by a link.
        return readText(join(root.folder, ".obsidian", path), { followsLinks: true });
      } catch {
        // Obsidian does without settings that cannot be read.
        return undefined;
      }
    },
    namesIn: async (folder) => {
      const { absolute, target } = root.locate(folder);
      const real = target === undefined ? absolute : join(root.folder, target);
      return listReal(real, (path) => readdirSync(path));
    },
    linkText: async (path) => readlinkSync(root.locateEntry(path).absolute),
    checkWritable: async (path) => checkWritable(join(root.folder, path)),
  };
}
