// get_outline_structure, get_row and get_row_children: read rows.
import type { Outline, Row } from "../../outline/outline.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import { flag, integer, object, optional, text, unlisted, withDefault } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import {
  documentFor,
  givenId,
  IN_DOCUMENT,
  ROW,
  rowResult,
  ROWS,
  SHARED,
  TEXT_OR_NULL,
  VERSION,
  type RowResult,
} from "./fields.ts";

/** Rows on a page. */
const MAX_ROWS = unlisted(integer("", { minimum: 1 }));

export const getOutlineStructure = defineTool({
  ...SHARED,
  name: "get_outline_structure",
  title: "Outline structure",
  description: "Show the outline as a whole: overview, structure, the full tree of rows with ids.",
  effects: READS,
  pages: "rows",
  pageSize: "maxRows",
  input: {
    maxDepth: optional(integer("0: top-level only", { minimum: 0 })),
    includeNotes: withDefault(flag(), true),
    maxRows: MAX_ROWS,
    ...IN_DOCUMENT,
  },
  output: { document: object({ name: text(), rowCount: integer(), version: VERSION }), rows: ROWS },
  run: async ({ maxDepth, includeNotes, inDocument }, { services, signal }) => {
    const { rowsBelow } = await import("../../outline/outline.ts");
    const outline = await (await documentFor(services, inDocument)).read(signal);
    const shown = (row: Row) => rowResult(includeNotes ? row : { ...row, note: null });
    const rows =
      maxDepth === undefined
        ? new LazyList(outline.rowCount, (skip) => mapped(rowsBelow(outline, null, { skip }), shown))
        : Array.from(rowsBelow(outline, null, { maxDepth }), shown);
    return { document: { name: outline.name, rowCount: outline.rowCount, version: outline.version }, rows };
  },
});

export const getRow = defineTool({
  ...SHARED,
  name: "get_row",
  title: "Get a row",
  description: "Show one row by id: details, what it says in full, the note on it, whether it is checked, its place.",
  effects: READS,
  pages: "children",
  input: {
    rowId: text(),
    includeChildren: withDefault(flag(), false),
    ...IN_DOCUMENT,
  },
  output: { row: ROW, children: optional(ROWS), version: VERSION },
  run: async ({ rowId, includeChildren, inDocument }, { services, signal }) => {
    const { rowOf } = await import("../../outline/outline.ts");
    const outline = await (await documentFor(services, inDocument)).read(signal);
    const row = rowOf(outline, rowId);
    const children = includeChildren ? { children: await rowsOf(outline, row.childIds) } : {};
    return { row: rowResult(row), ...children, version: outline.version };
  },
});

export const getRowChildren = defineTool({
  ...SHARED,
  name: "get_row_children",
  title: "Children of a row",
  description: "List the immediate children of a row: what is directly under it (subrows), or the top-level rows.",
  effects: READS,
  pages: "children",
  pageSize: "maxRows",
  input: {
    rowId: optional(text("Omit for top-level rows")),
    maxRows: MAX_ROWS,
    ...IN_DOCUMENT,
  },
  output: { parentId: TEXT_OR_NULL, children: ROWS, version: VERSION },
  run: async ({ rowId, inDocument }, { services, signal }) => {
    const { childIdsOf } = await import("../../outline/outline.ts");
    const outline = await (await documentFor(services, inDocument)).read(signal);
    const parentId = givenId(rowId) ?? null;
    const children = await rowsOf(outline, childIdsOf(outline, parentId));
    return { parentId, children, version: outline.version };
  },
});

async function rowsOf(outline: Outline, ids: readonly string[]): Promise<LazyList<RowResult>> {
  const { rowOf } = await import("../../outline/outline.ts");
  return new LazyList(ids.length, (start) => mapped(ids.slice(start), (id) => rowResult(rowOf(outline, id))));
}
