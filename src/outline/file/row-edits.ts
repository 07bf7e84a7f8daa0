// Applies edits to a parsed file: ids become row numbers, edits become splices of
// the bytes, and the result is parsed again and compared with what was requested
// before anything is written. Used by file-document.ts.
import { applyEdits } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import {
  CHECKED,
  childrenOf,
  flattenedRows,
  NONE,
  TOP,
  UNCHECKED,
  type RowSlot,
  type RowUpdate,
  type ParsedOutline,
  type Splice,
} from "../formats/parsed-outline.ts";
import { noSuchRow } from "../problems.ts";
import { hasPlainRows, type Edit, type NewRow, type RowPosition, type SettableState } from "../model.ts";

/** A parsed file with the ids of its rows. */
export interface IdentifiedRows {
  readonly parsed: ParsedOutline;
  readonly ids: readonly string[];
  /** Faster than searching `ids`, where there is such a thing. */
  readonly numberOf?: (id: string) => number | undefined;
}

export interface EditedRows extends IdentifiedRows {
  /** The ids of the new rows, each before its descendants. */
  readonly added: readonly string[];
  /** On the bytes before the edit, in order; undefined for several edits, since each is applied to the result of the last. */
  readonly splices: readonly Splice[] | undefined;
}

/** How deep new rows may be nested. */
const MAX_LEVELS = 500;

const STATES = { none: NONE, unchecked: UNCHECKED, checked: CHECKED } as const satisfies Record<SettableState, number>;

/**
 * @param newId creates an id that no row has had
 * @param onNewContents is called with the new bytes, if they differ, before they are parsed again
 */
export function applyRowEdits(
  before: IdentifiedRows,
  edits: readonly Edit[],
  newId: () => string,
  onNewContents: (bytes: Buffer) => void = () => {},
): EditedRows {
  let now: IdentifiedRows = before;
  let added: readonly string[] = [];
  let splices: readonly Splice[] | undefined = [];
  for (const [index, edit] of edits.entries()) {
    const done = applyRowEdit(now, edit, newId, index === edits.length - 1 ? onNewContents : () => {});
    added = added.concat(done.added);
    splices = now === before ? done.splices : undefined;
    now = done;
  }
  return { ...now, added, splices };
}

