// Completes or rolls back an operation that a killed process or a power failure
// left without an end. The journal runs it under the lock, before anything else.
// It is idempotent, also if it is interrupted.
//
// An error thrown here fails every later change of the vault. So only errors
// that may pass are thrown (a full disk, a missing permission); what can never be
// rolled back is logged, and left.
import { FailedCall, type HeldRoot, holdFolders, mayPass, UnreachablePath, type VaultRoot } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Action } from "../plan/action.ts";
import { isApplied } from "./action-state.ts";
import { syncAll } from "./apply.ts";
import { removeEmptied, rollback } from "./rollback.ts";
import type { Entries } from "../entries.ts";
import type { Entry } from "../entry.ts";

/** @returns the change that was rolled back; undefined if nothing had to be */
export async function recover(
  root: VaultRoot,
  entries: Entries,
  log: (message: string) => void,
): Promise<Entry | undefined> {
  const newest = entries.newest();
  if (newest === undefined || newest.isDone) return undefined;
  const held = holdFolders(root);
  try {
    return await recoverEntry(held, newest.number, entries, log);
  } finally {
    held.close();
  }
}

async function recoverEntry(
  root: HeldRoot,
  newest: number,
  entries: Entries,
  log: (message: string) => void,
): Promise<Entry | undefined> {
  const entry = entries.find(newest)!;
  const what = `${entry.tool}, ${entry.message}`;
  if (!entry.isReadable) {
    log(`an interrupted change cannot be read, and its files stay as they are: ${what}`);
    entries.finish({ number: entry.number, origin: undefined });
    return undefined;
  }
  const states: (boolean | undefined)[] = [];
  for (const action of entry.actions) states.push(await stateOf(root, action));
  const applied = new Set(states);
  if (!applied.has(false)) {
    await removeEmptied(root, entry.actions);
    await syncAll(root, entry.actions);
    entries.finish(entry);
    return undefined;
  }
  // Its caller got no answer: roll back what was applied.
  if (applied.has(true)) log(`an interrupted change is rolled back: ${what}`);
  const left: string[] = [];
  try {
    await rollback(root, entry.actions, {
      onFailure: ({ path }, error) => {
        if (mayBeRolledBackLater(error)) throw error;
        left.push(path);
      },
      onChangedSince: (action) => {
        if (wasApplied(entry.actions.indexOf(action), entry.actions, states)) left.push(action.path);
      },
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, `An interrupted change cannot be rolled back yet. ${error.message}`, error.hint);
  }
  // If the vault disappeared during this, nothing was found to roll back.
  root.check();
  const rolledBack = applied.has(true) ? entry : undefined;
  if (left.length === 0) {
    entries.drop(entry.number);
    return rolledBack;
  }
  log(`an interrupted change could not be rolled back for ${left.join(", ")} (${what})`);
  // The bytes to put back stay in the history.
  entries.finish({ number: entry.number, origin: undefined });
  return rolledBack;
}

/**
 * Returns whether an action was applied before the interruption, if its file has the
 * content from neither before nor after: then another program wrote it since.
 * Actions are applied in order, so it was if a later one was, or if no earlier
 * one is missing. Folders that are there or not prove nothing.
 */
function wasApplied(i: number, actions: readonly Action[], states: readonly (boolean | undefined)[]): boolean {
  const lastApplied = states.findLastIndex((state, j) => state === true && !actions[j]!.kind.endsWith("make"));
  const firstMissing = states.indexOf(false);
  return i < lastApplied || (lastApplied >= 0 && (firstMissing === -1 || i < firstMissing));
}

async function stateOf(root: VaultRoot, action: Action): Promise<boolean | undefined> {
  try {
    return await isApplied(root, action);
  } catch (error) {
    if (mayBeRolledBackLater(error)) throw error;
    return undefined;
  }
}

/**
 * Returns whether a later attempt may succeed: the disk is full, a permission is
 * missing, another program is in the way. With any other error it would fail in
 * the same way, and with it every change of the vault.
 */
function mayBeRolledBackLater(error: unknown): boolean {
  if (error instanceof UnreachablePath || error instanceof FailedCall) return false;
  if (error instanceof Problem) return /^(?:denied|timeout)$/.test(error.code);
  return mayPass(error);
}
