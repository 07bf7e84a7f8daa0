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
import type { Action } from "../plan/action.ts";
import { applyEdits, inverseEdits } from "../plan/splice.ts";
import { hashAt, hasSecondName, isHalfApplied, isHalfRolledBack, isThere, targetOf } from "./action-state.ts";
import { syncAll } from "./apply.ts";
import { discardContents, temporaryOf } from "./contents.ts";

/**
 * Rolls back, from the last action to the first, what was applied and has not
 * been changed since.
 * @param onFailure may skip an action that cannot be rolled back
 */
export async function rollback(
  root: HeldRoot,
  actions: readonly Action[],
  onFailure: (action: Action, error: unknown) => void = rethrow,
): Promise<void> {
  const turns = new Turns();
  for (const action of actions.toReversed()) {
    try {
      await rollbackOne(root, action);
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

async function rollbackOne(root: HeldRoot, action: Action): Promise<void> {
  const entry = root.locateEntry(action.path);
  switch (action.kind) {
    case "put": {
      const isOurs = isHalfApplied(root, action) || hashAt(root, action.path) === action.after;
      if (isOurs) await removeFile(root.at(entry));
      return discardContents(root, [action]);
    }
    case "patch": {
      await discardContents(root, [action]);
      // The hash first: what another program put there may be too large to read.
      if (entry.kind !== "file" || root.hash(action.path) !== action.after) return undefined;
      const content = root.read(action.path, Number.POSITIVE_INFINITY);
      if (content?.hash !== action.after) return undefined;
      const { after: before } = applyEdits(content.bytes, inverseEdits(action.splices));
      return replaceFile(root.at(entry), before, root.at(temporaryOf(root, action)));
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      const moved = root.locateEntry(action.to);
      if (from && to && isHalfApplied(root, action)) return removeFile(root.at(moved));
      if (from && to && isHalfRolledBack(root, action)) await removeFile(root.at(entry));
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
