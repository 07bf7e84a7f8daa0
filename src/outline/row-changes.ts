// The changes a caller can make to rows. Each function plans on the current
// outline, has the document apply the plan, and describes the result in a
// sentence. Used by the tools that write.
import type { About } from "../journal/journal.ts";
import { beginningOf } from "../search/search.ts";
import { counted, Problem } from "../kernel/kernel.ts";
import {
  hasPlainRows,
  type NewRow,
  type Outline,
  type OutlineDocument,
  type OutlineFormat,
  type Row,
  type SettableState,
} from "./model.ts";
import { positionFor, type RequestedPosition } from "./row-position.ts";
import { rowOf, rowsBelow, rowWithId } from "./rows.ts";

/** The tool that asks for a change, and the version it expects. */
export interface ChangeRequest {
  readonly tool: string;
  readonly signal?: AbortSignal | undefined;
  readonly expectedVersion?: string | undefined;
  /** Called with the entry of the history, once the change is made. */
  readonly onWritten?: About["onWritten"];
}

export interface ChangeResult {
  readonly message: string;
  readonly version: string;
}

type AddResult = ChangeResult & { readonly rows: readonly Row[] };

export function addRow(
  document: OutlineDocument,
  request: ChangeRequest,
  row: NewRow,
  requested: RequestedPosition,
): Promise<AddResult> {
  return add(document, request, [row], requested, `Added row ${named(row)}`);
}

/** Adds several rows with their descendants in one step. */
export function insertRows(
  document: OutlineDocument,
  request: ChangeRequest,
  rows: readonly NewRow[],
  requested: RequestedPosition,
): Promise<AddResult> {
  if (rows.length === 0)
    throw new Problem(
      "invalid",
      "There is nothing to insert: the content has no rows",
      'Send a text, or rows: [{"topic":"Milk","children":[{"topic":"Oat"}]}]',
    );
  return add(document, request, rows, requested, `Inserted ${counted(countOf(rows), "row")}`);
}

async function add(
  document: OutlineDocument,
  request: ChangeRequest,
  rows: readonly NewRow[],
  requested: RequestedPosition,
  what: string,
): Promise<AddResult> {
  let message = "";
  const { outline, added } = await document.change(request, (before) => {
    const position = positionFor(before, requested);
    message = `${what} ${whereIs(before, position.parentId)}`;
    return { edits: [{ kind: "add", rows, position }], message };
  });
  return { message, version: outline.version, rows: added.map((id) => rowOf(outline, id)) };
}

export interface RowUpdate {
  readonly topic?: string | undefined;
  /** "" removes the note. */
  readonly note?: string | undefined;
  readonly state?: SettableState | undefined;
}

export async function updateRow(
  document: OutlineDocument,
  request: ChangeRequest,
  id: string,
  update: RowUpdate,
): Promise<ChangeResult & { readonly row: Row }> {
  let message = "";
  let own = id;
  const { outline } = await document.change(request, (before) => {
    const row = rowOf(before, id);
    own = row.id;
    const changes = changesOf(before, row, update);
    message = `Updated row: ${listed(changes) || "nothing to change"}`;
    return {
      edits: changes.length === 0 ? [] : [{ kind: "update", id: row.id, ...update }],
      message: `Updated row ${named(row)}: ${listed(changes)}`,
    };
  });
  return { message, version: outline.version, row: rowOf(outline, own) };
}

/** Describes what an update changes. Empty if the row already has these values. */
function changesOf(outline: Outline, row: Row, { topic, note, state }: RowUpdate): string[] {
  const before = row.note ?? "";
  const changes: string[] = [];
  if (topic !== undefined && topic !== row.topic) changes.push("changed topic");
  if (note !== undefined && note !== before)
    changes.push(note === "" ? "removed note" : before === "" ? "added note" : "changed note");
  if (state !== undefined && state !== row.state) changes.push(stateChange(outline, row, state));
  return changes;
}

/** A parent in OmniOutliner shows the combined state of its leaves, so setting it sets the leaves. */
function stateChange(outline: Outline, row: Row, state: SettableState): string {
  const below = hasPlainRows(outline.format) ? [] : [...rowsBelow(outline, row.id)];
  const hasBoxes = below.some((each) => each.state !== "none");
  // A box above rows without any stands for itself, in formats that store those of parents.
  const keepsOwn = outline.format !== "app" && outline.format !== "ooutline";
  const isAlone = keepsOwn && row.state !== "none" && !hasBoxes && state !== "none";
  const leaves = below.filter(({ childIds }) => childIds.length === 0);
  if (isAlone || leaves.length === 0) return `set state to ${state}`;
  return `set state to ${state} on the ${counted(leaves.length, "leaf row")} below it`;
}

export async function moveRow(
  document: OutlineDocument,
  request: ChangeRequest,
  id: string,
  requested: RequestedPosition,
): Promise<ChangeResult & { readonly row: Row }> {
  let message = "";
  let own = id;
  const { outline, renamed } = await document.change(request, (before) => {
    const row = rowOf(before, id);
    own = row.id;
    const position = positionFor(before, requested, own);
    const where = position.parentId === null ? "to the top level" : whereIs(before, position.parentId);
    message = `Moved ${named(row)} ${where}`;
    const siblings = row.parentId === null ? before.topIds : rowOf(before, row.parentId).childIds;
    const isThere = position.parentId === row.parentId && position.index === siblings.indexOf(own);
    return { edits: isThere ? [] : [{ kind: "move", id: own, position }], message };
  });
  const row = rowOf(outline, renamed?.get(own) ?? own);
  if (row.id !== own)
    message += `. It has a new id, ${row.id}: this version of OmniOutliner cannot keep ids when it moves rows`;
  return { message, version: outline.version, row };
}

export async function deleteRow(
  document: OutlineDocument,
  request: ChangeRequest,
  id: string,
): Promise<ChangeResult & { readonly deleted: number; readonly format: OutlineFormat }> {
  let message = "";
  let deleted = 0;
  const { outline } = await document.change(request, (before) => {
    const row = rowWithId(before, id);
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

const MAX_NAME_LENGTH = 80;

function named({ topic }: Pick<Row, "topic">): string {
  return `'${beginningOf(topic.replace(/(?<!\s)\s*\n\s*/g, " "), MAX_NAME_LENGTH)}'`;
}

function whereIs(outline: Outline, parentId: string | null): string {
  return parentId === null ? "at the top level" : `under ${named(rowOf(outline, parentId))}`;
}

/** "a", "a and b", "a, b and c" */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function countOf(rows: readonly NewRow[]): number {
  return rows.reduce((sum, { children = [] }) => sum + 1 + countOf(children), 0);
}
