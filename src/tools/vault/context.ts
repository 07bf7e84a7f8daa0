// The standard context object of the vault contract: every vault and memory
// tool takes it, after its own arguments.
import { object, optional, record, text, type Values } from "../schema.ts";

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

/** Where the tool belongs to no contract: taken as it comes. */
export const OPTIONAL_CONTEXT = { context: optional(record()) };

/** In the output of a tool: call.ts adds the workspace of the call to its result. */
export const WORKSPACE_CONTEXT = { workspaceContext: record() };
