// The new contents of a change: written to temporary files beside their final
// names before anything is renamed, and discarded when the change fails. Used
// by apply.ts, rollback.ts and commit.ts.
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import {
  AT_ONCE,
  discard,
  type HeldRoot,
  type Located,
  nameOf,
  parentOf,
  UnreachablePath,
  type VaultRoot,
  writeTemporary,
} from "../../files/files.ts";
import { Turns } from "../../kernel/kernel.ts";
import type { Action, Patch, Put, Planned } from "../plan/action.ts";

/** The name of an entry, for reading and for changing it. */
export type EntryName = Pick<Located, "absolute" | "path">;

export interface WriteOptions {
  /** Stops the writing: no file of the vault has changed yet. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((written: number, of: number) => void) | undefined;
}

/** Writes all new content to temporary files, so that only renames are left to do. */
export async function writeContents(
  root: HeldRoot,
  planned: readonly Planned[],
  { signal, onProgress }: WriteOptions = {},
): Promise<void> {
  const written = planned.filter(({ bytes }) => bytes !== undefined);
  const turns = new Turns(signal);
  for (let start = 0; start < written.length; start += AT_ONCE) {
    const batch = written.slice(start, start + AT_ONCE).map(async ({ action, bytes, replaces }) => {
      const temporary = temporaryOf(root, action)!;
      const at = root.at(temporary);
      const isOne = written.length === 1;
      const like = statsOnDisk(replaces);
      const original = like && (() => root.at(root.locateEntry(action.path)));
      await writeTemporary(at, await bytes!(), { path: action.path, like, original, isOne });
      checkMade(root, temporary, () => discard(at));
    });
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    if (!turns.isOver()) continue;
    onProgress?.(Math.min(start + AT_ONCE, written.length), written.length);
    await turns.next();
  }
}

/** Those of a folder's file are from the disk, with its owner and permissions. */
function statsOnDisk(replaces: Planned["replaces"]): BigIntStats | undefined {
  return replaces?.stats as BigIntStats | undefined;
}

/** If the folder was swapped during the change, removes what was made elsewhere, and throws. */
export function checkMade(root: HeldRoot, entry: EntryName, remove: () => void): void {
  try {
    root.checkAfter(entry);
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes temporary files, even from folders that were moved since. Never throws: what is left is hidden. */
export async function discardContents(root: HeldRoot, actions: readonly Action[]): Promise<void> {
  const turns = new Turns();
  for (const action of actions) {
    if (action.kind !== "put" && action.kind !== "patch") continue;
    root.leftAt(join(root.folder, action.temporary)).forEach(discard);
    if (turns.isOver()) await turns.next();
  }
}

export function temporaryOf(root: VaultRoot, action: Put | Patch): EntryName;
export function temporaryOf(root: VaultRoot, action: Action): EntryName | undefined;
export function temporaryOf(root: VaultRoot, action: Action): EntryName | undefined {
  if (action.kind !== "put" && action.kind !== "patch") return undefined;
  const folder = root.locate(parentOf(action.temporary));
  if (folder.kind === "file") throw new UnreachablePath("invalid", `Not a folder: ${folder.path}`);
  return { path: action.temporary, absolute: join(folder.absolute, nameOf(action.temporary)) };
}
