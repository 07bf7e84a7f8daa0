// The argument `context` of the vault's contract: which session, workspace and
// goal a call belongs to. Six tools require it, after their own arguments; every
// other vault and memory tool, search and undo accept it. Also the
// `workspaceContext` of results.
import type { WorkspaceContext } from "../../memory/memory.ts";
import type { Values } from "./field.ts";
import { object, optional, record, resultObject, text, unlisted } from "./schema.ts";

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

/** Returns whether a call of the tool is refused without one. */
export function requiresContext({ input }: { readonly input: Readonly<Record<string, unknown>> }): boolean {
  return input["context"] === CONTEXT.context;
}

export type Context = Values<typeof CONTEXT>["context"];

/** For tools whose contract does not require it. If it is left out, the last one of the connection is used: see connection-context.ts. */
export const OPTIONAL_CONTEXT = { context: unlisted(record()) };

/** In the output of a tool: call.ts adds the workspace of the call to the result. */
export const WORKSPACE_CONTEXT = { workspaceContext: optional(resultObject<WorkspaceContext>()) };