function applyRowEdit(
  { parsed, ids, numberOf: known }: IdentifiedRows,
  edit: Edit,
  newId: () => string,
  onNewContents: (bytes: Buffer) => void,
): EditedRows {
  const spliced = (splices: readonly Splice[]) => {
    const sorted = splices.toSorted((a, b) => a.offset - b.offset || a.length - b.length);
    const { after } = applyEdits(parsed.bytes, sorted);
    if (after.equals(parsed.bytes)) return { parsed, splices: [] };
    onNewContents(after);
    return { parsed: parsed.read(after), splices: sorted };
  };
  const find = (id: string) => (known === undefined ? ids.indexOf(id) : (known(id) ?? -1));
  const numberOf = (id: string) => {
    const row = find(id);
    if (row === -1) throw noSuchRow(id);
    return row;
  };
  const slotOf = ({ parentId, index }: RowPosition): RowSlot => {
    const parent = parentId === null ? TOP : numberOf(parentId);
    return { parent, index: Math.max(0, Math.min(index, childrenOf(parsed, parent).length)) };
  };

  switch (edit.kind) {
    case "add": {
      checkDepth(edit.rows);
      const slot = slotOf(edit.position);
      const flat = flattenedRows(edit.rows);
      const taken = new Set<string>();
      while (taken.size < flat.length) {
        const id = newId();
        if (find(id) === -1) taken.add(id);
      }
      const added = [...taken];
      const at = numberAt(parsed.parents, slot);
      const after = spliced(parsed.add(edit.rows, slot, added));
      const expected = inserted(
        parsed.parents,
        at,
        slot.parent,
        flat.map(({ parent }) => parent),
      );
      const newIds = [...ids.slice(0, at), ...added, ...ids.slice(at)];
      check(
        { parsed, ids },
        after.parsed,
        newIds,
        expected,
        flat.map(({ row }, index) => ({ row: at + index, topic: row.topic, note: row.note ?? "" })),
      );
      return { ...after, ids: newIds, added };
    }
    case "update": {
      const row = numberOf(edit.id);
      const updates = updatesOf(parsed, row, edit);
      const after = spliced(parsed.update(updates));
      check({ parsed, ids }, after.parsed, ids, parsed.parents, updates);
      return { ...after, ids, added: [] };
    }
    case "move": {
      const row = numberOf(edit.id);
      const slot = slotOf(edit.position);
      const moved = parsed.descendants[row]! + 1;
      if (slot.parent >= row && slot.parent < row + moved)
        throw new Problem("invalid", "A row cannot be moved into itself or a row below it.");
      const rest = without(parsed.parents, row, moved);
      const parent = slot.parent < row ? slot.parent : slot.parent - moved;
      const idsLeft = ids.toSpliced(row, moved);
      const at = numberAt(rest, { parent, index: slot.index });
      if (at === row && parsed.parents[row] === slot.parent) return { parsed, ids, added: [], splices: [] };
      const below = Array.from({ length: moved }, (_, index) =>
        index === 0 ? -1 : parsed.parents[row + index]! - row,
      );
      const after = spliced(parsed.move(row, slot));
      const newIds = [...idsLeft.slice(0, at), ...ids.slice(row, row + moved), ...idsLeft.slice(at)];
      const expected = [{ row: at, topic: parsed.topic(row), note: parsed.note(row) ?? "" }];
      check(
        { parsed, ids },
        after.parsed,
        newIds,
        inserted(rest, at, parent, below),
        expected,
        ids[parsed.parents[row]!],
      );
      return { ...after, ids: newIds, added: [] };
    }
    case "delete": {
      const row = numberOf(edit.id);
      const count = parsed.descendants[row]! + 1;
      const after = spliced(parsed.remove(row));
      const newIds = ids.toSpliced(row, count);
      const parentId = ids[parsed.parents[row]!];
      check({ parsed, ids }, after.parsed, newIds, without(parsed.parents, row, count), [], parentId);
      return { ...after, ids: newIds, added: [] };
    }
  }
}

function isNew(text: string | undefined, old: string): boolean {
  return text !== undefined && text !== old;
}

/**
 * The updates that an edit comes to. A state is set on the row alone in OPML and
 * Markdown, in OmniOutliner on every leaf, and on the parents if the format stores
 * their states; there a box above rows without any stands for itself.
 */
function updatesOf(
  parsed: ParsedOutline,
  row: number,
  { topic, note, state }: Extract<Edit, { kind: "update" }>,
): RowUpdate[] {
  const updates = new Map<number, RowUpdate>();
  if (isNew(topic, parsed.topic(row)) || isNew(note, parsed.note(row) ?? ""))
    updates.set(row, {
      row,
      topic: isNew(topic, parsed.topic(row)) ? topic : undefined,
      note: isNew(note, parsed.note(row) ?? "") ? note : undefined,
    });
  if (state === undefined) return [...updates.values()];
  const last = row + parsed.descendants[row]!;
  const hasBox = parsed.keepsParentStates && isBox(parsed.states[row]!) && state !== "none";
  const hasBoxes = parsed.states.subarray(row + 1, last + 1).some(isBox);
  const end = hasPlainRows(parsed.format) || (hasBox && !hasBoxes) ? row : last;
  for (let each = row; each <= end; each++) {
    const isLeaf = parsed.descendants[each] === 0;
    const isWritten = isLeaf || parsed.keepsParentStates || state === "none";
    if (!isWritten || parsed.states[each] === STATES[state]) continue;
    if (!parsed.holdsState(each)) {
      if (each === row && (isLeaf || hasPlainRows(parsed.format)) && state !== "none")
        throw new Problem("invalid", "This row cannot have a checkbox: it is a heading, or its document has none.");
      continue;
    }
    updates.set(each, { ...updates.get(each), row: each, state });
  }
  return [...updates.values()];
}

