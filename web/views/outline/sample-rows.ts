// Rows of an outline as indented text, for tests: each row's id is its topic.
import type { Row } from "./row-tree.ts";

/** One row per line. */
export function rowsOf(text: string): Row[] {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => ({ level: line.search(/\S/) / 2, id: line.trim() }));
  return lines.map(({ level, id }, i) => ({
    id,
    topic: id,
    note: null,
    level,
    state: "none",
    hasChildren: (lines[i + 1]?.level ?? 0) > level,
    parentId: lines.slice(0, i).findLast((one) => one.level === level - 1)?.id ?? null,
  }));
}

/** The inverse; throws if a row does not say what its place is. */
export function textOf(rows: readonly Row[]): string {
  const text = rows.map(({ level, id }) => "  ".repeat(level) + id).join("\n");
  const expected = rowsOf(text);
  for (const [i, { id, parentId, hasChildren }] of rows.entries())
    if (parentId !== expected[i]!.parentId || hasChildren !== expected[i]!.hasChildren)
      throw new Error(`${id} is below ${parentId}, ${hasChildren ? "with" : "without"} children, in\n${text}`);
  return text;
}
