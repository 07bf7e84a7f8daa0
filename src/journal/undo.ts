// Undo and redo: which entry is meant, and the operation that reverses it. Used
// by the journal, under its lock.
import type { VaultRoot } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Retry } from "../sqlite/sqlite.ts";
import type { Commit } from "./apply/commit.ts";
import type { Entries, Entry } from "./entries.ts";
import { planInverse } from "./plan/plan.ts";

export type UndoStep = "undo" | "redo";

/** The operations of this process: undo and redo prefer them to those of others. */
export class OwnOperations {
  /** Entry numbers, oldest first: what this process did, and what it undid. */
  readonly #numbers: Readonly<Record<UndoStep, number[]>> = { undo: [], redo: [] };

  /** This process did (or undid) an operation, so undo (or redo) may take it. */
  add(step: UndoStep, number: number): void {
    this.#numbers[step].push(number);
  }

  /** What the step would take: the newest operation of this process, else the newest of all. */
  next(entries: Entries, step: UndoStep): { readonly entry: Entry; readonly isOwn: boolean } | undefined {
    const isUndone = step === "redo";
    for (const number of this.#numbers[step].toReversed()) {
      const entry = entries.find(number);
      if (entry?.isUndone === isUndone) return { entry, isOwn: true };
    }
    const entry = isUndone ? entries.lastUndone() : entries.lastStanding();
    return entry && { entry, isOwn: false };
  }
}

/** The operation that a number names: its own entry, or that of one of its undos. */
export function operationOf(entries: Entries, number: number): Entry | undefined {
  const entry = entries.find(number);
  return entry?.origin === undefined ? entry : entries.find(entry.origin);
}

interface Reversal {
  readonly root: VaultRoot;
  readonly commit: Commit;
  /** How messages name an entry. */
  readonly idOf: (number: number) => string;
}

/** Undoes or redoes an operation. @returns the message and the actions of the new entry */
export async function reverse(
  { root, commit, idOf }: Reversal,
  entries: Entries,
  origin: Entry,
  step: UndoStep,
  retry: Retry,
): Promise<Pick<Entry, "message" | "actions">> {
  if (origin.isUndone !== (step === "redo"))
    throw new Problem("conflict", `Entry ${idOf(origin.number)} is ${step === "redo" ? "not" : "already"} undone.`);
  const { actions, isReadable } = (origin.latest === undefined ? undefined : entries.find(origin.latest)) ?? origin;
  if (!isReadable)
    throw new Problem(
      "denied",
      `Entry ${idOf(origin.number)} is damaged and cannot be reversed. Nothing was changed.`,
      `Name the entry to ${step}: the history lists the others.`,
    );
  const planned = await planInverse(root, actions, retry.signal);
  retry.signal?.throwIfAborted();
  const message = `${step === "undo" ? "Undid" : "Redid"}: ${origin.message}`;
  await commit(entries, { tool: step, message, origin: origin.number }, planned, retry);
  return { message, actions: planned.map(({ action }) => action) };
}
