// What to do about an operation that a killed process, or a power failure, left
// without an end. The journal does this under the lock, before anything else;
// done twice, or stopped half-way and begun again, it comes to the same.
//
// Whatever is thrown here is thrown at every later change of the vault. So only
// what may pass by itself is (a full disk, a missing right); what can never be
// taken back is told in the log, and left.
import { FailedCall, type HeldRoot, holdFolders, mayPass, UnreachablePath, type VaultRoot } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Action } from "../plan/action.ts";
import { isApplied } from "./action-state.ts";
import { syncAll } from "./apply.ts";
import { removeEmptied, rollback } from "./rollback.ts";
import type { Entries } from "../entries.ts";

export async function recover(root: VaultRoot, entries: Entries, log: (message: string) => void): Promise<void> {
  const newest = entries.newest();
  if (newest === undefined || newest.isDone) return;
  const held = holdFolders(root);
  try {
    await recoverEntry(held, newest.number, entries, log);
  } finally {
    held.close();
  }
}

async function recoverEntry(
  root: HeldRoot,
  newest: number,
  entries: Entries,
  log: (message: string) => void,
): Promise<void> {
  const entry = entries.find(newest)!;
  const what = `${entry.tool}, ${entry.message}`;
  if (!entry.isReadable) {
    log(`an interrupted change cannot be read, and stays as it was left: ${what}`);
    entries.finish({ number: entry.number, origin: undefined });
    return;
  }
  const applied = new Set(entry.actions.map((action) => lookFor(root, action)));
  if (!applied.has(false)) {
    await removeEmptied(root, entry.actions);
    await syncAll(root, entry.actions);
    entries.finish(entry);
    return;
  }
  // Nobody was told that it happened: what did, is taken back.
  if (applied.has(true)) log(`an interrupted change is rolled back: ${what}`);
  const left: string[] = [];
  try {
    await rollback(root, entry.actions, ({ path }, error) => {
      if (mayBeRolledBackLater(error)) throw error;
      left.push(path);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, `An interrupted change cannot be rolled back yet. ${error.message}`, error.hint);
  }
  // Of a vault that went away meanwhile nothing was to be found.
  root.check();
  if (left.length === 0) return entries.drop(entry.number);
  log(`of an interrupted change this could not be rolled back: ${left.join(", ")} (${what})`);
  // The bytes to put back stay in the history.
  entries.finish({ number: entry.number, origin: undefined });
}

function lookFor(root: VaultRoot, action: Action): boolean | undefined {
  try {
    return isApplied(root, action);
  } catch (error) {
    if (mayBeRolledBackLater(error)) throw error;
    return undefined;
  }
}

/**
 * Whether the next try may succeed: the disk is full, a right is missing,
 * another program is in the way. With anything else, a later one would fail in
 * the same way, and with it every change of the vault.
 */
function mayBeRolledBackLater(error: unknown): boolean {
  if (error instanceof UnreachablePath || error instanceof FailedCall) return false;
  if (error instanceof Problem) return /^(?:denied|timeout)$/.test(error.code);
  return mayPass(error);
}
