// Turns what a caller says about parent, position and sibling into one position
// among the existing rows. Pure; used by row-changes.ts.
import { Problem } from "../kernel/kernel.ts";
import type { Outline, RowPosition } from "./model.ts";
import { childIdsOf, isWithin, rowOf } from "./rows.ts";

export interface RequestedPosition {
  /** Without this and without a sibling, the row goes to the top level. */
  readonly parentId?: string | undefined;
  readonly position: "first" | "last";
  /** Its parent is used if no parent is given. */
  readonly siblingId?: string | undefined;
  /** Takes precedence over `position` if there is a sibling. */
  readonly relativePosition?: "before" | "after" | undefined;
}

/** The position for a new row, or for the row `movedId`. */
export function positionFor(outline: Outline, requested: RequestedPosition, movedId?: string): RowPosition {
  const siblingId = requested.siblingId && rowOf(outline, requested.siblingId).id;
  const parentId = parentFor(outline, requested);
  if (movedId !== undefined) {
    if (siblingId === movedId) throw new Problem("invalid", "A row cannot be placed beside itself");
    if (isWithin(outline, parentId, movedId))
      throw new Problem("invalid", "A row cannot be moved into itself or a row below it");
  }
  const others = childIdsOf(outline, parentId).filter((id) => id !== movedId);
  return { parentId, index: indexAmong(others, { ...requested, siblingId }) };
}

function parentFor(outline: Outline, { parentId, siblingId }: RequestedPosition): string | null {
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

function indexAmong(ids: readonly string[], { position, siblingId, relativePosition }: RequestedPosition): number {
  if (siblingId !== undefined && relativePosition !== undefined)
    return ids.indexOf(siblingId) + (relativePosition === "after" ? 1 : 0);
  return position === "first" ? 0 : ids.length;
}
