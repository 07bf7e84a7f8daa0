// Carries out edits on the source of a file: ids become rows, an edit becomes
// splices, and the result is read again and compared with what was asked for
// before anybody writes it. Used by the file document.
import { applyEdits } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import {
  CHECKED,
  childrenOf,
  flattened,
  NONE,
  TOP,
  UNCHECKED,
  type RowPlace,
  type RowUpdate,
  type Source,
  type Splice,
} from "../formats/parsed-outline.ts";
import type { Edit, NewRow, Place, SettableState } from "../model.ts";

/** Rows with the ids by which they are known. */
export interface Identified {
  readonly source: Source;
  readonly ids: readonly string[];
  /** Where there is something faster than a look at all of them. */
  readonly numberOf?: (id: string) => number | undefined;
}

export interface Edited extends Identified {
  /** Those of the new rows, each before those below it. */
  readonly added: readonly string[];
  /** On the bytes before, in order; undefined after several edits, each of which is made on what the one before has left. */
  readonly splices: readonly Splice[] | undefined;
}

/** Rows of new content may not lie deeper than this. */
const DEEPEST_NEW = 500;

const STATES = { none: NONE, unchecked: UNCHECKED, checked: CHECKED } as const satisfies Record<SettableState, number>;

/**
 * @param newId an id that no row has had
 * @param isComing hears of the bytes that the last edit has made, if it changes anything, before they are read again
 */
export function carryOut(
  before: Identified,
  edits: readonly Edit[],
  newId: () => string,
  isComing: (bytes: Buffer) => void = () => {},
): Edited {
  let now: Identified = before;
  let added: readonly string[] = [];
  let splices: readonly Splice[] | undefined = [];
  for (const [index, edit] of edits.entries()) {
    const done = carryOutOne(now, edit, newId, index === edits.length - 1 ? isComing : () => {});
    added = added.concat(done.added);
    splices = now === before ? done.splices : undefined;
    now = done;
  }
  return { ...now, added, splices };
}

function carryOutOne(
  { source, ids, numberOf: known }: Identified,
  edit: Edit,
  newId: () => string,
  isComing: (bytes: Buffer) => void,
): Edited {
  const spliced = (splices: readonly Splice[]) => {
    const sorted = splices.toSorted((a, b) => a.offset - b.offset || a.length - b.length);
    const { after } = applyEdits(source.bytes, sorted);
    if (after.equals(source.bytes)) return { source, splices: [] };
    isComing(after);
    return { source: source.read(after), splices: sorted };
  };
  const find = (id: string) => (known === undefined ? ids.indexOf(id) : (known(id) ?? -1));
  const numberOf = (id: string) => {
    const row = find(id);
    if (row === -1) throw new Problem("row_not_found", `Row not found: ${id}`);
    return row;
  };
  const placeOf = ({ parentId, index }: Place): RowPlace => {
    const parent = parentId === null ? TOP : numberOf(parentId);
    return { parent, index: Math.max(0, Math.min(index, childrenOf(source, parent).length)) };
  };

  switch (edit.kind) {
    case "add": {
      checkDepth(edit.rows);
      const place = placeOf(edit.place);
      const flat = flattened(edit.rows);
      const taken = new Set<string>();
      while (taken.size < flat.length) {
        const id = newId();
        if (find(id) === -1) taken.add(id);
      }
      const added = [...taken];
      const at = offsetIn(source.parents, place);
      const after = spliced(source.add(edit.rows, place, added));
      const expected = inserted(
        source.parents,
        at,
        place.parent,
        flat.map(({ parent }) => parent),
      );
      const newIds = [...ids.slice(0, at), ...added, ...ids.slice(at)];
      check(
        { source, ids },
        after.source,
        newIds,
        expected,
        flat.map(({ row }, index) => ({ row: at + index, topic: row.topic, note: row.note ?? "" })),
      );
      return { ...after, ids: newIds, added };
    }
    case "update": {
      const row = numberOf(edit.id);
      const updates = updatesOf(source, row, edit);
      const after = spliced(source.update(updates));
      check({ source, ids }, after.source, ids, source.parents, updates);
      return { ...after, ids, added: [] };
    }
    case "move": {
      const row = numberOf(edit.id);
      const place = placeOf(edit.place);
      const moved = source.descendants[row]! + 1;
      if (place.parent >= row && place.parent < row + moved)
        throw new Problem("invalid", "A row cannot be moved into itself or a row below it.");
      const rest = without(source.parents, row, moved);
      const parent = place.parent < row ? place.parent : place.parent - moved;
      const idsLeft = ids.toSpliced(row, moved);
      const at = offsetIn(rest, { parent, index: place.index });
      if (at === row && source.parents[row] === place.parent) return { source, ids, added: [], splices: [] };
      const below = Array.from({ length: moved }, (_, index) =>
        index === 0 ? -1 : source.parents[row + index]! - row,
      );
      const after = spliced(source.move(row, place));
      const newIds = [...idsLeft.slice(0, at), ...ids.slice(row, row + moved), ...idsLeft.slice(at)];
      const told = [{ row: at, topic: source.topic(row), note: source.note(row) ?? "" }];
      check({ source, ids }, after.source, newIds, inserted(rest, at, parent, below), told, ids[source.parents[row]!]);
      return { ...after, ids: newIds, added: [] };
    }
    case "delete": {
      const row = numberOf(edit.id);
      const count = source.descendants[row]! + 1;
      const after = spliced(source.remove(row));
      const newIds = ids.toSpliced(row, count);
      const parentId = ids[source.parents[row]!];
      check({ source, ids }, after.source, newIds, without(source.parents, row, count), [], parentId);
      return { ...after, ids: newIds, added: [] };
    }
  }
}

