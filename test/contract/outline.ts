// The outline contract, call by call. The cases run in order, on one document in
// each format; a case refers to a row by its topic.
import type { JsonSchema } from "../../src/tools/definition/field.ts";
import type { ContractTable } from "./contract.ts";
import type { OutlineCase } from "./outline-case.ts";
import { CHANGE_CASES } from "./outline-changes.ts";
import { INSERTION_CASES } from "./outline-insertions.ts";
import { READING_CASES } from "./outline-reading.ts";

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

export const OUTLINE_CASES: readonly OutlineCase[] = [...READING_CASES, ...CHANGE_CASES, ...INSERTION_CASES];
