// The outline contract, call by call. The cases run in order, on one document in
// each format; a case refers to a row by its topic.
import { expect } from "vitest";
import type { JsonSchema } from "../../src/tools/definition/field.ts";
import type { ContractCase, ContractTable } from "./contract.ts";

/** Three kinds of files, and the OmniOutliner application. */
export const FORMATS = ["ooutline", "opml", "md", "app"] as const;
export type Format = (typeof FORMATS)[number];

/** Stands for the id of the row that has this topic. */
export class RowNamed {
  readonly topic: string;
  constructor(topic: string) {
    this.topic = topic;
  }
}
const row = (topic: string) => new RowNamed(topic);

/** The state of a parent without a checkbox whose leaves are mixed: only OmniOutliner shows theirs. */
export const OF_LEAVES = Symbol("mixed in OmniOutliner, none in OPML and Markdown");

export interface OutlineCase extends ContractCase {
  /** The rows in the file afterwards, as a second reader finds them; omitted if not a byte may change. */
  readonly after?: readonly string[];
  /** Differences between formats. */
  readonly only?: readonly Format[];
  /** The result in the application, if it differs from that of a file. */
  readonly inApp?: object;
}

/** The content of the document before the first case. */
export const BEFORE = [
  "Project Tasks | the plan",
  "  [ ] Design",
  "  [x] Build",
  "Completed Tasks",
  "Meeting Notes",
  "  Item 1",
  "    Sub-item",
  "  Item 2",
] as const;

const STRING = { type: "string" } as const;
const described = (description: string): JsonSchema => ({ type: "string", description });
const among = (values: readonly string[], more: JsonSchema = {}): JsonSchema => ({ ...STRING, enum: values, ...more });

const tools: ContractTable["tools"] = {
  get_current_document: { required: [], parameters: {} },
  get_outline_structure: {
    required: [],
    parameters: {
      maxDepth: { type: "integer", minimum: 0, description: "Maximum nesting depth to return. 0 = top-level only." },
      includeNotes: { type: "boolean", default: true, description: "Whether to include note content for each row." },
    },
  },
  get_row: {
    required: ["rowId"],
    parameters: {
      rowId: described("The unique identifier of the row to retrieve."),
      includeChildren: {
        type: "boolean",
        default: false,
        description: "Whether to include immediate child rows in the response.",
      },
    },
  },
  search_outline: {
    required: ["query"],
    parameters: {
      query: { type: "string", minLength: 1, description: "The text to search for in the outline." },
      searchIn: among(["all", "topics", "notes"], { default: "all", description: "Which fields to search in." }),
      caseSensitive: {
        type: "boolean",
        default: false,
        description: "Whether the search should be case-sensitive.",
      },
      maxResults: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 50,
        description: "Maximum number of results to return.",
      },
    },
  },
  get_row_children: {
    required: [],
    parameters: { rowId: described("The parent row ID. Omit to get top-level rows.") },
  },
  add_row: {
    required: ["topic"],
    parameters: {
      topic: described("The text content for the new row."),
      note: described("Optional note content to attach to the row."),
      parentId: described("ID of the parent row. Omit for top-level placement."),
      position: among(["first", "last"], { default: "last", description: "Where to place among siblings." }),
      siblingId: described("Reference sibling for relative positioning."),
      relativePosition: among(["before", "after"], { description: "Insert before or after the sibling." }),
    },
  },
  update_row: {
    required: ["rowId"],
    parameters: {
      rowId: described("The ID of the row to update."),
      topic: described("New topic text. Omit to keep current value."),
      note: described("New note text. Omit to keep current, use empty string to clear."),
      state: among(["checked", "unchecked", "none"], { description: "New checkbox state." }),
    },
  },
  move_row: {
    required: ["rowId"],
    parameters: {
      rowId: described("The ID of the row to move."),
      newParentId: described("New parent row ID. Omit for top-level placement."),
      position: among(["first", "last"], { default: "last" }),
      siblingId: described("Reference sibling for relative positioning."),
      relativePosition: among(["before", "after"]),
    },
  },
  delete_row: {
    required: ["rowId", "confirmed"],
    parameters: {
      rowId: described("The ID of the row to delete."),
      confirmed: { type: "boolean", description: "Set to true to confirm this destructive operation." },
    },
  },
  get_section_content: {
    required: [],
    parameters: {
      rowId: described("Root row ID for the section. Omit for entire document."),
      format: among(["plain", "markdown", "structured"], {
        default: "structured",
        description: "How to format the content output.",
      }),
    },
  },
  insert_content: {
    required: ["content"],
    parameters: {
      content: {
        oneOf: [
          { type: "string", description: "Single text item to insert" },
          {
            type: "array",
            items: {
              type: "object",
              properties: { topic: STRING, note: STRING, children: { type: "array" } },
              required: ["topic"],
            },
            description: "Hierarchical content to insert",
          },
        ],
        description: "Content to insert - either a string or array of row objects.",
      },
      parentId: described("Parent row ID. Omit for top-level placement."),
      position: among(["first", "last"], { default: "last" }),
    },
  },
  check_connection: { required: [], parameters: {} },
};

