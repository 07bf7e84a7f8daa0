// The rows of an outline as a tree that folds: which of them can be seen, and
// what folding and ticking changes. Pure; used by the outline's view.

export type RowState = "checked" | "unchecked" | "mixed" | "none";

export interface Row {
  readonly id: string;
  readonly topic: string;
  readonly note: string | null;
  readonly level: number;
  readonly state: RowState;
  readonly hasChildren: boolean;
  readonly parentId: string | null;
  readonly childIds: readonly string[];
}

/** More rows than these begin folded. */
const UNFOLDED = 500;

/** What is folded when an outline is first seen: nothing of a short one, all below the top of a long one. */
export function firstFolds(rows: readonly Row[]): Set<string> {
  if (rows.length <= UNFOLDED) return new Set();
  return new Set(rows.filter(({ hasChildren }) => hasChildren).map(({ id }) => id));
}

/** The rows that no folded row hides, in their order. */
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

/** Unfolds what is above a row, so that it can be seen. */
export function unfoldedTo(rows: ReadonlyMap<string, Row>, id: string, folded: ReadonlySet<string>): Set<string> {
  const unfolded = new Set(folded);
  for (const above of ancestorsOf(rows, id)) unfolded.delete(above.id);
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

/** What a tick makes of a row. */
export function ticked(state: RowState): "checked" | "unchecked" {
  return state === "checked" ? "unchecked" : "checked";
}
