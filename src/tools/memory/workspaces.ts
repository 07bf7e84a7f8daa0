// Tools for workspaces: memoryManager_createWorkspace, _listWorkspaces,
// _loadWorkspace and _updateWorkspace.
import type { SessionSummary, StateSummary, Value, WorkspaceSummary } from "../../memory/memory.ts";
import {
  anything,
  integer,
  list,
  optional,
  record,
  text,
  withDefault,
  result,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { dataOutput, noteOutput } from "../vault/fields.ts";
import { LISTED, NAME, OWN } from "./fields.ts";
import { withTimes, type Timed } from "./times.ts";

const WORKSPACE = { workspace: resultObject<Timed<WorkspaceSummary>>() };

export const createWorkspace = defineTool({
  ...OWN,
  name: "memoryManager_createWorkspace",
  title: "Create a workspace",
  description: "Create a workspace: a folder of the vault with a purpose and a goal. A missing folder is made.",
  byDefault: false,
  effects: ADDS,
  input: {
    name: NAME,
    rootFolder: text("Folder in the vault", { missing: "Path is required", notEmpty: true }),
    purpose: text(),
    currentGoal: text(),
    workflows: optional(list(record("{name, when, steps}"))),
    keyFiles: optional(list(text())),
    preferences: optional(text("How the user wants things done")),
    description: optional(text()),
    ...OPTIONAL_CONTEXT,
  },
  output: noteOutput({ workspaceId: text(), ...WORKSPACE }),
  touches: ({ rootFolder }) => [rootFolder],
  about: ({ name }) => name,
  run: async ({ context: _, workflows, ...sent }, { services, author }) => {
    const { createWorkspace } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    const workspace = await createWorkspace(memory, author, { ...sent, workflows: workflows as Value[] | undefined });
    const workspaceContext = await memory.workspaceContext(workspace.id);
    return { success: true, data: { workspaceId: workspace.id, workspace: withTimes(workspace) }, workspaceContext };
  },
});

export const listWorkspaces = defineTool({
  ...OWN,
  name: "memoryManager_listWorkspaces",
  title: "List workspaces",
  description: "List workspaces, the one used last first.",
  byDefault: false,
  effects: READS,
  pages: "data.workspaces",
  input: { ...LISTED, ...OPTIONAL_CONTEXT },
  output: dataOutput({ workspaces: list(WORKSPACE.workspace), totalWorkspaces: integer() }),
  run: async ({ limit, order }, { services }) => {
    const { listWorkspaces } = await import("../../memory/memory.ts");
    const { workspaces, total } = await listWorkspaces(await services.memory(), { limit, order });
    return { success: true, data: { workspaces: withTimes(workspaces), totalWorkspaces: total } };
  },
});

/** Tokens of the fields around a briefing. */
const FRAME = 150;

export const loadWorkspace = defineTool({
  ...OWN,
  name: "memoryManager_loadWorkspace",
  title: "Continue in a workspace",
  description: "Load (switch to) a workspace: purpose, goal, key files, recent files, last sessions and states.",
  byDefault: false,
  effects: READS,
  input: {
    id: text("Id or name", { notEmpty: true, sample: "default" }),
    maxTokens: withDefault(integer("Length of the answer", { minimum: 500, maximum: 9000 }), 2000),
    ...OPTIONAL_CONTEXT,
  },
  output: noteOutput({
    ...WORKSPACE,
    workflows: unlisted(list(result<unknown>({}))),
    keyFiles: unlisted(list(text())),
    preferences: unlisted(text()),
    recentFiles: unlisted(list(text())),
    sessions: unlisted(list(resultObject<Timed<SessionSummary>>())),
    states: unlisted(list(resultObject<Timed<StateSummary>>())),
  }),
  about: ({ id }) => id,
  run: async ({ id, maxTokens }, { services }) => {
    const { loadWorkspace } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    const data = await loadWorkspace(memory, id, maxTokens - FRAME);
    return { success: true, data: withTimes(data), workspaceContext: await memory.workspaceContext(data.workspace.id) };
  },
});

export const updateWorkspace = defineTool({
  ...OWN,
  name: "memoryManager_updateWorkspace",
  title: "Change a workspace",
  description:
    "Change one field of a workspace: name, description, rootFolder, purpose, currentGoal, workflows, keyFiles, preferences or isActive.",
  byDefault: false,
  effects: { ...ADDS, idempotent: true },
  returnsForeignText: true,
  input: {
    workspaceId: text("Id or name", { notEmpty: true }),
    fieldPath: text("Field, or a part of one: workflows.0.steps", { notEmpty: true, sample: "currentGoal" }),
    newValue: anything("What it shall be; a list or true/false as JSON"),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ field: text(), ...WORKSPACE }),
  about: ({ workspaceId }) => workspaceId,
  run: async ({ workspaceId, fieldPath, newValue }, { services, author }) => {
    const { updateWorkspace } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    const { field, ...workspace } = await updateWorkspace(memory, author, workspaceId, fieldPath, newValue);
    return { success: true, data: { field, workspace: withTimes(workspace) } };
  },
});
