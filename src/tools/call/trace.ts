// The trace that a call leaves in memory, and the workspace in its result. Used
// by call.ts for tools that accept a context. A failure here never fails the call.
import type { CallTrace } from "../../memory/memory.ts";
import { isRecord, parseJson, Problem } from "../../kernel/kernel.ts";
import type { Result } from "./budget.ts";
import type { Services, Tool } from "../definition/define-tool.ts";

type Values = Readonly<Record<string, unknown>>;

/** How a call ended. */
export type Outcome = { readonly result: Result } | { readonly problem: Problem };

/** Adds the workspace of the call, if the tool declares it and did not set it. */
export async function withWorkspace(tool: Tool, result: Result, input: Values, services: Services): Promise<Result> {
  if (!Object.hasOwn(tool.output, "workspaceContext") || result["workspaceContext"] !== undefined) return result;
  const { workspaceId } = contextIn(input["context"]) ?? { workspaceId: "default" };
  try {
    const memory = await services.memory();
    return { ...result, workspaceContext: await memory.workspaceContext(workspaceId) };
  } catch {
    // Without memory, only the id of the workspace is known.
    return { ...result, workspaceContext: { workspaceId, workspacePath: [workspaceId], activeWorkspace: true } };
  }
}

/** The arguments of a call: its context as sent, and all that could be read. */
interface Asked {
  readonly context: unknown;
  readonly input: Values;
}

/** @returns a warning for the result if the trace could not be kept */
export async function leaveTrace(
  tool: Tool,
  asked: Asked,
  outcome: Outcome,
  services: Services,
): Promise<{ readonly memoryWarning?: string }> {
  const { memory: place, readOnly } = services.settings;
  if (place === "off" || readOnly) return {};
  try {
    const call = traceOf(tool, asked, outcome);
    const memoryWarning = call && (await (await services.memory()).leaveTrace(call));
    return memoryWarning === undefined ? {} : { memoryWarning };
  } catch (error) {
    const reason = error instanceof Problem ? error.message : "memory could not be opened.";
    return { memoryWarning: `This call left no trace in memory: ${reason}` };
  }
}

/** Undefined if the call has no context, or its tool wants no trace. */
function traceOf(tool: Tool, { context: sent, input }: Asked, outcome: Outcome): CallTrace | undefined {
  const context = contextIn(sent);
  const result = "result" in outcome ? outcome.result : undefined;
  const place = result === undefined ? {} : (tool.trace?.(input, result) ?? {});
  if (context === undefined || place === false) return undefined;
  const paths = (tool.touches?.(input, result) ?? []).filter((path) => path !== undefined);
  return {
    session: place.session ?? context.sessionId,
    workspace: place.workspace ?? context.workspaceId,
    description: context.sessionDescription,
    goal: context.primaryGoal,
    subgoal: context.subgoal,
    why: context.toolContext,
    tool: tool.name,
    paths: [...new Set(paths.filter((path) => !/^\/?$/.test(path)))],
    about: tool.about?.(input),
    error: "problem" in outcome ? outcome.problem.message : undefined,
  };
}

/** The session that a context names. */
export function sessionIn(sent: unknown): string | undefined {
  return contextIn(sent)?.sessionId;
}

interface Context {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly sessionDescription: string;
  readonly toolContext: string;
  readonly primaryGoal: string;
  readonly subgoal: string;
}

/** Reads leniently: calls with invalid arguments leave a trace too. */
function contextIn(sent: unknown): Context | undefined {
  const context = typeof sent === "string" ? parseJson(sent) : sent;
  if (!isRecord(context)) return undefined;
  const { sessionId, workspaceId } = context;
  if (typeof sessionId !== "string" || typeof workspaceId !== "string") return undefined;
  const text = (name: keyof Context) => (typeof context[name] === "string" ? context[name] : "");
  return {
    sessionId,
    workspaceId,
    sessionDescription: text("sessionDescription"),
    toolContext: text("toolContext"),
    primaryGoal: text("primaryGoal"),
    subgoal: text("subgoal"),
  };
}
