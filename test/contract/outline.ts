// The outline contract, call by call. The cases run in order, on one document in
// each format; a case refers to a row by its topic.
import { expect } from "vitest";
import type { JsonSchema } from "../../src/tools/definition/field.ts";
import type { ContractTable } from "./contract.ts";
import type { OutlineCase } from "./outline-case.ts";
import { CHANGE_CASES } from "./outline-changes.ts";
import { INSERTION_CASES } from "./outline-insertions.ts";
import { READING_CASES } from "./outline-reading.ts";

const STRING = { type: "string" } as const;
/** The contract's meaning, in fewer words; a description that only repeats the name is left out. */
const described = (meaning: RegExp): JsonSchema => ({ type: "string", description: expect.stringMatching(meaning) });
const among = (values: readonly string[], more: JsonSchema = {}): JsonSchema => ({ ...STRING, enum: values, ...more });

const tools: ContractTable["tools"] = {
  get_current_document: { required: [], parameters: {} },
  get_outline_structure: {
    required: [],
    parameters: {
      maxDepth: { type: "integer", minimum: 0, description: expect.stringMatching(/0.*top-level.*only/) },
      includeNotes: { type: "boolean", default: true },
    },
  },
  get_row: {
    required: ["rowId"],
    parameters: {
      rowId: STRING,
      includeChildren: { type: "boolean", default: false },
    },
  },
  search_outline: {
    required: ["query"],
    parameters: {
      query: { type: "string", minLength: 1 },
      searchIn: among(["all", "topics", "notes"], { default: "all" }),
      caseSensitive: { type: "boolean", default: false },
      maxResults: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 50,
      },
    },
  },
  get_row_children: {
    required: [],
    parameters: { rowId: described(/omit.*top-level rows/i) },
  },
  add_row: {
    required: ["topic"],
    parameters: {
      topic: STRING,
      note: STRING,
      parentId: described(/omit.*top level/i),
      position: among(["first", "last"], { default: "last" }),
      siblingId: STRING,
      relativePosition: among(["before", "after"]),
    },
  },
  update_row: {
    required: ["rowId"],
    parameters: {
      rowId: STRING,
      topic: described(/omit to keep/i),
      note: described(/omit to keep.*empty.*clear/i),
      state: among(["checked", "unchecked", "none"]),
    },
  },
  move_row: {
    required: ["rowId"],
    parameters: {
      rowId: STRING,
      newParentId: described(/omit.*top level/i),
      position: among(["first", "last"], { default: "last" }),
      siblingId: STRING,
      relativePosition: among(["before", "after"]),
    },
  },
  delete_row: {
    required: ["rowId", "confirmed"],
    parameters: {
      rowId: STRING,
      confirmed: { type: "boolean" },
    },
  },
  get_section_content: {
    required: [],
    parameters: {
      rowId: described(/omit.*document/i),
      format: among(["plain", "markdown", "structured"], { default: "structured" }),
    },
  },
  insert_content: {
    required: ["content"],
    parameters: {
      content: {
        oneOf: [
          STRING,
          {
            type: "array",
            items: {
              type: "object",
              properties: { topic: STRING, note: STRING, children: { type: "array" } },
              required: ["topic"],
            },
          },
        ],
      },
      parentId: described(/omit.*top level/i),
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
