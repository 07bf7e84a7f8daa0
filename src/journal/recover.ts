// What to do about an operation that a killed process, or a power failure, left
// without an end. The journal does this under the lock, before anything else;
// done twice, or stopped half-way and begun again, it comes to the same.
import type { VaultRoot } from "../files/vault-root.ts";
import { Problem } from "../text/problem.ts";
import { isCarriedOut, syncAll, takeBack } from "./apply.ts";
import type { Entries } from "./entries.ts";

export async function recover(root: VaultRoot, entries: Entries, log: (message: string) => void): Promise<void> {
  const newest = entries.newest();
  if (newest === undefined || newest.isDone) return;
  const entry = entries.find(newest.number)!;
  const carriedOut = new Set(entry.actions.map((action) => isCarriedOut(root, action)));
  if (!carriedOut.has(false)) {
    await syncAll(root, entry.actions);
    entries.finish(entry);
    return;
  }
  // Nobody was told that it happened: what did, is taken back.
  if (carriedOut.has(true)) log(`an interrupted change is taken back: ${entry.tool}, ${entry.message}`);
  try {
    await takeBack(root, entry.actions);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, `An interrupted change cannot be taken back yet. ${error.message}`, error.hint);
  }
  entries.drop(entry.number);
}
