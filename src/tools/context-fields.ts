// The standard context object of the vault contract. The contract's own six
// tools want it, after their own arguments; every other vault and memory tool
// takes it where it is sent.
import type { WorkspaceContext } from "../memory/memory.ts";
import { object, optional, record, resultObject, text, unlisted, type Values } from "./schema.ts";

const FIELDS = {
  sessionId: text(),
  workspaceId: text(),
  sessionDescription: text(),
  sessionMemory: text(),
  toolContext: text(),
  primaryGoal: text(),
  subgoal: text(),
};

const SENTENCE = `Context is required: an object with the strings ${Object.keys(FIELDS).join(", ")}`;

export const CONTEXT = {
  context: object(FIELDS, "", {
    missing: SENTENCE,
    invalid: SENTENCE,
  }),
};

export type Context = Values<typeof CONTEXT>["context"];

/** Where no contract asks for it: what the connection sent last stands for one that is left out (connection-context.ts). */
export const TAKEN_CONTEXT = { context: unlisted(record()) };

/** In the output of a tool: call.ts adds the workspace of the call to its result. */
export const WORKSPACE_CONTEXT = { workspaceContext: optional(resultObject<WorkspaceContext>()) };
