// A vault's folder while something in it is changed. Folders are held open, and
// what is in them is changed through the open folder: whatever another program
// swaps in the meantime, a name stays in the folder that was checked. Node has
// no `openat`; on Linux `/proc/self/fd/<folder>/<name>` is the same. Elsewhere
// the folder's path is checked before and after. Used by the journal.
import { closeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openFolder } from "../disk/open-file.ts";
import { isOpenedAt } from "../disk/real-path.ts";
import { asProblem, codeOf } from "../disk/system-errors.ts";
import { InvalidPath, type Located } from "./stored-files.ts";
import type { VaultRoot } from "./vault-root.ts";

type Place = Pick<Located, "absolute" | "path">;

export interface HeldRoot extends VaultRoot {
  /** The path by which an entry is to be changed. Refuses where its folder is no longer the one that was located. */
  readonly at: (entry: Place) => string;
  /** To be called after something was made in a folder: refuses where that went elsewhere. */
  readonly checkAfter: (entry: Place) => void;
  /** Every path by which this name may have been made, also in folders that were moved away since. */
  readonly leftAt: (absolute: string) => string[];
  readonly close: () => void;
}

/** More are closed, the oldest first: a process may have only so many. */
const MOST_HELD = 200;

export function holdFolders(root: VaultRoot): HeldRoot {
  /** By real path, the oldest first. */
  const held = new Map<string, number>();
  /** What was held under a path that is another folder's by now. */
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
    if (held.size > MOST_HELD && oldest !== undefined) {
      held.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    return handle;
  };

  const handleFor = ({ absolute, path }: Place): number | undefined => {
    if (process.platform !== "linux") return undefined;
    const folder = dirname(absolute);
    try {
      return hold(folder);
    } catch (error) {
      // ENOTDIR is what Linux says of a link that is to be opened as a folder.
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