function isNew(text: string | undefined, old: string): boolean {
  return text !== undefined && text !== old;
}

/** What is set on a row; a state reaches every leaf below, and is written down in between where the format does that. */
function updatesOf(
  source: Source,
  row: number,
  { topic, note, state }: Extract<Edit, { kind: "update" }>,
): RowUpdate[] {
  const updates = new Map<number, RowUpdate>();
  if (isNew(topic, source.topic(row)) || isNew(note, source.note(row) ?? ""))
    updates.set(row, {
      row,
      topic: isNew(topic, source.topic(row)) ? topic : undefined,
      note: isNew(note, source.note(row) ?? "") ? note : undefined,
    });
  if (state === undefined) return [...updates.values()];
  const end = row + source.descendants[row]!;
  for (let each = row; each <= end; each++) {
    const isLeaf = source.descendants[each] === 0;
    const isWritten = isLeaf || source.keepsParentStates || state === "none";
    if (!isWritten || source.states[each] === STATES[state]) continue;
    if (!source.holdsState(each)) {
      if (each === row && isLeaf && state !== "none")
        throw new Problem("invalid", "This row cannot have a checkbox: it is a heading, or its document has none.");
      continue;
    }
    updates.set(each, { ...updates.get(each), row: each, state });
  }
  return [...updates.values()];
}

/** The number that a row gets at a place. */
function offsetIn(parents: Int32Array, { parent, index }: RowPlace): number {
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

/** @param below the parents among the inserted rows; -1 for those that lie right below `parent` */
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
 * What was written is read again: every row must be where it is expected, under
 * its id, and say what it was told to. Else nothing is written.
 * @param leftId the row that one was taken from, if any
 */
function check(
  before: Identified,
  after: Source,
  ids: readonly string[],
  parents: Int32Array,
  told: readonly RowUpdate[],
  leftId?: string,
): void {
  const isSame =
    after.count === parents.length &&
    after.parents.every((parent, row) => parent === parents[row]) &&
    (after.ids === undefined || after.ids.every((id, row) => id === ids[row])) &&
    told.every(({ row, topic, note, state }) => {
      if (topic !== undefined && after.topic(row) !== after.asStored(topic, "topic")) return false;
      if (note !== undefined && (after.note(row) ?? "") !== after.asStored(note, "note")) return false;
      return state === undefined || after.states[row] === STATES[state];
    }) &&
    (after.format !== "markdown" || areOthersSame(before, { source: after, ids }, told, leftId));
  if (isSame) return;
  throw new Problem(
    "invalid",
    "This cannot be written in this kind of file at this place: nothing was changed.",
    after.format === "markdown"
      ? "In Markdown, a row after a heading is a heading, a heading cannot be below a list item, and a text may not look like other marks."
      : undefined,
  );
}

/**
 * In Markdown what stands before a line can change what it means: there every
 * row is compared. Words behind the only row below another become the other's
 * own once that row has left.
 */
function areOthersSame(
  before: Identified,
  after: Identified,
  told: readonly RowUpdate[],
  leftId: string | undefined,
): boolean {
  const isNoteKept = (id: string, old: string | null, now: string | null) =>
    now === old || (id === leftId && (now ?? "").startsWith(old ?? ""));
  const wasAt = new Map(before.ids.map((id, row) => [id, row]));
  const changed = new Map(told.map((update) => [update.row, update]));
  return after.ids.every((id, row) => {
    const was = wasAt.get(id);
    if (was === undefined) return true;
    const { topic, note, state } = changed.get(row) ?? {};
    return (
      (topic !== undefined || after.source.topic(row) === before.source.topic(was)) &&
      (note !== undefined || isNoteKept(id, before.source.note(was), after.source.note(row))) &&
      (state !== undefined || after.source.states[row] === before.source.states[was])
    );
  });
}

function checkDepth(rows: readonly NewRow[]): void {
  let level = rows;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEEPEST_NEW)
      throw new Problem("invalid", `New rows may be nested ${DEEPEST_NEW} levels deep at the most.`);
    level = level.flatMap(({ children = [] }) => children);
  }
}
