// Edits of rows as the page applies them to what it shows, at once and before the
// server has saved them: the result is what the server's tools make of the file.
// Pure; used by open-document.ts and use-row-editing.ts.
import { toggledState, Rows, type Row } from "./row-tree.ts";
import type { Place } from "./row-places.ts";

export type RowEdit =
  | {
      readonly kind: "add";
      /** The page's own id, also after the server has given the row one. */
      readonly id: string;
      readonly topic: string;
      readonly place: Place;
    }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly field: "topic" | "note";
      readonly text: string;
      /** The text that the person began with: if it is another by now, somebody else has changed it. */
      readonly before: string;
    }
  | { readonly kind: "toggle"; readonly id: string }
  | { readonly kind: "move"; readonly id: string; readonly place: Place }
  | { readonly kind: "delete"; readonly id: string };

/** Undefined if the rows that the edit names are gone, or no longer where it needs them. */
export function applyEdit(rows: Rows, edit: RowEdit): Rows | undefined {
  switch (edit.kind) {
    case "add":
      return added(rows, [newRow(edit, stateBeside(rows, edit.place))], edit.place);
    case "update":
      return replaced(rows, edit.id, (row) => ({ ...row, [edit.field]: edit.text }));
    case "toggle":
      return replaced(rows, edit.id, (row) => ({ ...row, state: toggledState(row.state) }));
    case "move":
      return moved(rows, edit.id, edit.place);
    case "delete":
      return rows.get(edit.id) && without(rows, edit.id).rest;
  }
}

/** The text of a row's field, for `before`. */
export function textOf(row: Row, field: "topic" | "note"): string {
  return row[field] ?? "";
}

/** A new row has a checkbox if the one that it comes after has. */
export function stateBeside(rows: Rows, { afterId }: Place): "unchecked" | "none" {
  return (rows.get(afterId)?.state ?? "none") === "none" ? "none" : "unchecked";
}

function newRow({ id, topic }: { readonly id: string; readonly topic: string }, state: Row["state"]): Row {
  return { id, topic, note: null, level: 0, state, hasChildren: false, parentId: null };
}

export function replaced(rows: Rows, id: string, change: (row: Row) => Row): Rows | undefined {
  const index = rows.indexOf(id);
  return index === -1 ? undefined : rows.with(index, change(rows.all[index]!));
}

function moved(rows: Rows, id: string, place: Place): Rows | undefined {
  const index = rows.indexOf(id);
  if (index === -1) return undefined;
  const [target, sibling] = [rows.indexOf(place.parentId), rows.indexOf(place.afterId)];
  const isWithin = (at: number) => at >= index && at < rows.endOf(index);
  if (isWithin(target) || isWithin(sibling)) return undefined;
  const { taken, rest } = without(rows, id);
  return added(rest, taken, place);
}

/** Takes a row out, with all below it. */
function without(rows: Rows, id: string): { readonly taken: readonly Row[]; readonly rest: Rows } {
  const index = rows.indexOf(id);
  const end = rows.endOf(index);
  const taken = rows.all.slice(index, end);
  const rest = [...rows.all.slice(0, index), ...rows.all.slice(end)];
  const parentAt = rows.indexOf(taken[0]!.parentId);
  if (parentAt !== -1) {
    const parent = rest[parentAt]!;
    rest[parentAt] = { ...parent, hasChildren: (rest[parentAt + 1]?.level ?? -1) > parent.level };
  }
  return { taken, rest: new Rows(rest) };
}

function added(rows: Rows, [first, ...below]: readonly Row[], { parentId, afterId }: Place): Rows | undefined {
  const parentAt = rows.indexOf(parentId);
  if (parentId !== null && parentAt === -1) return undefined;
  const parent = rows.all[parentAt];
  const siblingAt = rows.indexOf(afterId);
  if (afterId !== null && rows.all[siblingAt]?.parentId !== parentId) return undefined;
  const at = afterId === null ? parentAt + 1 : rows.endOf(siblingAt);
  const level = parent === undefined ? 0 : parent.level + 1;
  const deeper = level - first!.level;
  const all = [
    ...rows.all.slice(0, at),
    { ...first!, level, parentId },
    ...below.map((row) => ({ ...row, level: row.level + deeper })),
    ...rows.all.slice(at),
  ];
  if (parent !== undefined) all[parentAt] = { ...parent, hasChildren: true };
  return new Rows(all);
}
