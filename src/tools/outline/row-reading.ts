// get_outline_structure, get_row and get_row_children: read rows.
import type { Outline, Row } from "../../outline/outline.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import { choice, flag, integer, object, optional, text, unlisted, withDefault } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import {
  currentDocument,
  givenId,
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
  pages: ["rows", "markdown"],
  pageSize: "maxRows",
  input: {
    maxDepth: optional(integer("0: top-level only", { minimum: 0 })),
    includeNotes: withDefault(flag(), true),
    format: optional(choice(["rows", "markdown"])),
    maxRows: MAX_ROWS,
  },
  output: {
    document: object({ name: text(), rowCount: integer(), version: VERSION }),
    rows: optional(ROWS),
    /** A list of all rows, each with its id in braces. */
    markdown: optional(text()),
  },
  run: async ({ maxDepth, includeNotes, format }, { services, signal }) => {
    const { markdownWithIds, rowsBelow } = await import("../../outline/outline.ts");
    const outline = await (await currentDocument(services)).read(signal);
    const document = { name: outline.name, rowCount: outline.rowCount, version: outline.version };
    if (format === "markdown") {
      const below = rowsBelow(outline, null, maxDepth === undefined ? {} : { maxDepth });
      const listed = mapped(below, (row) => (includeNotes ? row : { ...row, note: null }));
      return { document, markdown: markdownWithIds(listed) };
    }
    const shown = (row: Row) => rowResult(includeNotes ? row : { ...row, note: null });
    const rows =
      maxDepth === undefined
        ? new LazyList(outline.rowCount, (skip) => mapped(rowsBelow(outline, null, { skip }), shown))
        : Array.from(rowsBelow(outline, null, { maxDepth }), shown);
    return { document, rows };
  },
});

export const getRow = defineTool({
  ...SHARED,
  name: "get_row",
  title: "Get a row",
  description: "Show one row by id: details, its topic in full, its note, whether it is checked, its place.",
  effects: READS,
  pages: "children",
  input: {
    rowId: text(),
    includeChildren: withDefault(flag(), false),
  },
  output: { row: ROW, children: optional(ROWS), version: VERSION },
  run: async ({ rowId, includeChildren }, { services, signal }) => {
    const { rowOf } = await import("../../outline/outline.ts");
    const outline = await (await currentDocument(services)).read(signal);
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
  },
  output: { parentId: TEXT_OR_NULL, children: ROWS, version: VERSION },
  run: async ({ rowId }, { services, signal }) => {
    const { rowOf } = await import("../../outline/outline.ts");
    const outline = await (await currentDocument(services)).read(signal);
    const sent = givenId(rowId);
    const parent = sent === undefined ? undefined : rowOf(outline, sent);
    const children = await rowsOf(outline, parent?.childIds ?? outline.topIds);
    const parentId = parent?.id ?? null;
    return { parentId, children, version: outline.version };
  },
});

async function rowsOf(outline: Outline, ids: readonly string[]): Promise<LazyList<RowResult>> {
  const { rowOf } = await import("../../outline/outline.ts");
  return new LazyList(ids.length, (start) => mapped(ids.slice(start), (id) => rowResult(rowOf(outline, id))));
}
