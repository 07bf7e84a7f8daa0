// The cases of the outline contract that delete rows and insert content. They run
// in order, as the last.
import { expect } from "vitest";
import { fails, id, type OutlineCase, row, written } from "./outline-case.ts";

export const INSERTION_CASES: readonly OutlineCase[] = [
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
  {
    it: "makes a list of a text of several list items",
    tool: "insert_content",
    arguments: { content: "- F\n  1. F1\n     its note\n- G\n" },
    result: {
      ...written,
      message: "Inserted 3 rows at the top level",
      insertedRows: [
        { topic: "F", level: 0 },
        { topic: "F1", note: "its note", level: 1 },
        { topic: "G", level: 0 },
      ],
    },
    after: expect.arrayContaining(["F", "  F1 | its note", "G"]) as unknown as string[],
  },
  {
    it: "takes a JSON array that comes as a string",
    tool: "insert_content",
    arguments: { content: ' [{"topic": "H", "children": [{"topic": "H1"}]}, "- I"]' },
    result: { ...written, insertedRows: [{ topic: "H" }, { topic: "H1", level: 1 }, { topic: "- I", level: 0 }] },
    after: expect.arrayContaining(["H", "  H1", "- I"]) as unknown as string[],
  },
  {
    it: "makes one row of another text, and says how to make several",
    tool: "insert_content",
    arguments: { content: "To buy:\nmilk" },
    only: ["opml", "ooutline", "app"],
    result: {
      ...written,
      insertedRows: [{ topic: "To buy:\nmilk" }],
      hint: 'A text is one row. For a row of each line: undo, then send format: "text".',
    },
    after: expect.arrayContaining(["To buy:\nmilk"]) as unknown as string[],
  },
  {
    it: "is undone, to be sent again with a format",
    tool: "undo",
    only: ["opml", "ooutline", "app"],
    result: { success: true, tool: "insert_content" },
    after: expect.not.arrayContaining(["To buy:\nmilk"]) as unknown as string[],
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
