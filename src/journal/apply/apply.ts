// Applies planned actions to the disk, after their contents were written to
// temporary files. Used by commit.ts.
import { lstatSync, renameSync, rmdirSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import {
  contentHash,
  discard,
  type HeldRoot,
  makeFolder,
  parentOf,
  publish,
  putInPlace,
  readBytes,
  removeEmptyFolder,
  syncFolders,
  type VaultRoot,
} from "../../files/files.ts";
import { Problem, Turns } from "../../kernel/kernel.ts";
import type { Action, Patch, Planned } from "../plan/action.ts";
import { conflict, stampOf, withReplacedNamed } from "../plan/conflicts.ts";
import { type Kept, Overtaken } from "../replaced/replaced-files.ts";
import { targetOf } from "./action-state.ts";
import { checkMade, temporaryOf } from "./contents.ts";

/** Those who want to know of files that are replaced and written. */
export interface Watching {
  /** Keeps the file at a path that is replaced now; undefined if that is not possible. */
  readonly keep: (at: string, stats: BigIntStats, patch: Patch) => Kept | undefined;
  /** A file that is in place now, with its stats from before the rename. */
  readonly left: (stats: BigIntStats | undefined) => void;
}

/** Applies the actions in order, and reports each. An action that fails was not applied at all. The caller syncs. */
export async function apply(
  root: HeldRoot,
  planned: readonly Planned[],
  watching: Watching,
  onApplied: (action: Action) => void,
): Promise<void> {
  const turns = new Turns();
  for (const one of planned) {
    await applyOne(root, one, watching);
    onApplied(one.action);
    if (turns.isOver()) await turns.next();
  }
}

async function applyOne(root: HeldRoot, { action, replaces }: Planned, { keep, left }: Watching): Promise<void> {
  const entry = root.locateEntry(action.path);
  const at = root.at(entry);
  switch (action.kind) {
    case "put":
      const temporary = root.at(temporaryOf(root, action));
      const written = statsOf(temporary);
      await publish(temporary, at);
      checkMade(root, entry, () => discard(at));
      return left(written);
    case "patch": {
      // Located first, so that nothing happens between the check of the file and the rename.
      const temporary = root.at(temporaryOf(root, action));
      const written = statsOf(temporary);
      const stats = asRead(at, action, replaces);
      if (stats !== undefined && (await isReplaced(temporary, at, keep(at, stats, action)))) return left(written);
      const hash = await withReplacedNamed(action.path, () => root.hash(action.path));
      throw conflict(action.path, hash ?? "that of no file");
    }
    case "move": {
      const target = { ...entry, absolute: targetOf(root, action, entry) };
      const to = root.at(target);
      await publish(at, to);
      return checkMade(root, target, () => renameSync(to, at));
    }
    case "make":
      if (await makeFolder(at)) checkMade(root, entry, () => rmdirSync(at));
      return undefined;
    case "unmake":
      if (entry.kind === "absent" || (await removeEmptyFolder(at)) || action.implied) return undefined;
      throw new Problem("conflict", `The folder ${action.path} is not empty.`);
  }
}

/** How often a file is read again that was written during the read. */
const MAX_READINGS = 3;

/**
 * The stats of a file, if it still holds what the change was planned on: a program
 * that does not know our lock may have written it since. A program can reset the
 * modification time, but not the change time. Disks store that time in steps,
 * so the content of a file that was just written is compared as well.
 */
function asRead(at: string, { before }: Patch, replaces: Planned["replaces"]): BigIntStats | undefined {
  if (replaces === undefined) return undefined;
  const look = () => lstatSync(at, { bigint: true });
  try {
    let now = look();
    if (!replaces.isYoung && stampOf(now) === stampOf(replaces.stats)) return now;
    for (let attempt = 0; attempt < MAX_READINGS; attempt++) {
      if (now.size !== replaces.stats.size) return undefined;
      if (contentHash(readBytes(at, {}, Number.POSITIVE_INFINITY)) !== before) return undefined;
      // Written during the read: read it again.
      const then = look();
      if (stampOf(then) === stampOf(now)) return now;
      now = then;
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if it cannot be looked at, which is no reason to fail. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Replaces a file, and watches what was replaced. @returns false if it was written since it was compared */
async function isReplaced(temporary: string, at: string, kept: Kept | undefined): Promise<boolean> {
  try {
    // The rename may have to wait for a program that has the file open, and writes it.
    await putInPlace(temporary, at, kept?.check);
  } catch (error) {
    kept?.release();
    if (error instanceof Overtaken) return false;
    throw error;
  }
  kept?.replaced();
  return true;
}

/** Makes the names that the actions changed durable. */
export async function syncAll(root: VaultRoot, actions: readonly Action[]): Promise<void> {
  const changed = actions.flatMap((action) => {
    if (action.kind === "move") return [action.path, action.to];
    return "temporary" in action ? [action.path, action.temporary] : [action.path];
  });
  // A folder may have been replaced by another program: syncing that one does no harm.
  await syncFolders(changed.map((path) => join(root.folder, parentOf(path))));
}
