// The vault contract, call by call. The rows run in order, in one vault.
import { expect } from "vitest";
import type { ContractCase, ContractTable } from "./contract.ts";

export const CONTEXT = {
  sessionId: "session_1731004200001_h5k2n7m3p",
  workspaceId: "ws_1731004150000_creative_prime_xyz",
  sessionDescription: "Checking the contract",
  sessionMemory: "Nothing yet",
  toolContext: "To see what it answers",
  primaryGoal: "A server that keeps its word",
  subgoal: "This row",
};

const STRING = { type: "string" } as const;
export const CONTEXT_SCHEMA = {
  type: "object",
  properties: Object.fromEntries(Object.keys(CONTEXT).map((name) => [name, STRING])),
  required: Object.keys(CONTEXT),
} as const;
export const CONTEXT_SENTENCE =
  "Context is required: an object with the strings sessionId, workspaceId, sessionDescription, sessionMemory, toolContext, primaryGoal, subgoal";

const create = "contentManager_createContent";
const append = "contentManager_appendContent";
const createFolder = "vaultManager_createFolder";
const moveNote = "vaultManager_moveNote";
const search = "vaultLibrarian_searchContent";

const succeeds = (it: string, tool: string, sent: object, result: object): ContractCase => ({
  it,
  tool,
  arguments: { ...sent, context: CONTEXT },
  result: { success: true, ...result },
});

const fails = (it: string, tool: string, sent: object, error: string): ContractCase => ({
  it,
  tool,
  arguments: { ...sent, context: CONTEXT },
  isError: true,
  result: { success: false, error },
});

const workspaceContext = {
  workspaceId: CONTEXT.workspaceId,
  workspacePath: expect.any(Array),
  activeWorkspace: expect.any(Boolean),
};

