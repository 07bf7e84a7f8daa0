// A visit of a person to a note in the page: its saves are one entry of the history,
// which grows with each of them, and are never what an undo without an id takes, so
// that an assistant's own change stays the newest. Used by open-journal.ts, under the
// lock, and by undo.ts.
import { contentHash } from "../files/files.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import type { Action, Patch, Planned } from "./plan/action.ts";
import { applyEdits, editBetween, inverseEdits } from "./plan/splice.ts";

/** The tool that the history names for what a person writes in the page. */
export const VISIT = "page";

/** Returns whether an undo or redo without an id may take this entry. */
export function isForUndo({ tool }: Pick<Entry, "tool">): boolean {
  return tool !== VISIT;
}

/**
 * Adds a save to the entry of the one before: the newer entry takes back both, and the older one goes. If anything else
 * changed the note in between, both stay as they are.
 * @param number of the entry of the save
 */
export async function growVisit(
  entries: Entries,
  earlier: number,
  number: number,
  planned: readonly Planned[],
): Promise<void> {
  const before = entries.find(earlier);
  const entry = entries.find(number);
  const patch = before && patchOf(before);
  const added = entry && patchOf(entry);
  if (patch === undefined || added === undefined || patch.path !== added.path || patch.after !== added.before) return;
  const between = entries.after(earlier).filter((each) => each.number !== number);
  if (between.some(({ actions }) => actions.some((action) => touches(action, added.path)))) return;
  const now = await planned[0]!.bytes?.();
  if (now === undefined || contentHash(now) !== added.after) return;
  const saved = applyEdits(now, inverseEdits(added.splices)).after;
  const first = applyEdits(saved, inverseEdits(patch.splices)).after;
  if (contentHash(first) !== patch.before) return;
  const { splices } = applyEdits(first, [editBetween(first, now)]);
  const grown: Patch = { ...added, before: patch.before, splices };
  entries.rebase({ amended: new Map([[number, [grown]]]), saved: undefined, savedBefore: entry!, merging: earlier });
}

/** Returns whether an action concerns this file, or a folder that contains it. */
function touches(action: Action, path: string): boolean {
  const named = action.kind === "move" ? [action.path, action.to] : [action.path];
  return named.some((each) => each === path || path.startsWith(`${each}/`));
}

/** The change of a save; undefined if the entry is another one, or was undone. */
function patchOf({ tool, isDone, isReadable, isUndone, latest, origin, actions }: Entry): Patch | undefined {
  const isPlain = isDone && isReadable && !isUndone && latest === undefined && origin === undefined;
  const [action] = actions;
  return tool === VISIT && isPlain && actions.length === 1 && action?.kind === "patch" ? action : undefined;
}
