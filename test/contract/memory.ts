// The memory family of the vault contract, call by call. Ids that are made are
// found again by name.
import { expect } from "vitest";
import type { ContractCase, ContractTable } from "./contract.ts";
import { CONTEXT, CONTEXT_SCHEMA, CONTEXT_SENTENCE } from "./vault.ts";

const STRING = { type: "string" } as const;
const STRINGS = { type: "array", items: STRING } as const;

const createSession = "memoryManager_createSession";
const listSessions = "memoryManager_listSessions";
const loadSession = "memoryManager_loadSession";
const updateSession = "memoryManager_updateSession";
const createWorkspace = "memoryManager_createWorkspace";
const listWorkspaces = "memoryManager_listWorkspaces";
const loadWorkspace = "memoryManager_loadWorkspace";
const updateWorkspace = "memoryManager_updateWorkspace";
const createState = "memoryManager_createState";
const listStates = "memoryManager_listStates";
const loadState = "memoryManager_loadState";
const updateState = "memoryManager_updateState";
const searchMemory = "vaultLibrarian_searchMemory";

const context = { ...CONTEXT, workspaceId: "default" };

const succeeds = (it: string, tool: string, sent: object, result: object): ContractCase => ({
  it,
  tool,
  arguments: { context, ...sent },
  result: { success: true, ...result },
});

const fails = (it: string, tool: string, sent: object, error: string): ContractCase => ({
  it,
  tool,
  arguments: { context, ...sent },
  isError: true,
  result: { success: false, error },
});

const now = expect.closeTo(Date.now(), -7);
/** As in all results outside of the six tools of the vault contract. */
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const STATE = {
  name: "Half way",
  conversationContext: "We wrote the first letters",
  activeTask: "Letters",
  activeFiles: ["Letters/One.md"],
  nextSteps: ["Write the second"],
  reasoning: "Lunch",
};
const WORKSPACE = { name: "Letters", rootFolder: "Letters", purpose: "Write letters", currentGoal: "Ten of them" };

