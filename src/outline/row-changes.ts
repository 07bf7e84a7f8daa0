// What can be done to the rows of a document: each function plans on what is
// there, has the document carry it out, and says it in a sentence. Used by the
// tools that write.
import { beginningOf } from "../search/search.ts";
import { Problem } from "../kernel/kernel.ts";
import type { NewRow, Outline, OutlineDocument, OutlineFormat, Row, SettableState } from "./model.ts";
import { placeFor, type Wanted } from "./row-position.ts";
import { rowOf, rowsBelow } from "./rows.ts";

/** Who changes something, and on what version. */
export interface About {
  readonly tool: string;
  readonly signal?: AbortSignal | undefined;
  readonly expectedVersion?: string | undefined;
}

export interface Written {
  readonly message: string;
  readonly version: string;
}

type Added = Written & { readonly rows: readonly Row[] };

export function addRow(document: OutlineDocument, about: About, row: NewRow, wanted: Wanted): Promise<Added> {
  return add(document, about, [row], wanted, `Added row ${named(row)}`);
}

/** Several rows with those below them, in one step. */
export function insertRows(
  document: OutlineDocument,
  about: About,
  rows: readonly NewRow[],
  wanted: Wanted,
): Promise<Added> {
  if (rows.length === 0) throw new Problem("invalid", "There is nothing to insert: content holds no row");
  return add(document, about, rows, wanted, `Inserted ${counted(countOf(rows), "row")}`);
}

async function add(
  document: OutlineDocument,
  about: About,
  rows: readonly NewRow[],
  wanted: Wanted,
  what: string,
): Promise<Added> {
  let message = "";
  const { outline, added } = await document.change(about, (before) => {
    const place = placeFor(before, wanted);
    message = `${what} ${whereIs(before, place.parentId)}`;
    return { edits: [{ kind: "add", rows, place }], message };
  });
  return { message, version: outline.version, rows: added.map((id) => rowOf(outline, id)) };
}

export interface RowUpdate {
  readonly topic?: string | undefined;
  /** "" takes the note away. */
  readonly note?: string | undefined;
  readonly state?: SettableState | undefined;
}

export async function updateRow(
  document: OutlineDocument,
  about: About,
  id: string,
  update: RowUpdate,
): Promise<Written & { readonly row: Row }> {
  let message = "";
  const { outline } = await document.change(about, (before) => {
    const row = rowOf(before, id);
    const changes = changesOf(before, row, update);
    message = `Updated row: ${listed(changes) || "nothing to change"}`;
    return {
      edits: changes.length === 0 ? [] : [{ kind: "update", id, ...update }],
      message: `Updated row ${named(row)}: ${listed(changes)}`,
    };
  });
  return { message, version: outline.version, row: rowOf(outline, id) };
}

/** What an update makes of a row, in words. Empty where the row is so already. */
function changesOf(outline: Outline, row: Row, { topic, note, state }: RowUpdate): string[] {
  const before = row.note ?? "";
  const changes: string[] = [];
  if (topic !== undefined && topic !== row.topic) changes.push("changed topic");
  if (note !== undefined && note !== before)
    changes.push(note === "" ? "removed note" : before === "" ? "added note" : "changed note");
  if (state !== undefined && state !== row.state) changes.push(stateChange(outline, row, state));
  return changes;
}

/** A parent shows what its leaves are, so that they are what is set. */
function stateChange(outline: Outline, row: Row, state: SettableState): string {
  if (row.childIds.length === 0) return `set state to ${state}`;
  let leaves = 0;
  for (const below of rowsBelow(outline, row.id)) if (below.childIds.length === 0) leaves++;
  return `set state to ${state} on the ${counted(leaves, "leaf row")} below it`;
}

export async function moveRow(
  document: OutlineDocument,
  about: About,
  id: string,
  wanted: Wanted,
): Promise<Written & { readonly row: Row }> {
  let message = "";
  const { outline, renamed } = await document.change(about, (before) => {
    const row = rowOf(before, id);
    const place = placeFor(before, wanted, id);
    const where = place.parentId === null ? "to the top level" : whereIs(before, place.parentId);
    message = `Moved ${named(row)} ${where}`;
    const siblings = row.parentId === null ? before.topIds : rowOf(before, row.parentId).childIds;
    const isThere = place.parentId === row.parentId && place.index === siblings.indexOf(id);
    return { edits: isThere ? [] : [{ kind: "move", id, place }], message };
  });
  const row = rowOf(outline, renamed?.get(id) ?? id);
  if (row.id !== id) message += `. It has a new id, ${row.id}: this version of OmniOutliner cannot keep it`;
  return { message, version: outline.version, row };
}

export async function deleteRow(
  document: OutlineDocument,
  about: About,
  id: string,
): Promise<Written & { readonly deleted: number; readonly format: OutlineFormat }> {
  let message = "";
  let deleted = 0;
  const { outline } = await document.change(about, (before) => {
    const row = rowOf(before, id);
    deleted = row.descendants + 1;
    message = `Deleted ${namedWithChildren(row)}`;
    return { edits: [{ kind: "delete", id }], message };
  });
  return { message, version: outline.version, deleted, format: outline.format };
}

/** "'Project Alpha' and 5 child rows" */
export function namedWithChildren(row: Row): string {
  return row.descendants === 0 ? named(row) : `${named(row)} and ${counted(row.descendants, "child row")}`;
}

const LONGEST_NAME = 80;

function named({ topic }: Pick<Row, "topic">): string {
  return `'${beginningOf(topic.replace(/\s*\n\s*/g, " "), LONGEST_NAME)}'`;
}

function whereIs(outline: Outline, parentId: string | null): string {
  return parentId === null ? "at the top level" : `under ${named(rowOf(outline, parentId))}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** "a", "a and b", "a, b and c" */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function countOf(rows: readonly NewRow[]): number {
  return rows.reduce((sum, { children = [] }) => sum + 1 + countOf(children), 0);
}
