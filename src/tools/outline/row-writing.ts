// add_row, update_row, move_row and delete_row: one change each, which is in the
// file before the call returns.
import type { Outline } from "../../outline/outline.ts";
import {
  requested,
  choice,
  confirmation,
  flag,
  integer,
  list,
  optional,
  text,
  withDefault,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES } from "../definition/effects.ts";
import {
  currentDocument,
  EXPECTED_VERSION,
  PARENT_ID,
  givenId,
  POSITION,
  ROW,
  rowResult,
  SHARED,
  WRITTEN,
  type RowResult,
} from "./fields.ts";

const SIBLING = optional(text());
/** On which side of the sibling. */
const BESIDE = optional(choice(["before", "after"]));

export const addRow = defineTool({
  ...SHARED,
  name: "add_row",
  title: "Add a row",
  description:
    "Add a row (item) to the outline: a new entry, bullet, task or todo of the list, first or last under a parent, before or after a row. Several: insert_content.",
  effects: ADDS,
  input: {
    topic: text(),
    note: optional(text()),
    state: unlisted(choice(["checked", "unchecked"])),
    parentId: PARENT_ID,
    position: withDefault(POSITION, "last"),
    siblingId: SIBLING,
    relativePosition: BESIDE,
    ...EXPECTED_VERSION,
  },
  output: { ...WRITTEN, newRow: ROW },
  run: async ({ topic, note, state, parentId, siblingId, expectedVersion, ...where }, { services, author }) => {
    const { addRow } = await import("../../outline/outline.ts");
    const document = await currentDocument(services);
    const wanted = { ...where, parentId: givenId(parentId), siblingId: givenId(siblingId) };
    const about = { ...author, expectedVersion };
    const { message, version, rows } = await addRow(document, about, { topic, note, state }, wanted);
    return { success: true, message, newRow: rowResult(rows[0]!), version, undoAvailable: true };
  },
});

export const updateRow = defineTool({
  ...SHARED,
  name: "update_row",
  title: "Update a row",
  description:
    "Change a row of the outline: rename, rewrite or correct it, if misspelt. Mark it done: tick its checkbox, check it off, untick it.",
  effects: CHANGES,
  returnsForeignText: true,
  input: {
    rowId: text(),
    topic: optional(text("Omit to keep")),
    note: optional(text("Omit to keep, empty to clear")),
    state: optional(choice(["checked", "unchecked", "none"])),
    ...EXPECTED_VERSION,
  },
  output: { ...WRITTEN, updatedRow: ROW },
  run: async ({ rowId, expectedVersion, ...update }, { services, author }) => {
    const { updateRow } = await import("../../outline/outline.ts");
    const document = await currentDocument(services);
    const about = { ...author, expectedVersion };
    const { message, version, row } = await updateRow(document, about, rowId, update);
    return { success: true, message, updatedRow: rowResult(row), version, undoAvailable: await document.canUndo() };
  },
});

export const moveRow = defineTool({
  ...SHARED,
  name: "move_row",
  title: "Move a row",
  description:
    "Move a row with its children: drag, reorder or indent it in its list or under another parent where it belongs, before or after a sibling, first or last.",
  effects: CHANGES,
  returnsForeignText: true,
  input: {
    rowId: text(),
    newParentId: PARENT_ID,
    position: withDefault(POSITION, "last"),
    siblingId: SIBLING,
    relativePosition: BESIDE,
    ...EXPECTED_VERSION,
  },
  output: { ...WRITTEN, movedRow: ROW },
  run: async ({ rowId, newParentId, siblingId, expectedVersion, ...where }, { services, author }) => {
    const { moveRow } = await import("../../outline/outline.ts");
    const document = await currentDocument(services);
    const wanted = { ...where, parentId: givenId(newParentId), siblingId: givenId(siblingId) };
    const about = { ...author, expectedVersion };
    const { message, version, row } = await moveRow(document, about, rowId, wanted);
    return { success: true, message, movedRow: rowResult(row), version, undoAvailable: await document.canUndo() };
  },
});

/** Maximum number of rows that a preview lists; it always gives their total. */
const MAX_PREVIEWED = 100;

export const deleteRow = defineTool({
  ...SHARED,
  name: "delete_row",
  wantsPath: true,
  title: "Delete a row",
  description:
    "Delete a row of the outline with all under it: remove it, get rid of it. Without confirmed=true only a preview.",
  effects: CHANGES,
  returnsForeignText: true,
  input: {
    rowId: text(),
    confirmed: requested(confirmation()),
    ...EXPECTED_VERSION,
  },
  output: {
    ...WRITTEN,
    undoAvailable: optional(flag()),
    requiresConfirmation: optional(flag()),
    affectedRows: optional(list(resultObject<Pick<RowResult, "id" | "topic" | "level">>())),
    deletedCount: optional(integer()),
    truncated: unlisted(flag()),
    total: unlisted(integer()),
  },
  run: async ({ rowId, confirmed, expectedVersion }, { services, author, signal }) => {
    const { deleteRow } = await import("../../outline/outline.ts");
    const document = await currentDocument(services);
    if (confirmed !== true) return preview(await document.read(signal), rowId);
    const { message, version, deleted, format } = await deleteRow(document, { ...author, expectedVersion }, rowId);
    const hint =
      format === "app"
        ? "Use Cmd+Z in OmniOutliner to undo."
        : `Use the undo tool to bring ${deleted === 1 ? "it" : "them"} back.`;
    return { success: true, message: `${message}. ${hint}`, deletedCount: deleted, version, undoAvailable: true };
  },
});

async function preview(outline: Outline, rowId: string) {
  const { namedWithChildren, rowsBelow, rowWithId } = await import("../../outline/outline.ts");
  const row = rowWithId(outline, rowId);
  const affected = [{ id: row.id, topic: row.topic, level: row.level }];
  for (const { id, topic, level } of rowsBelow(outline, rowId)) {
    if (affected.length === MAX_PREVIEWED) break;
    affected.push({ id, topic, level });
  }
  const total = row.descendants + 1;
  return {
    success: false,
    requiresConfirmation: true,
    message: `This will delete ${namedWithChildren(row)}. Set confirmed=true to proceed.`,
    affectedRows: affected,
    ...(total > affected.length && { truncated: true, total }),
    version: outline.version,
  };
}
