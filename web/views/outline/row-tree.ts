// The rows of an outline as a tree that folds: which rows are visible, and how
// folding changes that. Pure; used by the outline view.

import type { ResultNamed } from "../../../src/tools/tools.ts";

export type Row = ResultNamed<"get_row">["row"];
type RowState = Row["state"];

/** An outline with more rows opens folded. */
const MAX_UNFOLDED = 500;

export function initialFolds(rows: readonly Row[]): Set<string> {
  return rows.length <= MAX_UNFOLDED ? new Set() : allFolds(rows);
}

export function allFolds(rows: readonly Row[]): Set<string> {
  return new Set(rows.filter(({ hasChildren }) => hasChildren).map(({ id }) => id));
}

/** The rows that no folded row hides, in order. */
export function visibleRows(rows: readonly Row[], folded: ReadonlySet<string>): Row[] {
  const visible: Row[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (row.level > hiddenBelow) continue;
    hiddenBelow = row.hasChildren && folded.has(row.id) ? row.level : Number.POSITIVE_INFINITY;
    visible.push(row);
  }
  return visible;
}

/** Unfolds the ancestors of a row, so that it is visible. */
export function unfoldTo(rows: ReadonlyMap<string, Row>, id: string, folded: ReadonlySet<string>): Set<string> {
  const unfolded = new Set(folded);
  for (const ancestor of ancestorsOf(rows, id)) unfolded.delete(ancestor.id);
  return unfolded;
}

/** From the parent up. */
export function ancestorsOf(rows: ReadonlyMap<string, Row>, id: string): Row[] {
  const ancestors: Row[] = [];
  for (let at = rows.get(id)?.parentId ?? null; at !== null; at = rows.get(at)?.parentId ?? null) {
    const row = rows.get(at);
    if (row === undefined) break;
    ancestors.push(row);
  }
  return ancestors;
}

/** The state after a click on the checkbox. */
export function toggledState(state: RowState): "checked" | "unchecked" {
  return state === "checked" ? "unchecked" : "checked";
}