const fails = (
  it: string,
  tool: string,
  sent: object,
  code: string,
  message: unknown = expect.any(String),
): OutlineCase => ({
  it,
  tool,
  arguments: { ...sent },
  isError: true,
  result: { success: false, error: { code, message } },
});

const id = expect.stringMatching(/^\S+$/);

/** A complete row object. */
const rowLike = (topic: string, facts: object = {}) => ({
  id,
  topic,
  note: null,
  level: 0,
  state: "none",
  hasChildren: false,
  parentId: null,
  childIds: [],
  ...facts,
});

/** Every write has these in addition to what a case says. */
const written = { success: true, undoAvailable: true, version: expect.any(String) };

export const OUTLINE: ContractTable = {
  tools,
  cases: [
    {
      it: "finds the embedded outline where none is configured",
      tool: "check_connection",
      result: {
        connected: true,
        appRunning: false,
        documentOpen: true,
        documentName: "outline.opml",
        message: "Connected to file. Document 'outline.opml' is open.",
      },
    },
    {
      it: "holds a guide in the embedded outline",
      tool: "get_outline_structure",
      arguments: { maxDepth: 0 },
      result: { document: { name: "outline.opml" }, rows: [{ topic: "Welcome", level: 0, hasChildren: true }] },
    },
  ],
};

