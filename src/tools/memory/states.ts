// Tools for states: memoryManager_createState, _listStates, _loadState and
// _updateState.
import type { LoadedState, StateSummary } from "../../memory/memory.ts";
import { flag, integer, list, optional, text, withDefault, resultObject } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { dataOutput } from "../vault/fields.ts";
import { LISTED, NAME, OWN, TAGS } from "./fields.ts";
import { withTimes, type Timed } from "./times.ts";

/** The session and workspace of calls without a context. */
const DEFAULT = "default";

interface SavedState extends Pick<LoadedState, "name" | "sessionId" | "workspaceId" | "created"> {
  /** Active files that do not exist in the vault. */
  readonly missingFiles?: readonly string[];
}

export const createState = defineTool({
  ...OWN,
  name: "memoryManager_createState",
  title: "Save a state",
  description:
    "Save the state of the work, a checkpoint (snapshot, bookmark) of what we are doing: take one to leave, come back to this point and go on later. Task, files, next steps.",
  byDefault: false,
  effects: ADDS,
  input: {
    name: NAME,
    conversationContext: text(""),
    activeTask: text(),
    activeFiles: list(text()),
    nextSteps: list(text()),
    reasoning: text(""),
    tags: TAGS,
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ stateId: text(), state: resultObject<Timed<SavedState>>() }),
  about: ({ name }) => name,
  run: async ({ context, ...state }, { services }) => {
    const { createState } = await import("../../memory/memory.ts");
    const place = {
      session: String(context?.["sessionId"] ?? DEFAULT),
      workspace: String(context?.["workspaceId"] ?? DEFAULT),
    };
    const saved = await createState(await services.memory(), { ...state, ...place });
    const { id, name, sessionId, workspaceId, created, activeFiles } = saved;
    const missing = activeFiles.filter(({ since }) => since === "missing").map(({ path }) => path);
    const summary = { name, sessionId, workspaceId, created, ...(missing.length > 0 && { missingFiles: missing }) };
    return { success: true, data: { stateId: id, state: withTimes(summary) } };
  },
});

export const listStates = defineTool({
  ...OWN,
  name: "memoryManager_listStates",
  title: "List states",
  description: "List saved states (checkpoints), the latest first.",
  byDefault: false,
  effects: READS,
  pages: "data.states",
  input: {
    ...LISTED,
    workspaceId: optional(text()),
    targetSessionId: optional(text()),
    tags: TAGS,
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ states: list(resultObject<Timed<StateSummary>>()), totalStates: integer() }),
  about: ({ targetSessionId, workspaceId }) => targetSessionId ?? workspaceId,
  run: async ({ limit, order, workspaceId: workspace, targetSessionId: session, tags }, { services }) => {
    const { listStates } = await import("../../memory/memory.ts");
    const { states, total } = await listStates(await services.memory(), { limit, order, workspace, session, tags });
    return { success: true, data: { states: withTimes(states), totalStates: total } };
  },
});

export const loadState = defineTool({
  ...OWN,
  name: "memoryManager_loadState",
  title: "Load a state",
  description: "Load a saved state (checkpoint, snapshot): go back to it, restore it and go on from there.",
  byDefault: false,
  effects: READS,
  input: {
    stateId: text("Id or name", { notEmpty: true }),
    continueExistingSession: withDefault(flag("False: begin a new session"), true),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ state: resultObject<Timed<LoadedState>>(), changedFiles: list(text()), sessionId: text() }),
  session: ({ data }) => data.sessionId,
  about: ({ stateId }) => stateId,
  run: async ({ stateId, continueExistingSession }, { services }) => {
    const { continueSession, loadSession, loadState } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    const state = await loadState(memory, stateId);
    const changedFiles = state.activeFiles
      .filter(({ since }) => since === "changed" || since === "missing")
      .map(({ path }) => path);
    if (continueExistingSession)
      return { success: true, data: { state: withTimes(state), changedFiles, sessionId: state.sessionId } };
    const { session } = await loadSession(memory, state.sessionId);
    const { sessionId } = await continueSession(memory, session);
    return { success: true, data: { state: withTimes(state), changedFiles, sessionId } };
  },
});

export const updateState = defineTool({
  ...OWN,
  name: "memoryManager_updateState",
  title: "Change a state",
  description: "Rename, describe or tag a saved state (checkpoint).",
  byDefault: false,
  effects: { ...ADDS, idempotent: true },
  returnsForeignText: true,
  input: {
    stateId: text("Id or name", { notEmpty: true }),
    name: optional(text()),
    description: optional(text()),
    addTags: TAGS,
    removeTags: TAGS,
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ state: resultObject<Timed<StateSummary>>() }),
  about: ({ stateId }) => stateId,
  run: async ({ stateId, context: _, ...changes }, { services }) => {
    const { updateState } = await import("../../memory/memory.ts");
    return { success: true, data: { state: withTimes(await updateState(await services.memory(), stateId, changes)) } };
  },
});
