// The rows of an outline as a tree that folds: which rows are visible, and how
// folding changes that. Pure; used by the outline view.

import type { ResultNamed } from "../../../src/tools/tools.ts";

/** Rows are in document order: a row's children follow from the levels, and stay right while rows move. */
export type Row = Omit<ResultNamed<"get_row">["row"], "childIds">;
type RowState = Row["state"];

/** Of 100,000 rows, searching for one takes 1 ms, and making a map of all 30 ms: many rows are only made to be changed again. */
const MAX_SEARCHES = 20;

/** All rows of an outline in document order, and where each is. Never changes. */
export class Rows {
  readonly all: readonly Row[];
  #indexes: ReadonlyMap<string, number> | undefined;
  #searches = 0;

  constructor(all: readonly Row[]) {
    this.all = all;
  }

  /** -1 if there is no such row. */
  indexOf(id: string | null): number {
    if (id === null) return -1;
    if (this.#indexes === undefined && ++this.#searches > MAX_SEARCHES)
      this.#indexes = new Map(this.all.map((row, index) => [row.id, index]));
    return this.#indexes === undefined ? this.all.findIndex((row) => row.id === id) : (this.#indexes.get(id) ?? -1);
  }

  /** The rows with another one in the place of this one. */
  with(index: number, row: Row): Rows {
    const rows = new Rows(this.all.with(index, row));
    rows.#indexes = this.#indexes;
    return rows;
  }

  get(id: string | null): Row | undefined {
    return this.all[this.indexOf(id)];
  }

  /** The index after the last row below this one. */
  endOf(index: number): number {
    const { level } = this.all[index]!;
    let end = index + 1;
    while (end < this.all.length && this.all[end]!.level > level) end++;
    return end;
  }

  /** From the parent up. */
  ancestorsOf(id: string): Row[] {
    const ancestors: Row[] = [];
    for (let row = this.get(this.get(id)?.parentId ?? null); row !== undefined; row = this.get(row.parentId))
      ancestors.push(row);
    return ancestors;
  }

  previousSibling(id: string): Row | undefined {
    const index = this.indexOf(id);
    const level = this.all[index]?.level ?? 0;
    for (let at = index - 1; at >= 0; at--) {
      const row = this.all[at]!;
      if (row.level === level) return row;
      if (row.level < level) return undefined;
    }
    return undefined;
  }

  nextSibling(id: string): Row | undefined {
    const index = this.indexOf(id);
    if (index === -1) return undefined;
    const next = this.all[this.endOf(index)];
    return next?.level === this.all[index]!.level ? next : undefined;
  }

  lastChild(id: string): Row | undefined {
    const index = this.indexOf(id);
    if (index === -1) return undefined;
    const end = this.endOf(index);
    const level = this.all[index]!.level + 1;
    for (let at = end - 1; at > index; at--) if (this.all[at]!.level === level) return this.all[at];
    return undefined;
  }
}

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
export function unfoldTo(rows: Rows, id: string, folded: ReadonlySet<string>): Set<string> {
  const unfolded = new Set(folded);
  for (const ancestor of rows.ancestorsOf(id)) unfolded.delete(ancestor.id);
  return unfolded;
}

/** The state after a click on the checkbox. */
export function toggledState(state: RowState): "checked" | "unchecked" {
  return state === "checked" ? "unchecked" : "checked";
}
