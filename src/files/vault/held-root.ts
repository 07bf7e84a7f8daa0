// A vault's folder during a change. Folders are held open, and their entries are
// changed through the open folder: whatever another program swaps, a name stays
// in the folder that was checked. Node has no `openat`; on Linux
// `/proc/self/fd/<folder>/<name>` does the same. Elsewhere the folder's path is
// checked before and after. Used by the journal.
import { closeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import { openFolder } from "../disk/open-file.ts";
import { isOpenedAt } from "../disk/real-path.ts";
import { asProblem, codeOf } from "../disk/system-errors.ts";
import { InvalidPath, type Located } from "./stored-files.ts";
import type { VaultRoot } from "./vault-root.ts";

type Place = Pick<Located, "absolute" | "path">;

export interface HeldRoot extends VaultRoot {
  /** The path through which to change an entry. Throws if its folder is no longer the one that was located. */
  readonly at: (entry: Place) => string;
  /** Call it after creating something in a folder: throws if that was created elsewhere. */
  readonly checkAfter: (entry: Place) => void;
  /** Every path at which this name may have been created, even in folders that were moved since. */
  readonly leftAt: (absolute: string) => string[];
  readonly close: () => void;
}

/** The limit of open folders, since that of a process is limited; the oldest is closed first. */
const MAX_HELD = 200;

export function holdFolders(root: VaultRoot): HeldRoot {
  /** By real path, the oldest first. */
  const held = new Map<string, number>();
  /** Folders that were held under a path that means another folder by now. */
  const former: { readonly folder: string; readonly handle: number }[] = [];

  const hold = (folder: string): number | undefined => {
    const known = held.get(folder);
    if (known !== undefined && isOpenedAt(known, folder) === true) return known;
    const handle = openFolder(folder);
    if (known !== undefined) former.push({ folder, handle: known });
    held.delete(folder);
    const isThere = isOpenedAt(handle, folder);
    if (isThere !== true) closeSync(handle);
    if (isThere === false) throw Object.assign(new Error(`ELOOP: '${folder}'`), { code: "ELOOP" });
    if (isThere === undefined) return undefined;
    held.set(folder, handle);
    const [oldest] = held;
    if (held.size > MAX_HELD && oldest !== undefined) {
      held.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    return handle;
  };

  const handleFor = ({ absolute, path }: Place): number | undefined => {
    if (!operatingSystem().hasProc) return undefined;
    const folder = dirname(absolute);
    try {
      return hold(folder);
    } catch (error) {
      // Linux returns ENOTDIR for a link that is opened as a folder.
      if (/^(?:ELOOP|ENOTDIR)$/.test(codeOf(error))) throw new InvalidPath("denied", path);
      // A folder that may be written but not read cannot be held.
      if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) return undefined;
      throw asProblem(error, folder);
    }
  };

  return {
    ...root,
    at: (entry) => {
      const handle = handleFor(entry);
      if (handle !== undefined) return pathIn(handle, entry.absolute);
      root.checkParent(entry);
      return entry.absolute;
    },
    checkAfter: (entry) => {
      if (!held.has(dirname(entry.absolute))) root.checkParent(entry);
    },
    leftAt: (absolute) => {
      const folder = dirname(absolute);
      const handles = [held.get(folder), ...former.map((each) => (each.folder === folder ? each.handle : undefined))];
      const paths = handles.flatMap((handle) => (handle === undefined ? [] : [pathIn(handle, absolute)]));
      return paths.length > 0 ? paths : [absolute];
    },
    close: () => {
      for (const handle of [...held.values(), ...former.map(({ handle }) => handle)]) closeSync(handle);
      held.clear();
      former.length = 0;
    },
  };
}

function pathIn(handle: number, absolute: string): string {
  return `/proc/self/fd/${handle}/${basename(absolute)}`;
}
