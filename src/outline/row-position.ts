// Where a row goes: from what a caller says about parent, position and sibling
// to one place among the rows that are there. Pure.
import { Problem } from "../kernel/kernel.ts";
import type { Outline, Place } from "./model.ts";
import { childIdsOf, isWithin, rowOf } from "./rows.ts";

export interface Wanted {
  /** The top where neither this nor a sibling is named. */
  readonly parentId?: string | undefined;
  readonly position: "first" | "last";
  /** Names its own parent where no other is named. */
  readonly siblingId?: string | undefined;
  /** With a sibling it decides, and `position` does not. */
  readonly relativePosition?: "before" | "after" | undefined;
}

/** The place for a new row, or for one that is moved. */
export function placeFor(outline: Outline, wanted: Wanted, movedId?: string): Place {
  const parentId = parentFor(outline, wanted);
  if (movedId !== undefined) {
    if (wanted.siblingId === movedId) throw new Problem("invalid", "A row cannot be placed beside itself");
    if (isWithin(outline, parentId, movedId))
      throw new Problem("invalid", "A row cannot be moved into itself or a row below it");
  }
  const others = childIdsOf(outline, parentId).filter((id) => id !== movedId);
  return { parentId, index: indexAmong(others, wanted) };
}

function parentFor(outline: Outline, { parentId, siblingId }: Wanted): string | null {
  const parent = parentId === undefined ? undefined : rowOf(outline, parentId);
  if (siblingId === undefined) return parent?.id ?? null;
  const sibling = rowOf(outline, siblingId);
  if (parent !== undefined && sibling.parentId !== parent.id)
    throw new Problem(
      "invalid",
      `The sibling ${siblingId} is not a child of ${parent.id}`,
      "Leave the parent out: the sibling names its own.",
    );
  return sibling.parentId;
}

function indexAmong(ids: readonly string[], { position, siblingId, relativePosition }: Wanted): number {
  if (siblingId !== undefined && relativePosition !== undefined)
    return ids.indexOf(siblingId) + (relativePosition === "after" ? 1 : 0);
  return position === "first" ? 0 : ids.length;
}
