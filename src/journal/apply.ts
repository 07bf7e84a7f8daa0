// Carries out planned actions on the disk, tells which of them are there, and
// takes them back. The journal uses it for a change under way, and recovery
// for one that a killed process left.
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  AT_ONCE,
  discard,
  makeFolder,
  publish,
  putInPlace,
  removeEmptyFolder,
  removeFile,
  replaceFile,
  syncFolders,
  writeTemporary,
} from "../files/atomic.ts";
import { isSameFile } from "../files/file-identity.ts";
import { nameOf, parentOf, type EntryPath } from "../files/vault-path.ts";
import { UnreachablePath, type Entry, type VaultRoot } from "../files/vault-root.ts";
import { Problem } from "../text/problem.ts";
import type { Action, Move } from "./action.ts";
import { conflict, stampOf, type Planned } from "./plan.ts";
import { applyEdits, inverseEdits } from "./splice.ts";

/** Writes all new content beside its place, so that nothing but renames is left to do. */
export async function writeContents(root: VaultRoot, planned: readonly Planned[]): Promise<void> {
  const written = planned.filter(({ bytes }) => bytes !== undefined);
  for (let start = 0; start < written.length; start += AT_ONCE) {
    const batch = written.slice(start, start + AT_ONCE).map(({ action, bytes = new Uint8Array(), replaces }) => {
      return writeTemporary(temporaryOf(root, action)!, bytes, { path: action.path, like: replaces });
    });
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

export function discardContents(root: VaultRoot, actions: readonly Action[]): void {
  for (const action of actions) {
    const temporary = temporaryOf(root, action);
    if (temporary !== undefined) discard(temporary);
  }
}

/** Carries them out in order, and tells of each; where one fails, it was not carried out at all. */
export async function carryOut(
  root: VaultRoot,
  planned: readonly Planned[],
  carriedOut: (action: Action) => void,
): Promise<void> {
  for (const one of planned) {
    await carryOutOne(root, one);
    carriedOut(one.action);
  }
  await syncAll(
    root,
    planned.map(({ action }) => action),
  );
}

async function carryOutOne(root: VaultRoot, { action, replaces }: Planned): Promise<void> {
  const entry = root.locateEntry(action.path);
  root.checkParent(entry);
  switch (action.kind) {
    case "put":
      return publish(temporaryOf(root, action)!, entry.absolute);
    case "patch": {
      // A program that knows nothing of our lock may have written since the content was read.
      if (replaces === undefined || entry.stats === undefined || stampOf(entry.stats) !== stampOf(replaces))
        throw conflict(action.path, root.read(action.path)?.hash ?? "that of no file");
      return putInPlace(temporaryOf(root, action)!, entry.absolute);
    }
    case "move": {
      const to = targetOf(root, action, entry);
      root.checkParent({ ...entry, absolute: to });
      return publish(entry.absolute, to);
    }
    case "make":
      await makeFolder(entry.absolute);
      return undefined;
    case "unmake":
      if (entry.kind === "absent" || (await removeEmptyFolder(entry.absolute)) || action.implied) return undefined;
      throw new Problem("conflict", `The folder ${action.path} is not empty.`);
  }
}

/** The new place of an entry; where only its spelling changes, the old one must not be taken for it. */
function targetOf(root: VaultRoot, { path, to }: Move, entry: Entry): string {
  if (root.key(path) === root.key(to)) return join(dirname(entry.absolute), nameOf(to));
  return root.locateEntry(to).absolute;
}

/** Whether an action was carried out, as far as the disk can tell; undefined where it cannot. */
export function isCarriedOut(root: VaultRoot, action: Action): boolean | undefined {
  const temporary = temporaryOf(root, action);
  if (temporary !== undefined && lstatSync(temporary, { throwIfNoEntry: false }) !== undefined) return false;
  switch (action.kind) {
    case "put":
      if (!isThere(root, action.path)) return false;
      return hashAt(root, action.path) === action.after ? true : undefined;
    case "patch": {
      const hash = isThere(root, action.path) ? hashAt(root, action.path) : undefined;
      return hash === action.after ? true : hash === action.before ? false : undefined;
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      if (from && to) return isHalfMoved(root, action) ? false : undefined;
      return from ? false : to ? true : undefined;
    }
    case "make":
      return isThere(root, action.path);
    case "unmake":
      // One that was only implied stays where it is not empty.
      return action.implied ? undefined : !isThere(root, action.path);
  }
}

/**
 * Takes back, from the last, what was carried out and is still as it was left.
 * `failed` may pass over an action that cannot be taken back.
 */
export async function takeBack(
  root: VaultRoot,
  actions: readonly Action[],
  failed: (action: Action, error: unknown) => void = rethrow,
): Promise<void> {
  for (const action of actions.toReversed()) {
    try {
      await takeBackOne(root, action);
    } catch (error) {
      failed(action, error);
    }
  }
  await syncAll(root, actions);
}

function rethrow(_action: Action, error: unknown): never {
  throw error;
}

async function takeBackOne(root: VaultRoot, action: Action): Promise<void> {
  const entry = root.locateEntry(action.path);
  const temporary = temporaryOf(root, action);
  switch (action.kind) {
    case "put": {
      const isOurs = isLinkOrClaim(temporary!, entry.absolute) || hashAt(root, action.path) === action.after;
      if (isOurs) await removeFile(entry.absolute);
      return discard(temporary!);
    }
    case "patch": {
      discard(temporary!);
      const content = entry.kind === "file" ? root.read(action.path) : undefined;
      if (content?.hash !== action.after) return;
      const { after: before } = applyEdits(content.bytes, inverseEdits(action.splices));
      root.checkParent(entry);
      return replaceFile(entry.absolute, before, temporary!);
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      const target = targetOf(root, action, entry);
      if (from && to && isHalfMoved(root, action)) return removeFile(target);
      if (from || !to) return;
      // In this direction the old name is the new one.
      const back = { ...action, path: action.to, to: action.path };
      return publish(target, targetOf(root, back, root.locateEntry(action.to)));
    }
    case "make":
      if (entry.kind === "folder") await removeEmptyFolder(entry.absolute);
      return undefined;
    case "unmake":
      if (entry.kind === "absent") await makeFolder(entry.absolute);
      return undefined;
  }
}

/** Makes the names that the actions changed durable. */
export async function syncAll(root: VaultRoot, actions: readonly Action[]): Promise<void> {
  const changed = actions.flatMap((action) => {
    if (action.kind === "move") return [action.path, action.to];
    return "temporary" in action ? [action.path, action.temporary] : [action.path];
  });
  // Where a folder is another by now, its names are not ours; to sync them does no harm.
  await syncFolders(changed.map((path) => join(root.folder, parentOf(path))));
}

/** Exactly this name, be it a link to nothing: on a disk that ignores case, a name of another case is another state. */
function isThere(root: VaultRoot, path: EntryPath): boolean {
  const located = root.locateEntry(path);
  return located.kind !== "absent" && basename(located.absolute) === nameOf(path);
}

function hashAt(root: VaultRoot, path: EntryPath): string | undefined {
  return root.locate(path).kind === "file" ? root.read(path)?.hash : undefined;
}

function isHalfMoved(root: VaultRoot, { path, to }: Move): boolean {
  return isLinkOrClaim(root.locateEntry(path).absolute, root.locateEntry(to).absolute);
}

/** Whether a publication stopped half-way: a second name for the same file, or an empty file that claims the name. */
function isLinkOrClaim(from: string, to: string): boolean {
  const [source, target] = [from, to].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (!source?.isFile() || !target?.isFile()) return false;
  return isSameFile(source, target) || (target.size === 0n && source.size > 0n);
}

function temporaryOf(root: VaultRoot, action: Action): string | undefined {
  if (action.kind !== "put" && action.kind !== "patch") return undefined;
  const folder = root.locate(parentOf(action.temporary));
  if (folder.kind === "file") throw new UnreachablePath("invalid", `Not a folder: ${folder.path}`);
  return join(folder.absolute, nameOf(action.temporary));
}
