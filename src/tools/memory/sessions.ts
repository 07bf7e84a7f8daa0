// Tools for sessions: memoryManager_createSession, _listSessions, _loadSession and
// _updateSession.
import type { CreatedSession, SessionBriefing, SessionSummary, StateSummary } from "../../memory/memory.ts";
import {
  flag,
  integer,
  list,
  optional,
  record,
  text,
  withDefault,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, READS } from "../definition/effects.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { dataOutput, noteOutput } from "../vault/fields.ts";
import { LISTED, NAME, OWN, SHARED, TAGS } from "./fields.ts";
import { withTimes, type Timed } from "./times.ts";

const SESSION = resultObject<Timed<SessionSummary>>();

export const createSession = defineTool({
  ...SHARED,
  name: "memoryManager_createSession",
  title: "Begin a session",
  description: "Begin (start) a new work session with a name and goal; send its sessionId in context.",
  byDefault: true,
  effects: ADDS,
  input: {
    name: NAME,
    description: optional(text()),
    sessionGoal: optional(text()),
    generateContextTrace: withDefault(flag(""), true),
    workspaceContext: optional(record("{workspaceId}")),
    ...CONTEXT,
  },
  output: noteOutput({ sessionId: text(), name: text(), workspaceId: text(), createdAt: integer() }),
  trace: ({ generateContextTrace }, { data }) =>
    generateContextTrace && { session: data.sessionId, workspace: data.workspaceId },
  session: ({ data }) => data.sessionId,
  about: ({ name }) => name,
  run: async ({ name, description, sessionGoal: goal, workspaceContext, context }, { services }) => {
    const { createSession } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    const workspace = workspaceContext === undefined ? context.workspaceId : boundTo(workspaceContext);
    const data = await createSession(memory, { name, description, goal, workspace });
    return { success: true, data, workspaceContext: await memory.workspaceContext(data.workspaceId) };
  },
});

function boundTo({ workspaceId }: Readonly<Record<string, unknown>>): string {
  return typeof workspaceId === "string" ? workspaceId : "";
}

export const listSessions = defineTool({
  ...OWN,
  name: "memoryManager_listSessions",
  title: "List sessions",
  description: "List work sessions, the one used last first.",
  byDefault: false,
  effects: READS,
  pages: "data.sessions",
  input: { ...LISTED, workspaceId: optional(text()), tags: TAGS, ...OPTIONAL_CONTEXT },
  output: dataOutput({ sessions: list(SESSION), totalSessions: integer() }),
  about: ({ workspaceId }) => workspaceId,
  run: async ({ limit, order, workspaceId: workspace, tags }, { services }) => {
    const { listSessions } = await import("../../memory/memory.ts");
    const { sessions, total } = await listSessions(await services.memory(), { limit, order, workspace, tags });
    return { success: true, data: { sessions: withTimes(sessions), totalSessions: total } };
  },
});

const RECENT = 10;

export const loadSession = defineTool({
  ...OWN,
  name: "memoryManager_loadSession",
  title: "Continue a session",
  description:
    "Load an earlier work session: continue, resume or pick up where we left off. Its goal, what was done, open ends. Without an id: the recent ones.",
  byDefault: false,
  // It may begin a session, but changes nothing that a person wrote.
  effects: READS,
  input: {
    targetSessionId: optional(text()),
    createContinuationSession: unlisted(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    session: optional(SESSION),
    done: optional(list(resultObject<Timed<SessionBriefing["done"][number]>>())),
    filesTouched: optional(list(text())),
    openEnds: optional(list(text())),
    sessions: optional(list(SESSION)),
    calls: unlisted(integer()),
    states: unlisted(list(resultObject<Timed<StateSummary>>())),
    totalSessions: unlisted(integer()),
    continuation: unlisted(resultObject<Timed<CreatedSession>>()),
  }),
  about: ({ targetSessionId }) => targetSessionId,
  run: async ({ targetSessionId, createContinuationSession }, { services }) => {
    const { continueSession, listSessions, loadSession } = await import("../../memory/memory.ts");
    const memory = await services.memory();
    if (targetSessionId === undefined || targetSessionId === "") {
      const { sessions, total } = await listSessions(memory, { limit: RECENT });
      return { success: true, data: { sessions: withTimes(sessions), totalSessions: total } };
    }
    const data = await loadSession(memory, targetSessionId);
    if (!createContinuationSession) return { success: true, data: withTimes(data) };
    return { success: true, data: withTimes({ ...data, continuation: await continueSession(memory, data.session) }) };
  },
});

export const updateSession = defineTool({
  ...OWN,
  name: "memoryManager_updateSession",
  title: "Change a session",
  description: "Rename, tag or end a work session, or change its goal.",
  byDefault: false,
  effects: { ...ADDS, idempotent: true },
  returnsForeignText: true,
  input: {
    targetSessionId: text("Id or name", { notEmpty: true }),
    name: optional(text()),
    description: optional(text()),
    sessionGoal: optional(text()),
    isActive: optional(flag()),
    addTags: TAGS,
    removeTags: TAGS,
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ session: SESSION }),
  about: ({ targetSessionId }) => targetSessionId,
  run: async ({ targetSessionId, sessionGoal: goal, context: _, ...changes }, { services }) => {
    const { updateSession } = await import("../../memory/memory.ts");
    const session = await updateSession(await services.memory(), targetSessionId, { ...changes, goal });
    return { success: true, data: { session: withTimes(session) } };
  },
});
