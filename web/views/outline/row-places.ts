// Where a row can go: one level deeper or higher, up or down among its siblings,
// or to where it is dropped. Pure; used by the outline view.
import type { Row, Rows } from "./row-tree.ts";

/** Below a parent, after one of its children. */
export interface Place {
  /** null: the top level. */
  readonly parentId: string | null;
  /** null: before all of them. */
  readonly afterId: string | null;
}

export type Direction = "in" | "out" | "up" | "down";

/** Undefined if the row cannot go there. */
export function placeTowards(rows: Rows, id: string, direction: Direction): Place | undefined {
  const row = rows.get(id);
  return row && TOWARDS[direction](rows, row);
}

const TOWARDS: Readonly<Record<Direction, (rows: Rows, row: Row) => Place | undefined>> = {
  in: (rows, { id }) => {
    const parent = rows.previousSibling(id);
    return parent && lastIn(rows, parent.id);
  },
  out: (rows, { parentId }) => {
    const parent = rows.get(parentId);
    return parent && { parentId: parent.parentId, afterId: parent.id };
  },
  up: (rows, { id, parentId }) => {
    const previous = rows.previousSibling(id);
    return previous && { parentId, afterId: rows.previousSibling(previous.id)?.id ?? null };
  },
  down: (rows, { id, parentId }) => {
    const next = rows.nextSibling(id);
    return next && { parentId, afterId: next.id };
  },
};

/** After the last child of a row. */
export function lastIn(rows: Rows, parentId: string): Place {
  return { parentId, afterId: rows.lastChild(parentId)?.id ?? null };
}

/** For a new row below this one: its first child if its children are shown, otherwise its next sibling. */
export function placeBelow(row: Row, isFolded: boolean): Place {
  return row.hasChildren && !isFolded
    ? { parentId: row.id, afterId: null }
    : { parentId: row.parentId, afterId: row.id };
}

/** Where a row that is dragged would land. */
export interface Drop {
  readonly place: Place;
  readonly level: number;
}

/**
 * The place between two visible rows that is nearest to a level. The rows that are dragged along are not between them.
 * @param above undefined at the top
 * @param below undefined at the end
 */
export function dropBetween(
  rows: Rows,
  above: Row | undefined,
  below: Row | undefined,
  isFolded: boolean,
  wanted: number,
): Drop {
  if (above === undefined) return { place: { parentId: null, afterId: null }, level: 0 };
  const deepest = isFolded && above.hasChildren ? above.level : above.level + 1;
  const level = Math.min(deepest, Math.max(below?.level ?? 0, wanted, 0));
  if (level > above.level) return { place: { parentId: above.id, afterId: null }, level };
  const sibling = [above, ...rows.ancestorsOf(above.id)].find((row) => row.level === level) ?? above;
  return { place: { parentId: sibling.parentId, afterId: sibling.id }, level: sibling.level };
}
