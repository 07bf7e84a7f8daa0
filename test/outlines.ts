// Outlines for tests that need no file, built from nested rows.
import type { NewRow, Outline, Row } from "../src/outline/model.ts";

export interface GivenRow extends Omit<NewRow, "children" | "state"> {
  readonly id?: string;
  readonly state?: Row["state"];
  readonly children?: readonly GivenRow[];
}

/** A row without an id has its topic as id. */
export function outlineOf(given: readonly GivenRow[], name = "Test.opml"): Outline {
  const rows = new Map<string, Row>();
  const take = (row: GivenRow, level: number, parentId: string | null): { id: string; count: number } => {
    const id = row.id ?? row.topic;
    const taken = (row.children ?? []).map((child) => take(child, level + 1, id));
    const descendants = taken.reduce((sum, { count }) => sum + count, 0);
    rows.set(id, {
      id,
      topic: row.topic,
      note: row.note ?? null,
      state: row.state ?? "none",
      level,
      parentId,
      childIds: taken.map((child) => child.id),
      descendants,
    });
    return { id, count: descendants + 1 };
  };
  const topIds = given.map((row) => take(row, 0, null).id);
  /** Each before its descendants. */
  const inOrder = (ids: readonly string[]): Row[] =>
    ids.flatMap((id) => [rows.get(id)!, ...inOrder(rows.get(id)!.childIds)]);
  const all = inOrder(topIds);
  return {
    name,
    path: null,
    format: "opml",
    version: "1",
    rowCount: rows.size,
    topIds,
    row: (id) => rows.get(id),
    numbered: {
      numberOf: (id) => (rows.has(id) ? all.indexOf(rows.get(id)!) : undefined),
      row: (number) => all[number]!,
      topic: (number) => all[number]!.topic,
      note: (number) => all[number]!.note,
      state: (number) => all[number]!.state,
      descendants: (number) => all[number]!.descendants,
    },
  };
}