export const MEMORY: ContractTable = {
  tools: {
    [createSession]: {
      required: ["name", "context"],
      parameters: {
        name: STRING,
        description: STRING,
        sessionGoal: STRING,
        generateContextTrace: { type: "boolean", default: true },
        workspaceContext: { type: "object" },
        context: CONTEXT_SCHEMA,
      },
    },
    [listSessions]: {
      required: [],
      parameters: {
        limit: { type: "integer" },
        order: STRING,
        workspaceId: STRING,
        tags: STRINGS,
      },
    },
    [loadSession]: {
      required: [],
      parameters: { targetSessionId: STRING },
    },
    [updateSession]: {
      required: ["targetSessionId"],
      parameters: {
        targetSessionId: STRING,
        name: STRING,
        description: STRING,
        sessionGoal: STRING,
        isActive: { type: "boolean" },
        addTags: STRINGS,
        removeTags: STRINGS,
      },
    },
    [createWorkspace]: {
      required: ["name", "rootFolder", "purpose", "currentGoal"],
      parameters: { workflows: { type: "array" }, keyFiles: STRINGS, preferences: STRING, description: STRING },
    },
    [listWorkspaces]: { required: [], parameters: {} },
    [loadWorkspace]: { required: ["id"], parameters: { id: STRING } },
    [updateWorkspace]: {
      required: ["workspaceId", "fieldPath", "newValue"],
      parameters: { workspaceId: STRING, fieldPath: STRING },
    },
    [createState]: {
      required: ["name", "conversationContext", "activeTask", "activeFiles", "nextSteps", "reasoning"],
      parameters: { activeFiles: STRINGS, nextSteps: STRINGS, tags: STRINGS },
    },
    [listStates]: { required: [], parameters: {} },
    [loadState]: {
      required: ["stateId"],
      parameters: { stateId: STRING, continueExistingSession: { type: "boolean" } },
    },
    [updateState]: { required: ["stateId"], parameters: { stateId: STRING } },
    [searchMemory]: {
      required: ["query"],
      parameters: {
        query: STRING,
        workspaceId: STRING,
        memoryTypes: { type: "array" },
        dateRange: { type: "object" },
        sessionId: STRING,
        limit: { type: "integer" },
      },
    },
  },
  cases: [
    succeeds(
      "begins a session in the workspace of the call",
      createSession,
      { name: "First letters", description: "To friends", sessionGoal: "Ten letters" },
      {
        data: {
          sessionId: expect.stringMatching(/^session_\d{13}_[0-9a-z]{9}$/),
          name: "First letters",
          workspaceId: "default",
          createdAt: now,
        },
        workspaceContext: { workspaceId: "default", workspacePath: ["default"], activeWorkspace: true },
      },
    ),
    succeeds(
      "begins a session in the workspace that it is bound to",
      createSession,
      { name: "Bound", workspaceContext: { workspaceId: "ws_1731004150000_bound" } },
      {
        data: { workspaceId: "ws_1731004150000_bound" },
        workspaceContext: { workspaceId: "ws_1731004150000_bound" },
      },
    ),
    succeeds(
      "begins a session in the default workspace where there is none",
      createSession,
      { name: "Unbound", context: { ...context, workspaceId: "" } },
      { data: { workspaceId: "default" } },
    ),
    fails("needs a name", createSession, {}, "Name is required"),
    fails("needs a name that is not empty", createSession, { name: " " }, "Name is required"),
    {
      it: "requires the context, and names its fields",
      tool: createSession,
      arguments: { name: "x" },
      isError: true,
      result: { success: false, error: CONTEXT_SENTENCE },
    },

    succeeds(
      "lists the recent sessions without an id",
      loadSession,
      {},
      {
        data: { sessions: expect.arrayContaining([expect.objectContaining({ name: "First letters" })]) },
      },
    ),
    succeeds(
      "lists sessions of a workspace",
      listSessions,
      { workspaceId: "ws_1731004150000_bound" },
      {
        data: { sessions: [{ name: "Bound", workspaceId: "ws_1731004150000_bound" }], totalSessions: 1 },
      },
    ),
    succeeds(
      "returns what is known of a session",
      loadSession,
      { targetSessionId: "First letters" },
      {
        data: {
          session: { name: "First letters", description: "To friends", goal: "Ten letters", isActive: true },
          done: [{ tool: createSession, why: CONTEXT.toolContext, when: TIME }],
          filesTouched: [],
          openEnds: expect.any(Array),
        },
      },
    ),
    succeeds(
      "begins a session that goes on with another",
      loadSession,
      { targetSessionId: "First letters", createContinuationSession: true },
      { data: { continuation: { sessionId: expect.stringMatching(/^session_/), name: "First letters (continued)" } } },
    ),
    fails("does not find what is not there", loadSession, { targetSessionId: "none" }, "Session not found: none"),
    succeeds(
      "changes only what is sent",
      updateSession,
      { targetSessionId: "First letters", sessionGoal: "Twenty letters", isActive: false, addTags: ["post"] },
      { data: { session: { name: "First letters", goal: "Twenty letters", isActive: false, tags: ["post"] } } },
    ),
    succeeds(
      "lists sessions by tag",
      listSessions,
      { tags: ["post"] },
      {
        data: { sessions: [{ name: "First letters" }], totalSessions: 1 },
      },
    ),
    fails(
      "does not find what is not there",
      updateSession,
      { targetSessionId: "none", name: "x" },
      "Session not found: none",
    ),

    succeeds("makes a workspace and its folder", createWorkspace, WORKSPACE, {
      data: {
        workspaceId: expect.stringMatching(/^ws_\d{13}_[0-9a-z]{9}$/),
        workspace: { name: "Letters", rootFolder: "Letters", purpose: "Write letters", currentGoal: "Ten of them" },
      },
      workspaceContext: { workspacePath: ["Letters"], activeWorkspace: true },
    }),
    {
      it: "finds the folder of the workspace",
      tool: "vaultManager_listDirectory",
      arguments: { path: "Letters", context },
      result: { success: true, data: { files: 0 } },
    },
    fails(
      "is refused outside of the vault",
      createWorkspace,
      { ...WORKSPACE, rootFolder: "../x" },
      "Path cannot contain '..'",
    ),
    fails(
      "is refused in system folders",
      createWorkspace,
      { ...WORKSPACE, rootFolder: ".obsidian/x" },
      "Cannot access system folder",
    ),
    fails("is refused where no path is", createWorkspace, { ...WORKSPACE, rootFolder: "C:\\x" }, "Invalid path: C:\\x"),
    fails("needs a name", createWorkspace, { ...WORKSPACE, name: undefined }, "Name is required"),
    fails("needs a folder", createWorkspace, { ...WORKSPACE, rootFolder: undefined }, "Path is required"),
    succeeds(
      "lists workspaces",
      listWorkspaces,
      {},
      {
        data: { workspaces: expect.arrayContaining([expect.objectContaining({ name: "Letters" })]) },
      },
    ),
    succeeds(
      "returns a workspace by its name",
      loadWorkspace,
      { id: "letters" },
      {
        data: {
          workspace: { name: "Letters", purpose: "Write letters" },
          keyFiles: [],
          recentFiles: [],
          sessions: [],
          states: [],
        },
        workspaceContext: { workspacePath: ["Letters"] },
      },
    ),
    fails("does not find what is not there", loadWorkspace, { id: "none" }, "Workspace not found: none"),
    succeeds(
      "changes a field",
      updateWorkspace,
      { workspaceId: "Letters", fieldPath: "currentGoal", newValue: "Twenty of them" },
      { data: { field: "currentGoal", workspace: { currentGoal: "Twenty of them" } } },
    ),
    fails(
      "changes known fields only",
      updateWorkspace,
      { workspaceId: "Letters", fieldPath: "sessions", newValue: [] },
      "Unknown field: sessions",
    ),
    fails("needs a value", updateWorkspace, { workspaceId: "Letters", fieldPath: "name" }, "newValue is required"),

    {
      it: "creates a note to be remembered",
      tool: "contentManager_createContent",
      arguments: { filePath: "Letters/One.md", content: "Dear", context },
      result: { success: true },
    },
    succeeds(
      "saves a state",
      createState,
      { ...STATE, tags: ["post"] },
      {
        data: {
          stateId: expect.stringMatching(/^state_\d{13}_[0-9a-z]{9}$/),
          state: { name: "Half way", created: TIME },
        },
      },
    ),
    fails(
      "refuses a file outside of the vault",
      createState,
      { ...STATE, activeFiles: ["../x"] },
      "Path cannot contain '..'",
    ),
    fails("needs a name", createState, { ...STATE, name: undefined }, "Name is required"),
    succeeds(
      "returns a state, and that nothing has changed",
      loadState,
      { stateId: "Half way" },
      {
        data: {
          state: { ...STATE, activeFiles: [{ path: "Letters/One.md", since: "unchanged" }], tags: ["post"] },
          changedFiles: [],
          sessionId: CONTEXT.sessionId,
        },
      },
    ),
    {
      it: "changes the note",
      tool: "contentManager_appendContent",
      arguments: { filePath: "Letters/One.md", content: "Ann", context },
      result: { success: true },
    },
    succeeds(
      "says which files have changed since",
      loadState,
      { stateId: "Half way" },
      { data: { changedFiles: ["Letters/One.md"] } },
    ),
    succeeds(
      "begins a new session where the old one is not to be continued",
      loadState,
      { stateId: "Half way", continueExistingSession: false },
      { data: { sessionId: expect.not.stringMatching(CONTEXT.sessionId) } },
    ),
    fails("does not find what is not there", loadState, { stateId: "none" }, "State not found: none"),
    succeeds(
      "lists states by session and tag",
      listStates,
      { targetSessionId: CONTEXT.sessionId, tags: ["post"] },
      {
        data: { states: [{ name: "Half way" }], totalStates: 1 },
      },
    ),
    succeeds(
      "renames a state",
      updateState,
      { stateId: "Half way", name: "Further" },
      { data: { state: { name: "Further" } } },
    ),

    succeeds(
      "finds a state by its words",
      searchMemory,
      { query: "lunch", memoryTypes: ["states"] },
      {
        query: "lunch",
        results: [
          { type: "state", title: "Further", content: expect.stringContaining("Lunch"), score: expect.any(Number) },
        ],
        totalResults: 1,
      },
    ),
    succeeds(
      "finds a trace in its session",
      searchMemory,
      { query: '"Letters/One.md"', memoryTypes: ["traces"], sessionId: CONTEXT.sessionId },
      {
        results: expect.arrayContaining([
          expect.objectContaining({ type: "trace", title: "contentManager_appendContent" }),
        ]),
      },
    ),
    succeeds(
      "searches only the requested days",
      searchMemory,
      { query: "lunch", dateRange: { end: "2020-01-01" } },
      {
        results: [],
        totalResults: 0,
        message: "No results found for query: lunch",
      },
    ),
    succeeds(
      "searches only the requested folders",
      searchMemory,
      { query: "lunch", workspaceId: "elsewhere" },
      { totalResults: 0 },
    ),
    fails("needs a query", searchMemory, {}, "Query parameter is required and cannot be empty"),
    fails(
      "has a limit of 100",
      searchMemory,
      { query: "x", limit: 101 },
      "Invalid search limit: must be between 1 and 100",
    ),
    fails(
      "needs dates that are some",
      searchMemory,
      { query: "x", dateRange: { start: "soon" } },
      "dateRange.start must be a date, such as 2026-01-31",
    ),
  ],
};
