// The rows of an outline that are tasks: those with a check box of their own. In
// OmniOutliner a parent of rows with boxes shows what these have in common, and is
// no task.
// Pure; used for lists of tasks.
import { hasPlainRows, type Outline } from "./model.ts";

export interface CheckedRow {
  readonly id: string;
  readonly topic: string;
  readonly isChecked: boolean;
  /** The topic of the row above it; undefined at the top level. */
  readonly parent: string | undefined;
}

/** In their order. */
export function checkedRows({ numbered, rowCount, row, format }: Outline): CheckedRow[] {
  const found: CheckedRow[] = [];
  /** The number of the last row that has a box, or shows those below it. */
  let nearest = rowCount;
  for (let number = rowCount - 1; number >= 0; number--) {
    const state = numbered.state(number);
    const isAbove = !hasPlainRows(format) && nearest <= number + numbered.descendants(number);
    if (state !== "none") nearest = number;
    if (isAbove || (state !== "checked" && state !== "unchecked")) continue;
    const { id, topic, parentId } = numbered.row(number);
    const parent = parentId === null ? undefined : row(parentId)?.topic;
    found.push({ id, topic, isChecked: state === "checked", parent });
  }
  return found.toReversed();
}