function isBox(state: number): boolean {
  return state !== NONE;
}

/** The row number of a row that is inserted at a slot. */
function numberAt(parents: Int32Array, { parent, index }: RowSlot): number {
  let children = 0;
  for (let row = parent + 1; row < parents.length; row++) {
    const above = parents[row]!;
    if (above < parent) return row;
    if (above === parent && children++ === index) return row;
  }
  return parents.length;
}

function without(parents: Int32Array, start: number, count: number): Int32Array {
  const rest = new Int32Array(parents.length - count);
  for (let row = 0; row < rest.length; row++) {
    const parent = parents[row < start ? row : row + count]!;
    rest[row] = parent >= start + count ? parent - count : parent;
  }
  return rest;
}

/** @param below the parent of each inserted row, as an index among them; -1 for a child of `parent` */
function inserted(parents: Int32Array, at: number, parent: number, below: readonly number[]): Int32Array {
  const all = new Int32Array(parents.length + below.length);
  for (let row = 0; row < parents.length; row++) {
    const above = parents[row]!;
    all[row < at ? row : row + below.length] = above >= at ? above + below.length : above;
  }
  below.forEach((above, index) => (all[at + index] = above === -1 ? parent : at + above));
  return all;
}

/**
 * Compares the result, parsed again, with what was requested: every row must have
 * the expected parent, id and texts. Throws otherwise, so that nothing is written.
 * @param leftId the former parent of a row that was moved or deleted
 */
function check(
  before: IdentifiedRows,
  after: ParsedOutline,
  ids: readonly string[],
  parents: Int32Array,
  updates: readonly RowUpdate[],
  leftId?: string,
): void {
  const isSame =
    after.count === parents.length &&
    after.parents.every((parent, row) => parent === parents[row]) &&
    (after.ids === undefined || after.ids.every((id, row) => id === ids[row])) &&
    updates.every(({ row, topic, note, state }) => {
      if (topic !== undefined && after.topic(row) !== after.asStored(topic, "topic")) return false;
      if (note !== undefined && (after.note(row) ?? "") !== after.asStored(note, "note")) return false;
      return state === undefined || after.states[row] === STATES[state];
    }) &&
    (after.format !== "markdown" || areOthersSame(before, { parsed: after, ids }, updates, leftId));
  if (isSame) return;
  throw new Problem(
    "invalid",
    "This cannot be written at this place in this kind of file: nothing was changed.",
    after.format === "markdown"
      ? "In Markdown, a row after a heading must be a heading, a heading cannot be below a list item, and a text must not look like markup."
      : undefined,
  );
}

/**
 * In Markdown the lines above can change what a line means, so every row is
 * compared. Text that follows the only child of a row becomes part of that row's
 * note once the child has left.
 */
function areOthersSame(
  before: IdentifiedRows,
  after: IdentifiedRows,
  updates: readonly RowUpdate[],
  leftId: string | undefined,
): boolean {
  const isNoteKept = (id: string, old: string | null, now: string | null) =>
    now === old || (id === leftId && (now ?? "").startsWith(old ?? ""));
  const wasAt = new Map(before.ids.map((id, row) => [id, row]));
  const changed = new Map(updates.map((update) => [update.row, update]));
  return after.ids.every((id, row) => {
    const was = wasAt.get(id);
    if (was === undefined) return true;
    const { topic, note, state } = changed.get(row) ?? {};
    return (
      (topic !== undefined || after.parsed.topic(row) === before.parsed.topic(was)) &&
      (note !== undefined || isNoteKept(id, before.parsed.note(was), after.parsed.note(row))) &&
      (state !== undefined || after.parsed.states[row] === before.parsed.states[was])
    );
  });
}

function checkDepth(rows: readonly NewRow[]): void {
  let level = rows;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_LEVELS) throw new Problem("invalid", `New rows may be nested at most ${MAX_LEVELS} levels deep.`);
    level = level.flatMap(({ children = [] }) => children);
  }
}
