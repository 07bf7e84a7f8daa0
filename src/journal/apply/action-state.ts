// Reads from the disk which actions of an entry are applied, half applied or not
// applied. Used by rollback.ts for a change that failed, and by recover.ts for
// one that a killed process left.
import { lstatSync, type BigIntStats } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type EntryPath,
  folderFiles,
  isSameFile,
  nameOf,
  type StoredEntry,
  type VaultRoot,
} from "../../files/files.ts";
import type { Action, Move, Put } from "../plan/action.ts";
import { ProjectedVault } from "../plan/projected-vault.ts";
import { temporaryOf } from "./contents.ts";

/** Returns whether an action was applied, judging by the disk; undefined if the disk does not show it. */
export async function isApplied(root: VaultRoot, action: Action): Promise<boolean | undefined> {
  const temporary = temporaryOf(root, action);
  if (temporary !== undefined && lstatSync(temporary.absolute, { throwIfNoEntry: false }) !== undefined) return false;
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
      if (from && to) return isHalfApplied(root, action) || (await isHalfRolledBack(root, action)) ? false : undefined;
      return from ? false : to ? true : undefined;
    }
    case "make":
      return isThere(root, action.path);
    case "unmake":
      // An implied one leaves a folder that is not empty.
      return action.implied ? undefined : !isThere(root, action.path);
  }
}

/** Returns whether this exact name exists, even as a broken link. On a disk that ignores case, another case is another state. */
export function isThere(root: VaultRoot, path: EntryPath): boolean {
  const located = root.locateEntry(path);
  return located.kind !== "absent" && basename(located.absolute) === nameOf(path);
}

export function hashAt(root: VaultRoot, path: EntryPath): string | undefined {
  return root.locate(path).kind === "file" ? root.hash(path) : undefined;
}

/** The absolute path that a move leads to. If only the spelling changes, `to` would locate the old entry. */
export function targetOf(root: VaultRoot, { path, to }: Move, entry: StoredEntry): string {
  if (root.key(path) === root.key(to)) return join(dirname(entry.absolute), nameOf(to));
  return root.locateEntry(to).absolute;
}

/**
 * Returns whether `publish` was interrupted: the file has both names, or an empty file
 * claims the new name. The new name was free when the action was planned.
 */
export function isHalfApplied(root: VaultRoot, action: Put | Move): boolean {
  const [source, target] = endsOf(root, action);
  return isSecondName(source, target) || (source?.isFile() === true && target?.isFile() === true && target.size === 0n);
}

/** Returns whether the rollback of a move was interrupted: an empty file claims the old name, the content is at the new one. */
export async function isHalfRolledBack(root: VaultRoot, action: Move): Promise<boolean> {
  const [source, target] = endsOf(root, action);
  const isClaimed = source?.isFile() === true && source.size === 0n && target?.isFile() === true && target.size > 0n;
  return isClaimed && new ProjectedVault(folderFiles(root)).matches(action.to, action.fingerprint);
}

/** Returns whether the file has both the old and the new name of the action. */
export function hasSecondName(root: VaultRoot, action: Put | Move): boolean {
  const [source, target] = endsOf(root, action);
  return isSecondName(source, target);
}

function isSecondName(source: BigIntStats | undefined, target: BigIntStats | undefined): boolean {
  return source?.isFile() === true && target !== undefined && isSameFile(source, target);
}

/** Returns the stats of a published file's old and new name. */
function endsOf(root: VaultRoot, action: Put | Move): (BigIntStats | undefined)[] {
  const from = action.kind === "move" ? root.locateEntry(action.path) : temporaryOf(root, action);
  const to = root.locateEntry(action.kind === "move" ? action.to : action.path);
  return [from, to].map(({ absolute }) => lstatSync(absolute, { bigint: true, throwIfNoEntry: false }));
}
