// Rolls applied actions back. Used by commit.ts for a change that failed, and
// by recover.ts for one that a killed process left.
import {
  type HeldRoot,
  makeFolder,
  publish,
  removeEmptyFolder,
  removeFile,
  replaceFile,
  UnreachablePath,
} from "../../files/files.ts";
import { Turns } from "../../kernel/kernel.ts";
import type { Action, Patch } from "../plan/action.ts";
import { applyEdits, inverseEdits } from "../plan/splice.ts";
import { hashAt, hasSecondName, isHalfApplied, isHalfRolledBack, isThere, targetOf } from "./action-state.ts";
import { syncAll } from "./apply.ts";
import { discardContents, temporaryOf } from "./contents.ts";

interface Skipping {
  /** May skip an action that cannot be rolled back. */
  readonly onFailure?: (action: Action, error: unknown) => void;
  /** A file was changed since, so its new content is left in place. */
  readonly onChangedSince?: (action: Action) => void;
}

/**
 * Rolls back, from the last action to the first, what was applied and has not
 * been changed since.
 */
export async function rollback(
  root: HeldRoot,
  actions: readonly Action[],
  { onFailure = rethrow, onChangedSince = () => {} }: Skipping = {},
): Promise<void> {
  const turns = new Turns();
  for (const action of actions.toReversed()) {
    try {
      if (!(await rollbackOne(root, action))) onChangedSince(action);
    } catch (error) {
      onFailure(action, error);
    }
    if (turns.isOver()) await turns.next();
  }
  await syncAll(root, actions);
}

function rethrow(_action: Action, error: unknown): never {
  throw error;
}

/** @returns false if the file has neither its content from before nor from after the action: another program wrote it */
async function rollbackOne(root: HeldRoot, action: Action): Promise<boolean> {
  if (action.kind === "patch") return rollbackPatch(root, action);
  await rollbackWhole(root, action);
  return true;
}

async function rollbackPatch(root: HeldRoot, action: Patch): Promise<boolean> {
  await discardContents(root, [action]);
  const entry = root.locateEntry(action.path);
  if (entry.kind !== "file") return false;
  // The hash first: what another program put there may be too large to read.
  const hash = root.hash(action.path);
  if (hash === action.before) return true;
  const content = hash === action.after ? root.read(action.path, Number.POSITIVE_INFINITY) : undefined;
  if (content?.hash !== action.after) return false;
  const { after: before } = applyEdits(content.bytes, inverseEdits(action.splices));
  await replaceFile(root.at(entry), before, root.at(temporaryOf(root, action)));
  return true;
}

async function rollbackWhole(root: HeldRoot, action: Exclude<Action, Patch>): Promise<void> {
  const entry = root.locateEntry(action.path);
  switch (action.kind) {
    case "put": {
      const isOurs = isHalfApplied(root, action) || hashAt(root, action.path) === action.after;
      if (isOurs) await removeFile(root.at(entry));
      return discardContents(root, [action]);
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      const moved = root.locateEntry(action.to);
      if (from && to && isHalfApplied(root, action)) return removeFile(root.at(moved));
      if (from && to && (await isHalfRolledBack(root, action))) await removeFile(root.at(entry));
      else if (from || !to) return undefined;
      // In this direction the old name is the new one.
      const back = targetOf(root, { ...action, path: action.to, to: action.path }, moved);
      return publish(root.at(moved), root.at({ path: action.path, absolute: back }));
    }
    case "make":
      if (entry.kind === "folder") await removeEmptyFolder(root.at(entry));
      return undefined;
    case "unmake":
      if (entry.kind === "absent") await makeFolder(root.at(entry));
      return undefined;
  }
}

/** Removes the second name that an action gave a file before it failed. An empty file may be another program's. */
export async function removeSecondName(root: HeldRoot, action: Action): Promise<void> {
  if (action.kind !== "put" && action.kind !== "move") return;
  const to = root.locateEntry(action.kind === "move" ? action.to : action.path);
  if (hasSecondName(root, action)) await removeFile(root.at(to));
}

/** Removes the folders that an operation would have left empty, if it was stopped just before that. */
export async function removeEmptied(root: HeldRoot, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    if (action.kind !== "unmake" || !action.implied) continue;
    try {
      const entry = root.locateEntry(action.path);
      if (entry.kind === "folder") await removeEmptyFolder(root.at(entry));
    } catch (error) {
      if (!(error instanceof UnreachablePath)) throw error;
    }
  }
}