export const OUTLINE_CASES: readonly OutlineCase[] = [
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

  {
    it: "adds a row as the last child of another",
    tool: "add_row",
    arguments: { topic: "Task title", note: "how & <why>", parentId: row("Project Tasks") },
    result: {
      ...written,
      message: "Added row 'Task title' under 'Project Tasks'",
      newRow: rowLike("Task title", {
        note: "how & <why>",
        level: 1,
        parentId: row("Project Tasks"),
        state: expect.stringMatching(/^(none|unchecked)$/),
      }),
    },
    after: [...BEFORE.slice(0, 3), "  Task title | how & <why>", ...BEFORE.slice(3)],
  },
  {
    it: "adds a row at the beginning of the top level",
    tool: "add_row",
    arguments: { topic: "Zero", position: "first" },
    result: { ...written, message: "Added row 'Zero' at the top level", newRow: rowLike("Zero") },
    after: ["Zero", ...BEFORE.slice(0, 3), "  Task title | how & <why>", ...BEFORE.slice(3)],
  },
  {
    it: "adds a row next to a sibling, whatever the position, under the same parent",
    tool: "add_row",
    arguments: { topic: "Item 0", siblingId: row("Item 1"), relativePosition: "before", position: "last" },
    result: {
      ...written,
      message: "Added row 'Item 0' under 'Meeting Notes'",
      newRow: { level: 1, parentId: row("Meeting Notes") },
    },
    after: [
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      ...BEFORE.slice(3, 5),
      "  Item 0",
      ...BEFORE.slice(5),
    ],
  },
  fails("needs a topic", "add_row", {}, "invalid_params", "topic is required"),
  fails("reports a parent that does not exist", "add_row", { topic: "x", parentId: "no-such-row" }, "row_not_found"),
  fails("reports a sibling that does not exist", "add_row", { topic: "x", siblingId: "no-such-row" }, "row_not_found"),
  fails(
    "refuses a sibling with another parent",
    "add_row",
    { topic: "x", parentId: row("Project Tasks"), siblingId: row("Item 1"), relativePosition: "after" },
    "invalid_params",
  ),
  fails("refuses control characters", "add_row", { topic: "a\u0001b" }, "invalid_params"),
  {
    ...fails("refuses a newline in a topic", "add_row", { topic: "a\nb" }, "invalid_params"),
    only: ["md"],
  },
  fails(
    "refuses a stale version, and returns the current one",
    "add_row",
    { topic: "x", expectedVersion: "stale" },
    "conflict",
  ),

  {
    it: "changes a topic and adds a note",
    tool: "update_row",
    arguments: { rowId: row("Item 0"), topic: "Item zero", note: "new" },
    result: {
      ...written,
      message: "Updated row: changed topic and added note",
      updatedRow: { topic: "Item zero", note: "new", state: "none" },
    },
    after: [
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      ...BEFORE.slice(3, 5),
      "  Item zero | new",
      ...BEFORE.slice(5),
    ],
  },
  {
    it: "changes a note and sets a checkbox",
    tool: "update_row",
    arguments: { rowId: row("Item zero"), note: "newer", state: "checked" },
    result: {
      ...written,
      message: "Updated row: changed note and set state to checked",
      updatedRow: { note: "newer", state: "checked" },
    },
    after: [
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      ...BEFORE.slice(3, 5),
      "  [x] Item zero | newer",
      ...BEFORE.slice(5),
    ],
  },
  {
    it: "removes a note and a checkbox",
    tool: "update_row",
    arguments: { rowId: row("Item zero"), note: "", state: "none" },
    result: {
      ...written,
      message: "Updated row: removed note and set state to none",
      updatedRow: { note: null, state: "none" },
    },
    after: [
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      ...BEFORE.slice(3, 5),
      "  Item zero",
      ...BEFORE.slice(5),
    ],
  },
  {
    it: "changes nothing without changes",
    tool: "update_row",
    arguments: { rowId: row("Item zero"), topic: "Item zero" },
    result: { success: true, message: "Updated row: nothing to change" },
  },
  fails("reports a row that does not exist", "update_row", { rowId: "no-such-row", topic: "x" }, "row_not_found"),
  fails("cannot set a row to mixed", "update_row", { rowId: row("Zero"), state: "mixed" }, "invalid_params"),
  fails(
    "refuses a stale version",
    "update_row",
    { rowId: row("Zero"), topic: "x", expectedVersion: "stale" },
    "conflict",
  ),

  {
    it: "moves a row with its descendants under another",
    tool: "move_row",
    arguments: { rowId: row("Item 1"), newParentId: row("Completed Tasks") },
    result: {
      ...written,
      message: "Moved 'Item 1' under 'Completed Tasks'",
      movedRow: { topic: "Item 1", level: 1, parentId: row("Completed Tasks"), childIds: [row("Sub-item")] },
    },
    after: [
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      "Completed Tasks",
      "  Item 1",
      "    Sub-item",
      "Meeting Notes",
      "  Item zero",
      "  Item 2",
    ],
  },
  {
    it: "moves a row to the top level without a parent",
    tool: "move_row",
    arguments: { rowId: row("Sub-item"), position: "first" },
    result: { ...written, message: "Moved 'Sub-item' to the top level", movedRow: { level: 0, parentId: null } },
    after: [
      "Sub-item",
      "Zero",
      ...BEFORE.slice(0, 3),
      "  Task title | how & <why>",
      "Completed Tasks",
      "  Item 1",
      "Meeting Notes",
      "  Item zero",
      "  Item 2",
    ],
  },
  {
    it: "moves a row next to a sibling",
    tool: "move_row",
    arguments: { rowId: row("Sub-item"), siblingId: row("Design"), relativePosition: "after" },
    result: { ...written, message: "Moved 'Sub-item' under 'Project Tasks'", movedRow: { level: 1 } },
    after: [
      "Zero",
      "Project Tasks | the plan",
      "  [ ] Design",
      "  Sub-item",
      "  [x] Build",
      "  Task title | how & <why>",
      "Completed Tasks",
      "  Item 1",
      "Meeting Notes",
      "  Item zero",
      "  Item 2",
    ],
  },
  fails(
    "refuses to move a row into itself",
    "move_row",
    { rowId: row("Item 1"), newParentId: row("Item 1") },
    "invalid_params",
  ),
  fails(
    "refuses to move a row below itself",
    "move_row",
    { rowId: row("Project Tasks"), newParentId: row("Design") },
    "invalid_params",
  ),
  fails(
    "refuses a sibling with another parent",
    "move_row",
    { rowId: row("Zero"), newParentId: row("Meeting Notes"), siblingId: row("Design"), relativePosition: "before" },
    "invalid_params",
  ),
  fails("reports a row that does not exist", "move_row", { rowId: "no-such-row" }, "row_not_found"),
  fails("refuses a stale version", "move_row", { rowId: row("Zero"), expectedVersion: "stale" }, "conflict"),

  {
    it: "sets the leaves of a parent, and says so",
    tool: "update_row",
    arguments: { rowId: row("Meeting Notes"), state: "checked" },
    result: {
      ...written,
      message: "Updated row: set state to checked on the 2 leaf rows below it",
      updatedRow: { topic: "Meeting Notes", state: "checked" },
    },
    after: expect.arrayContaining(["  [x] Item zero", "  [x] Item 2"]) as unknown as string[],
  },
  {
    it: "resets the leaves of a parent",
    tool: "undo",
    result: {
      success: true,
      tool: "update_row",
      message: "Undid: Updated row 'Meeting Notes': set state to checked on the 2 leaf rows below it",
    },
    after: [
      "Zero",
      "Project Tasks | the plan",
      "  [ ] Design",
      "  Sub-item",
      "  [x] Build",
      "  Task title | how & <why>",
      "Completed Tasks",
      "  Item 1",
      "Meeting Notes",
      "  Item zero",
      "  Item 2",
    ],
  },

  {
    it: "previews a deletion, and deletes nothing without confirmation",
    tool: "delete_row",
    arguments: { rowId: row("Project Tasks"), confirmed: false },
    result: {
      success: false,
      requiresConfirmation: true,
      message: "This will delete 'Project Tasks' and 4 child rows. Set confirmed=true to proceed.",
      affectedRows: [
        { id: row("Project Tasks"), topic: "Project Tasks" },
        { topic: "Design" },
        { topic: "Sub-item" },
        { topic: "Build" },
        { topic: "Task title" },
      ],
    },
  },
  {
    it: "treats a missing confirmation as false",
    tool: "delete_row",
    arguments: { rowId: row("Completed Tasks") },
    result: {
      success: false,
      requiresConfirmation: true,
      message: "This will delete 'Completed Tasks' and 1 child row. Set confirmed=true to proceed.",
    },
  },
  {
    it: "does not mention children of a row without any",
    tool: "delete_row",
    arguments: { rowId: row("Zero") },
    result: { message: "This will delete 'Zero'. Set confirmed=true to proceed.", affectedRows: [{ topic: "Zero" }] },
  },
  {
    it: "deletes a row with its descendants, and mentions undo",
    tool: "delete_row",
    arguments: { rowId: row("Project Tasks"), confirmed: true },
    result: {
      ...written,
      message: "Deleted 'Project Tasks' and 4 child rows. Use the undo tool to bring them back.",
      deletedCount: 5,
    },
    inApp: { message: "Deleted 'Project Tasks' and 4 child rows. Use Cmd+Z in OmniOutliner to undo." },
    after: ["Zero", "Completed Tasks", "  Item 1", "Meeting Notes", "  Item zero", "  Item 2"],
  },
  {
    it: "deletes a single row",
    tool: "delete_row",
    arguments: { rowId: row("Zero"), confirmed: true },
    result: { ...written, message: "Deleted 'Zero'. Use the undo tool to bring it back.", deletedCount: 1 },
    inApp: { message: "Deleted 'Zero'. Use Cmd+Z in OmniOutliner to undo." },
    after: ["Completed Tasks", "  Item 1", "Meeting Notes", "  Item zero", "  Item 2"],
  },
  fails("reports a row that does not exist", "delete_row", { rowId: "no-such-row", confirmed: true }, "row_not_found"),
  fails(
    "does not preview a row that does not exist",
    "delete_row",
    { rowId: "no-such-row", confirmed: false },
    "row_not_found",
  ),
  fails(
    "refuses a stale version",
    "delete_row",
    { rowId: row("Item 2"), confirmed: true, expectedVersion: "stale" },
    "conflict",
  ),

  {
    it: "inserts a string as one row",
    tool: "insert_content",
    arguments: { content: "- one *row*", parentId: row("Meeting Notes"), position: "first" },
    result: {
      ...written,
      message: "Inserted 1 row under 'Meeting Notes'",
      insertedRows: [{ topic: "- one *row*", level: 1 }],
    },
    only: ["opml", "ooutline", "app"],
    after: ["Completed Tasks", "  Item 1", "Meeting Notes", "  - one *row*", "  Item zero", "  Item 2"],
  },
  {
    it: "undoes the newest change without an id",
    tool: "undo",
    only: ["opml", "ooutline", "app"],
    result: { success: true, tool: "insert_content", message: "Undid: Inserted 1 row under 'Meeting Notes'" },
    after: ["Completed Tasks", "  Item 1", "Meeting Notes", "  Item zero", "  Item 2"],
  },
  {
    it: "inserts a hierarchy in one step",
    tool: "insert_content",
    arguments: {
      content: [{ topic: "A", note: "of A", children: [{ topic: "A1", children: [] }, { topic: "A2" }] }],
      parentId: row("Meeting Notes"),
    },
    result: {
      ...written,
      message: "Inserted 3 rows under 'Meeting Notes'",
      insertedRows: [
        { topic: "A", note: "of A", level: 1, childIds: [id, id] },
        { topic: "A1", level: 2 },
        { topic: "A2", level: 2 },
      ],
    },
    after: [
      "Completed Tasks",
      "  Item 1",
      "Meeting Notes",
      "  Item zero",
      "  Item 2",
      "  A | of A",
      "    A1",
      "    A2",
    ],
  },
  {
    it: "inserts a hierarchy from Markdown",
    tool: "insert_content",
    arguments: { content: "- [x] B\n  - B1\n- C\n", format: "markdown", position: "first" },
    result: {
      ...written,
      message: "Inserted 3 rows at the top level",
      insertedRows: [
        { topic: "B", childIds: [id] },
        { topic: "B1", level: 1 },
        { topic: "C", level: 0 },
      ],
    },
    after: expect.toSatisfy((lines: string[]) => /B,  B1,C,Completed Tasks/.test(lines.join())) as unknown as string[],
  },
  {
    it: "inserts a hierarchy from OPML",
    tool: "insert_content",
    arguments: {
      content: '<opml version="2.0"><body><outline text="D" _note="of D"><outline text="D1"/></outline></body></opml>',
      format: "opml",
    },
    result: {
      ...written,
      message: "Inserted 2 rows at the top level",
      insertedRows: [{ topic: "D", note: "of D" }, { topic: "D1" }],
    },
    after: expect.arrayContaining(["D | of D", "  D1"]) as unknown as string[],
  },
  {
    it: "inserts a hierarchy from indented text",
    tool: "insert_content",
    arguments: { content: "E\n  E1\n", format: "text", parentId: row("D") },
    result: {
      ...written,
      message: "Inserted 2 rows under 'D'",
      insertedRows: [
        { topic: "E", level: 1 },
        { topic: "E1", level: 2 },
      ],
    },
    after: expect.arrayContaining(["D | of D", "  D1", "  E", "    E1"]) as unknown as string[],
  },
  fails("needs content", "insert_content", {}, "invalid_params", "content is required"),
  fails("refuses an empty list of rows", "insert_content", { content: [] }, "invalid_params"),
  fails(
    "names a row without a topic",
    "insert_content",
    { content: [{ topic: "x", children: [{}] }] },
    "invalid_params",
    "content[0].children[0].topic is required",
  ),
  fails(
    "refuses damaged OPML",
    "insert_content",
    { content: "<opml><body><outline", format: "opml" },
    "invalid_params",
  ),
  fails(
    "reports a parent that does not exist",
    "insert_content",
    { content: "x", parentId: "no-such-row" },
    "row_not_found",
  ),
  {
    it: "accepts an empty topic",
    tool: "add_row",
    arguments: { topic: "" },
    result: { ...written, message: "Added row '' at the top level", newRow: { topic: "" } },
    after: expect.toSatisfy((lines: string[]) => lines.at(-1) === "") as unknown as string[],
  },
  {
    it: "keeps a line break in a topic",
    tool: "add_row",
    arguments: { topic: "two\nlines" },
    only: ["opml", "ooutline", "app"],
    result: { ...written, message: "Added row 'two lines' at the top level", newRow: { topic: "two\nlines" } },
    after: expect.arrayContaining(["two\nlines"]) as unknown as string[],
  },
  {
    it: "can be undone, and not redone after another change",
    tool: "get_current_document",
    result: { document: { canUndo: true, canRedo: false } },
  },
];