export const VAULT: ContractTable = {
  tools: {
    [append]: {
      required: ["filePath", "content", "context"],
      parameters: { filePath: STRING, content: STRING, context: CONTEXT_SCHEMA },
    },
    [create]: {
      required: ["filePath", "content", "context"],
      parameters: { filePath: STRING, content: STRING, context: CONTEXT_SCHEMA },
    },
    [createFolder]: { required: ["path", "context"], parameters: { path: STRING, context: CONTEXT_SCHEMA } },
    [search]: {
      required: ["query", "context"],
      parameters: {
        query: STRING,
        limit: { type: "integer", default: 10 },
        includeContent: { type: "boolean", default: true },
        snippetLength: { type: "integer", default: 200 },
        paths: { type: "array", items: STRING },
        context: CONTEXT_SCHEMA,
      },
    },
    [moveNote]: {
      required: ["path", "newPath", "context"],
      parameters: { path: STRING, newPath: STRING, overwrite: { type: "boolean" }, context: CONTEXT_SCHEMA },
    },
  },
  cases: [
    succeeds(
      "creates a note, and says when",
      create,
      { filePath: "Projects/Plan.md", content: "# Plan" },
      {
        data: { filePath: "Projects/Plan.md", created: expect.closeTo(Date.now(), -7) },
        workspaceContext,
      },
    ),
    succeeds(
      "adds .md to a path without an extension, and drops one leading slash",
      create,
      { filePath: "/Projects/v1.2 plan", content: "x" },
      {
        data: { filePath: "Projects/v1.2 plan.md" },
      },
    ),
    succeeds(
      "takes an empty content for content",
      create,
      { filePath: "Empty.md", content: "" },
      { data: { filePath: "Empty.md" } },
    ),
    fails(
      "does not overwrite",
      create,
      { filePath: "Projects/Plan", content: "other" },
      "File already exists: Projects/Plan",
    ),
    fails("needs a path", create, { content: "x" }, "File path is required"),
    fails("needs a content", create, { filePath: "x.md" }, "Content is required"),
    {
      it: "checks its own arguments before the context",
      tool: create,
      arguments: {},
      isError: true,
      result: { success: false, error: "File path is required" },
    },
    {
      it: "requires the context, and names its fields",
      tool: create,
      arguments: { filePath: "x.md", content: "x" },
      isError: true,
      result: { success: false, error: CONTEXT_SENTENCE },
    },
    {
      it: "requires every field of the context, as a string",
      tool: create,
      arguments: { filePath: "x.md", content: "x", context: { ...CONTEXT, subgoal: 5 } },
      isError: true,
      result: { success: false, error: `${CONTEXT_SENTENCE} (context.subgoal must be a string)` },
    },
    {
      it: "accepts any text as an id",
      tool: create,
      arguments: {
        filePath: "Any id.md",
        content: "x",
        context: { ...CONTEXT, sessionId: "default", workspaceId: "default" },
      },
      result: { success: true, workspaceContext: { workspaceId: "default" } },
    },
    fails(
      "refuses to leave the vault",
      create,
      { filePath: "../outside.md", content: "x" },
      "Path cannot contain '..'",
    ),
    fails(
      "refuses system folders",
      create,
      { filePath: ".obsidian/app.json", content: "{}" },
      "Cannot access system folder",
    ),
    fails("refuses a path that is none", create, { filePath: "a\\b.md", content: "x" }, "Invalid path: a\\b.md"),
    fails("refuses a path on a drive", create, { filePath: "c:x.md", content: "x" }, "Invalid path: c:x.md"),
    fails("makes nothing that Windows reserves", create, { filePath: "CON", content: "x" }, "Invalid path: CON"),

    succeeds(
      "appends on a new line, and returns the lengths",
      append,
      { filePath: "Projects/Plan.md", content: "Step ä" },
      {
        data: { filePath: "Projects/Plan.md", appendedLength: 6, totalLength: 13 },
        workspaceContext,
      },
    ),
    succeeds(
      "takes an empty content for content",
      append,
      { filePath: "Empty.md", content: "" },
      {
        data: { filePath: "Empty.md", appendedLength: 0, totalLength: 0 },
      },
    ),
    succeeds(
      "creates the note of a day, before it asks whether a colon may be in a path",
      append,
      { filePath: "daily:2026-11-15", content: "x" },
      { data: { filePath: "2026-11-15.md", appendedLength: 1, totalLength: 1 } },
    ),
    fails(
      "knows the days of the calendar",
      append,
      { filePath: "daily:2026-02-30", content: "x" },
      "Invalid path: daily:2026-02-30",
    ),
    succeeds(
      "creates the note of a month",
      create,
      { filePath: "monthly:2026-11", content: "x" },
      { data: { filePath: "2026-11.md" } },
    ),
    succeeds(
      "takes a text with variables as it is",
      create,
      { filePath: "Projects/Template.md", content: "{{title}} {{who}}, {{where}}" },
      { data: { filePath: "Projects/Template.md" } },
    ),
    succeeds(
      "fills a template, and names what is not filled",
      create,
      { filePath: "Projects/New", content: "x", template: "Projects/Template", values: { who: "Ann" } },
      { data: { filePath: "Projects/New.md", unfilled: ["where"] } },
    ),
    succeeds(
      "appends to what the template began",
      append,
      { filePath: "Projects/New", content: "" },
      { data: { filePath: "Projects/New.md", totalLength: "New Ann, {{where}}\nx".length } },
    ),
    fails(
      "refuses a template that is missing",
      create,
      { filePath: "Projects/Newer", content: "x", template: "Projects/Gone" },
      "Template not found: Projects/Gone",
    ),
    fails("does not create", append, { filePath: "Nowhere.md", content: "x" }, "File not found: Nowhere.md"),
    fails("needs a path", append, { content: "x" }, "File path is required"),
    fails("needs a content", append, { filePath: "Empty.md" }, "Content is required"),
    fails("refuses to leave the vault", append, { filePath: "a/../../b.md", content: "x" }, "Path cannot contain '..'"),

    succeeds(
      "creates a folder with its parents",
      createFolder,
      { path: "Areas/Health/2026" },
      { data: { path: "Areas/Health/2026", existed: false } },
    ),
    succeeds(
      "says that it existed",
      createFolder,
      { path: "/Areas/Health" },
      { data: { path: "Areas/Health", existed: true } },
    ),
    fails("needs a path", createFolder, {}, "Path is required"),
    fails("refuses system folders", createFolder, { path: ".trash/x" }, "Cannot access system folder"),

    succeeds(
      "creates a note that links",
      create,
      { filePath: "Index.md", content: "See [[Plan]] and [the plan](Projects/Plan.md)." },
      {},
    ),
    succeeds(
      "moves a note, and says which links it rewrote",
      moveNote,
      { path: "Projects/Plan.md", newPath: "Archive/Old plan.md" },
      {
        path: "Projects/Plan.md",
        newPath: "Archive/Old plan.md",
        recommendations: [{ type: "link_update", message: expect.stringContaining("Index.md") }],
      },
    ),
    fails(
      "does not find what is not there",
      moveNote,
      { path: "Projects/Plan.md", newPath: "x.md" },
      "Note not found at path: Projects/Plan.md",
    ),
    fails(
      "does not overwrite unless requested",
      moveNote,
      { path: "Empty.md", newPath: "Index.md" },
      "Cannot overwrite existing file",
    ),
    succeeds(
      "overwrites on request",
      moveNote,
      { path: "Empty.md", newPath: "Any id.md", overwrite: true },
      { newPath: "Any id.md", recommendations: expect.any(Array) },
    ),
    {
      ...fails("keeps the fields of a move that failed", moveNote, { path: "No.md", newPath: "No/x.md" }, ""),
      result: {
        success: false,
        error: "Note not found at path: No.md",
        path: "No.md",
        newPath: "No/x.md",
        recommendations: [],
      },
    },
    fails("needs a path", moveNote, { newPath: "x.md" }, "Path is required"),
    fails("needs a path that is not blank", moveNote, { path: " ", newPath: "x.md" }, "Path is required"),
    fails("needs a new path that is not empty", moveNote, { path: "Index.md", newPath: "" }, "Path is required"),
    fails("needs a new path", moveNote, { path: "Index.md" }, "Path is required"),
    fails(
      "refuses a target outside of the vault",
      moveNote,
      { path: "Index.md", newPath: "../x.md" },
      "Path cannot contain '..'",
    ),

    succeeds(
      "creates a note to be found",
      create,
      {
        filePath: "Garden/Beans.md",
        content: "---\nstatus: open\n---\n# Runner beans\n\nSow them in late spring, #garden.\n",
      },
      {},
    ),
    succeeds(
      "finds a note by its words, at once",
      search,
      { query: "late spring" },
      {
        query: "late spring",
        results: [
          {
            filePath: "Garden/Beans.md",
            title: "Runner beans",
            content: expect.stringContaining("late spring"),
            score: expect.toSatisfy((score: number) => score > 0 && score <= 1),
            searchMethod: "keyword",
            frontmatter: { status: "open" },
            metadata: { fileExtension: "md", parentFolder: "Garden", modifiedTime: expect.any(Number) },
          },
        ],
        totalResults: 1,
        executionTime: expect.any(Number),
      },
    ),
    succeeds(
      "finds by tag and property, without the content where it is not wanted",
      search,
      { query: "tag:#garden prop:status=open", includeContent: false },
      {
        results: [expect.objectContaining({ content: "" })],
        totalResults: 1,
      },
    ),
    succeeds(
      "searches only the requested folders",
      search,
      { query: "beans", paths: ["Archive"] },
      { results: [], totalResults: 0 },
    ),
    succeeds(
      "says so where there is nothing",
      search,
      { query: "xylophone" },
      {
        results: [],
        totalResults: 0,
        message: "No results found for query: xylophone",
      },
    ),
    succeeds("takes any input for a query", search, { query: '"-(" OR * : tag: ^' }, { results: expect.any(Array) }),
    succeeds("takes any length of a snippet", search, { query: "beans", snippetLength: 0 }, { totalResults: 1 }),
    succeeds("takes a very long snippet", search, { query: "beans", snippetLength: 30_000 }, { totalResults: 1 }),
    ...["", ".", "/"].map((root) =>
      succeeds(`takes "${root}" for the whole vault`, search, { query: "beans", paths: [root] }, { totalResults: 1 }),
    ),
    fails("needs a query", search, {}, "Query parameter is required and cannot be empty"),
    fails("needs a query that is not empty", search, { query: " " }, "Query parameter is required and cannot be empty"),
    fails(
      "has a limit of 100",
      search,
      { query: "beans", limit: 101 },
      "Invalid search limit: must be between 1 and 100",
    ),
    fails(
      "has a limit of at least 1",
      search,
      { query: "beans", limit: 0 },
      "Invalid search limit: must be between 1 and 100",
    ),
  ],
};
