// The standard context object of the vault contract: every vault and memory
// tool takes it, after its own arguments.
import { object, optional, text, list, flag, type Values } from "../schema.ts";

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
  context: object(FIELDS, "Who asks, in which session and workspace, and why", {
    missing: SENTENCE,
    invalid: SENTENCE,
  }),
};

export type Context = Values<typeof CONTEXT>["context"];

/** The same where the tool belongs to no contract. */
export const OPTIONAL_CONTEXT = { context: optional(CONTEXT.context) };

/** The workspace that a call belongs to, as results name it. */
export function workspaceContextOf({ workspaceId }: Context) {
  return { workspaceId, workspacePath: [workspaceId], activeWorkspace: true };
}

export const WORKSPACE_CONTEXT = {
  workspaceContext: optional(
    object(
      {
        workspaceId: text(),
        workspacePath: list(text(), "Names from the top"),
        activeWorkspace: flag("Whether it is the active one"),
      },
      "The workspace of this call",
    ),
  ),
};
