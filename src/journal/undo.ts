// Undo and redo: which entry is meant, and the operation that reverses it. Used
// by the journal, under its lock.
import type { AccessRules } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Entry, EntryReader } from "./entry.ts";
import { pathsOf, type Planned } from "./plan/action.ts";
import { planInverse, type Place } from "./plan/plan.ts";
import { isShown, withoutHiddenNames } from "./visible-entries.ts";
import { isForUndo } from "./visits.ts";

export type UndoStep = "undo" | "redo";

/** The operations of this process: undo and redo prefer them to those of others. */
export class OwnOperations {
  /** Entry numbers, oldest first: what this process did, and what it undid. */
  readonly #numbers: Readonly<Record<UndoStep, number[]>> = { undo: [], redo: [] };

  /** This process did (or undid) an operation, so undo (or redo) may take it. */
  add(step: UndoStep, number: number): void {
    this.#numbers[step].push(number);
  }

  /** Returns the entry the step would take: this process's newest, else the newest of all, among those that may be shown. */
  async next(
    entries: EntryReader,
    step: UndoStep,
    access: AccessRules,
  ): Promise<{ readonly entry: Entry; readonly isOwn: boolean } | undefined> {
    const isUndone = step === "redo";
    for (const number of this.#numbers[step].toReversed()) {
      const entry = await entries.find(number);
      if (entry?.isUndone === isUndone && isShown(entry, access)) return { entry, isOwn: true };
    }
    const entry = await entries.last({ isUndone, accepts: (each) => isShown(each, access) && isForUndo(each) });
    return entry && { entry, isOwn: false };
  }
}

/** The operation that a number names: its own entry, or that of one of its undos. */
export async function operationOf(entries: EntryReader, number: number): Promise<Entry | undefined> {
  const entry = await entries.find(number);
  return entry?.origin === undefined ? entry : entries.find(entry.origin);
}

/** The newest entries that are looked through for what stands in the way. */
const MAX_SEARCHED = 1000;

/** Names the changes of the same paths that were made later, which can be undone first. */
async function withLater(
  { code, message, hint }: Problem,
  entries: EntryReader,
  origin: Entry,
  { idOf, access }: Pick<Reversal, "idOf" | "access">,
) {
  const touched = new Set(pathsOf(origin.actions));
  const above = new Set([...touched].flatMap(withFolders));
  const newestFirst = await entries.list(Number.MAX_SAFE_INTEGER, MAX_SEARCHED);
  const later = newestFirst
    .filter((entry) => entry.number > (origin.latest ?? origin.number) && entry.origin === undefined && !entry.isUndone)
    .filter((entry) => isShown(entry, access))
    .filter(({ actions }) =>
      pathsOf(actions).some((path) => above.has(path) || withFolders(path).some((folder) => touched.has(folder))),
    );
  const [newest] = later;
  if (newest === undefined) return new Problem(code, message, `It was not changed through this program. ${hint}`);
  const member = await entries.otherMemberOf?.(newest.number);
  const id = idOf(newest.number);
  const others = later.length === 1 ? "" : `, then ${later.length - 1} more of the history, the newest first`;
  const inTheWay =
    member === undefined
      ? `A later change stands in the way: undo ${id} first (${newest.message})${others}.`
      : `A later change of ${member}, not yours, stands in the way: ${id} (${newest.message}). Undoing that would take back the work of ${member}: ask before you do, or edit what is there now. To take back both, undo ${id} first${others}.`;
  return new Problem(code, message, `Nothing was changed. ${inTheWay}`);
}

/** A path, and the folders that it is in. */
function withFolders(path: string): string[] {
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return [path, ...slashes];
}

interface Reversal extends Place {
  /** How messages name an entry. */
  readonly idOf: (number: number) => string;
  readonly signal?: AbortSignal | undefined;
  /** Adds the entry that reverses the operation. */
  readonly commit: (entry: Pick<Entry, "tool" | "message" | "origin">, planned: readonly Planned[]) => Promise<unknown>;
}

/** Undoes or redoes an operation. @returns the message and the actions of the new entry */
export async function reverse(
  { commit, idOf, signal, ...place }: Reversal,
  entries: EntryReader,
  origin: Entry,
  step: UndoStep,
): Promise<Pick<Entry, "message" | "actions">> {
  if (origin.isUndone !== (step === "redo"))
    throw new Problem("conflict", `Entry ${idOf(origin.number)} is ${step === "redo" ? "not" : "already"} undone.`);
  const latest = origin.latest === undefined ? undefined : await entries.find(origin.latest);
  const { actions, isReadable } = latest ?? origin;
  if (!isReadable)
    throw new Problem(
      "denied",
      `Entry ${idOf(origin.number)} is damaged and cannot be reversed. Nothing was changed.`,
      `Name the entry to ${step}: the history lists the others.`,
    );
  const member = await entries.otherMemberOf?.(origin.number);
  const verb = step === "undo" ? "Undid" : "Redid";
  const message = `${verb}${member === undefined ? "" : ` a change of ${member}`}: ${origin.message}`;
  try {
    const planned = await planInverse(place, actions, signal).catch(async (error: unknown) => {
      const isConflict = error instanceof Problem && error.code === "conflict";
      throw isConflict ? await withLater(error, entries, origin, { idOf, access: place.access }) : error;
    });
    signal?.throwIfAborted();
    await commit({ tool: step, message, origin: origin.number }, planned);
    return { message, actions: planned.map(({ action }) => action) };
  } catch (error) {
    throw withoutHiddenNames(error, actions, place.access);
  }
}
