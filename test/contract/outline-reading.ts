// The cases of the outline contract that only read. They run first, in order.
import { expect } from "vitest";
import { fails, id, OF_LEAVES, type OutlineCase, row, rowLike } from "./outline-case.ts";

export const READING_CASES: readonly OutlineCase[] = [
  {
    it: "returns the name and whether undo and redo are possible",
    tool: "get_current_document",
    result: {
      document: {
        name: expect.stringMatching(/^Plan\.(ooutline|opml|md)$/),
        path: expect.stringMatching(/[/\\]Plan\.\w+$/),
        isFrontmost: true,
        canUndo: false,
        canRedo: false,
        rowCount: 8,
        version: expect.any(String),
      },
    },
  },
  {
    it: "reports the connection to the document",
    tool: "check_connection",
    result: {
      connected: true,
      appRunning: false,
      documentOpen: true,
      documentName: expect.stringMatching(/^Plan\./),
      message: expect.stringMatching(/^Connected to file\. Document 'Plan\.\w+' is open\.$/),
    },
    inApp: { appRunning: true, message: "Connected to OmniOutliner. Document 'Plan.ooutline' is open." },
  },
  {
    it: "lists every row in order, with its level and parent",
    tool: "get_outline_structure",
    result: {
      document: { name: expect.stringMatching(/^Plan\./), rowCount: 8 },
      rows: [
        rowLike("Project Tasks", { note: "the plan", state: OF_LEAVES, hasChildren: true, childIds: [id, id] }),
        rowLike("Design", { level: 1, state: "unchecked", parentId: id }),
        rowLike("Build", { level: 1, state: "checked", parentId: id }),
        rowLike("Completed Tasks"),
        rowLike("Meeting Notes", { hasChildren: true, childIds: [id, id] }),
        rowLike("Item 1", { level: 1, hasChildren: true, parentId: id, childIds: [id] }),
        rowLike("Sub-item", { level: 2, parentId: id }),
        rowLike("Item 2", { level: 1, parentId: id }),
      ],
    },
  },
  {
    it: "stops at a depth, and still counts the rows below",
    tool: "get_outline_structure",
    arguments: { maxDepth: 0, includeNotes: false },
    result: {
      document: { rowCount: 8 },
      rows: [
        rowLike("Project Tasks", { note: null, state: OF_LEAVES, hasChildren: true, childIds: [id, id] }),
        rowLike("Completed Tasks"),
        rowLike("Meeting Notes", { hasChildren: true, childIds: [id, id] }),
      ],
    },
  },
  {
    it: "is returned in pages on request",
    tool: "get_outline_structure",
    arguments: { maxRows: 3 },
    result: {
      rows: [{ topic: "Project Tasks" }, { topic: "Design" }, { topic: "Build" }],
      truncated: true,
      total: 8,
      nextCursor: expect.any(String),
    },
  },
  {
    it: "treats a depth below 0 as 0",
    tool: "get_outline_structure",
    arguments: { maxDepth: -1 },
    result: { rows: [{ level: 0 }, { level: 0 }, { level: 0 }] },
  },
  {
    it: "returns one row without its children",
    tool: "get_row",
    arguments: { rowId: row("Project Tasks") },
    result: {
      row: rowLike("Project Tasks", { note: "the plan", state: OF_LEAVES, hasChildren: true, childIds: [id, id] }),
    },
  },
  {
    it: "returns the children on request",
    tool: "get_row",
    arguments: { rowId: row("Item 1"), includeChildren: true },
    result: {
      row: rowLike("Item 1", {
        level: 1,
        hasChildren: true,
        parentId: row("Meeting Notes"),
        childIds: [row("Sub-item")],
      }),
      children: [rowLike("Sub-item", { level: 2, parentId: row("Item 1") })],
    },
  },
  fails(
    "reports a row that does not exist",
    "get_row",
    { rowId: "no-such-row" },
    "row_not_found",
    "Row not found: no-such-row",
  ),
  fails("requires an id", "get_row", {}, "invalid_params", "rowId is required"),
  {
    it: "returns the children of a row",
    tool: "get_row_children",
    arguments: { rowId: row("Meeting Notes") },
    result: { parentId: row("Meeting Notes"), children: [{ topic: "Item 1" }, { topic: "Item 2" }] },
  },
  {
    it: "returns the top-level rows without a row id",
    tool: "get_row_children",
    result: {
      parentId: null,
      children: [{ topic: "Project Tasks" }, { topic: "Completed Tasks" }, { topic: "Meeting Notes" }],
    },
  },
  {
    it: "is returned in pages on request",
    tool: "get_row_children",
    arguments: { maxRows: 1 },
    result: { children: [{ topic: "Project Tasks" }], truncated: true, total: 3, nextCursor: expect.any(String) },
  },
  fails("reports a row that does not exist", "get_row_children", { rowId: "no-such-row" }, "row_not_found"),
  {
    it: "searches topics and notes ignoring case, with one result per field",
    tool: "search_outline",
    arguments: { query: "PLAN" },
    result: {
      results: [{ row: { topic: "Project Tasks" }, matchContext: "the plan", matchField: "note" }],
      totalMatches: 1,
      truncated: false,
    },
  },
  {
    it: "counts all matches even if it returns some",
    tool: "search_outline",
    arguments: { query: "item", maxResults: 1 },
    result: { results: [{ row: { topic: "Item 1" } }], totalMatches: 3, truncated: true },
  },
  {
    it: "respects case on request",
    tool: "search_outline",
    arguments: { query: "item", caseSensitive: true },
    result: { results: [{ row: { topic: "Sub-item" }, matchField: "topic" }], totalMatches: 1 },
  },
  {
    it: "searches only notes on request",
    tool: "search_outline",
    arguments: { query: "item", searchIn: "notes" },
    result: { results: [], totalMatches: 0, truncated: false },
  },
  {
    it: "accepts a regular expression, a state and a parent row, and returns the topics above",
    tool: "search_outline",
    arguments: { query: "^[sn]ub", regex: true, under: row("Meeting Notes"), state: "none", ancestors: true },
    result: {
      results: [{ row: { topic: "Sub-item" }, ancestors: ["Meeting Notes", "Item 1"] }],
      totalMatches: 1,
    },
  },
  fails("refuses an invalid regular expression", "search_outline", { query: "(", regex: true }, "invalid_params"),
  fails("needs a query", "search_outline", { query: "" }, "invalid_params", "query must not be empty"),
  {
    it: "limits maxResults to 100",
    tool: "search_outline",
    arguments: { query: "zzz", maxResults: 101 },
    result: { results: [], totalMatches: 0 },
  },
  {
    it: "returns a section as a structure",
    tool: "get_section_content",
    arguments: { rowId: row("Meeting Notes") },
    result: {
      section: { title: "Meeting Notes", id: row("Meeting Notes") },
      content: {
        rows: [
          { topic: "Item 1", children: [{ topic: "Sub-item", children: [] }] },
          { topic: "Item 2", children: [] },
        ],
        totalRows: 3,
      },
    },
  },
  {
    it: "returns a section as Markdown",
    tool: "get_section_content",
    arguments: { rowId: row("Meeting Notes"), format: "markdown" },
    result: {
      section: { title: "Meeting Notes", id: row("Meeting Notes") },
      markdown: "# Meeting Notes\n\n- Item 1\n  - Sub-item\n- Item 2",
    },
  },
  {
    it: "returns notes and checkboxes in Markdown",
    tool: "get_section_content",
    arguments: { rowId: row("Project Tasks"), format: "markdown" },
    result: { markdown: "# Project Tasks\n\n- [ ] Design\n- [x] Build\n\n> Note: the plan" },
  },
  {
    it: "returns a section as plain text",
    tool: "get_section_content",
    arguments: { rowId: row("Meeting Notes"), format: "plain" },
    result: { text: "Meeting Notes\n  Item 1\n    Sub-item\n  Item 2" },
  },
  {
    it: "returns the whole document without a row id",
    tool: "get_section_content",
    result: { section: { title: expect.stringMatching(/^Plan\./) }, content: { totalRows: 8 } },
  },
  fails("reports a row that does not exist", "get_section_content", { rowId: "no-such-row" }, "row_not_found"),
];
