// Applies planned actions to the disk, after their contents were written to
// temporary files. Used by commit.ts.
import { lstatSync, renameSync, rmdirSync } from "node:fs";
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
import { targetOf } from "./action-state.ts";
import { checkMade, temporaryOf } from "./contents.ts";

/** Applies the actions in order, and reports each. An action that fails was not applied at all. The caller syncs. */
export async function apply(
  root: HeldRoot,
  planned: readonly Planned[],
  onApplied: (action: Action) => void,
): Promise<void> {
  const turns = new Turns();
  for (const one of planned) {
    await applyOne(root, one);
    onApplied(one.action);
    if (turns.isOver()) await turns.next();
  }
}

async function applyOne(root: HeldRoot, { action, replaces }: Planned): Promise<void> {
  const entry = root.locateEntry(action.path);
  const at = root.at(entry);
  switch (action.kind) {
    case "put":
      await publish(root.at(temporaryOf(root, action)), at);
      return checkMade(root, entry, () => discard(at));
    case "patch": {
      // Located first, so that nothing happens between the check of the file and the rename.
      const temporary = root.at(temporaryOf(root, action));
      if (!isAsRead(at, action, replaces)) {
        const hash = await withReplacedNamed(action.path, () => root.hash(action.path));
        throw conflict(action.path, hash ?? "that of no file");
      }
      return putInPlace(temporary, at);
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
const MOST_READINGS = 3;

/**
 * Whether a file still holds what the change was planned on: a program that
 * does not know our lock may have written it since. A program can reset the
 * modification time, but not the change time. Disks store that time in steps,
 * so the content of a file that was just written is compared as well.
 */
function isAsRead(at: string, { before }: Patch, replaces: Planned["replaces"]): boolean {
  if (replaces === undefined) return false;
  const look = () => lstatSync(at, { bigint: true });
  try {
    let now = look();
    if (!replaces.isYoung && stampOf(now) === stampOf(replaces.stats)) return true;
    for (let attempt = 0; attempt < MOST_READINGS; attempt++) {
      if (now.size !== replaces.stats.size) return false;
      if (contentHash(readBytes(at, {}, Number.POSITIVE_INFINITY)) !== before) return false;
      // Written during the read: read it again.
      const then = look();
      if (stampOf(then) === stampOf(now)) return true;
      now = then;
    }
    return false;
  } catch {
    return false;
  }
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
