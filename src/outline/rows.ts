// Looks up and walks the rows of an outline. Pure; used throughout this room and
// by the outline tools.
import type { Outline, Row } from "./model.ts";
import { idsOfTopic, noSuchRow } from "./problems.ts";

/** The row with this id, or the only one with this topic. Throws if there is none. */
export function rowOf(outline: Outline, id: string): Row {
  const row = outline.row(id);
  if (row !== undefined) return row;
  const [only, ...others] = idsOfTopic(outline, id, 2);
  if (only !== undefined && others.length === 0) return outline.row(only)!;
  throw noSuchRow(id, outline);
}

/** Whether it has a row with this id or, if that is taken, exactly one with this topic. */
export function isRowOf(outline: Outline, id: string, isTopicTaken: boolean): boolean {
  return outline.row(id) !== undefined || (isTopicTaken && idsOfTopic(outline, id, 2).length === 1);
}

/** The row with this very id: what is deleted must not be guessed. */
export function rowWithId(outline: Outline, id: string): Row {
  const row = outline.row(id);
  if (row !== undefined) return row;
  throw noSuchRow(id, outline);
}

/** The children of a row, or the top-level rows. */
export function childIdsOf(outline: Outline, parentId: string | null): readonly string[] {
  return parentId === null ? outline.topIds : rowOf(outline, parentId).childIds;
}

/**
 * The rows below one, or all rows, each before its descendants. `maxDepth` 0
 * yields the children only. `skip` passes over whole subtrees where it can. Not
 * recursive: a document may be too deep for the stack.
 */
export function* rowsBelow(
  outline: Outline,
  parentId: string | null,
  { maxDepth = Number.POSITIVE_INFINITY, skip = 0 }: { readonly maxDepth?: number; readonly skip?: number } = {},
): Generator<Row> {
  let left = skip;
  const levels: { readonly ids: readonly string[]; next: number }[] = [{ ids: childIdsOf(outline, parentId), next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const id = level.ids[level.next++];
    if (id === undefined) {
      levels.pop();
      continue;
    }
    const row = rowOf(outline, id);
    if (left > row.descendants && maxDepth === Number.POSITIVE_INFINITY) {
      left -= row.descendants + 1;
      continue;
    }
    if (left > 0) left--;
    else yield row;
    if (levels.length <= maxDepth && row.childIds.length > 0) levels.push({ ids: row.childIds, next: 0 });
  }
}

/** The rows above one, outermost first. */
export function ancestorsOf(outline: Outline, row: Row): Row[] {
  const above: Row[] = [];
  for (let id = row.parentId; id !== null;) {
    const parent = rowOf(outline, id);
    above.push(parent);
    id = parent.parentId;
  }
  return above.toReversed();
}

/** Returns whether a row is `otherId` or one of its descendants. */
export function isWithin(outline: Outline, id: string | null, otherId: string): boolean {
  for (let at = id; at !== null; at = rowOf(outline, at).parentId) if (at === otherId) return true;
  return false;
}
