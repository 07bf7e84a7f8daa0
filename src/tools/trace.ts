// What a call leaves in memory, and which workspace its result names. Used by
// call.ts, for every tool that takes a context. Nothing here fails a call.
import type { CallTrace } from "../memory/memory.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Result } from "./budget.ts";
import { parsed } from "./schema.ts";
import type { Services, Tool } from "./define-tool.ts";

type Values = Readonly<Record<string, unknown>>;

/** How a call ended. */
export type Outcome = { readonly result: Result } | { readonly problem: Problem };

/** The result with the workspace of the call, where the tool's contract has that and the tool did not say it itself. */
export async function withWorkspace(tool: Tool, result: Result, input: Values, services: Services): Promise<Result> {
  if (!Object.hasOwn(tool.output, "workspaceContext") || result["workspaceContext"] !== undefined) return result;
  const { workspaceId } = contextIn(input["context"]) ?? { workspaceId: "default" };
  try {
    const memory = await services.memory();
    return { ...result, workspaceContext: await memory.workspaceContext(workspaceId) };
  } catch {
    // Without memory a workspace is known by its id alone.
    return { ...result, workspaceContext: { workspaceId, workspacePath: [workspaceId], activeWorkspace: true } };
  }
}

/** The arguments of a call: its context as it was sent, and what could be read of all of them. */
interface Asked {
  readonly context: unknown;
  readonly input: Values;
}

/** @returns what the result says about memory: nothing, where the trace was kept or none was due */
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
    const memoryWarning = call && (await services.memory()).leaveTrace(call);
    return memoryWarning === undefined ? {} : { memoryWarning };
  } catch (error) {
    const reason = error instanceof Problem ? error.message : "memory could not be opened.";
    return { memoryWarning: `This call left no trace in memory: ${reason}` };
  }
}

/** Undefined where the call has no context, or its tool wants no trace. */
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

interface Context {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly sessionDescription: string;
  readonly toolContext: string;
  readonly primaryGoal: string;
  readonly subgoal: string;
}

/** Also of a call whose other arguments were refused, or that may leave the context out. */
function contextIn(sent: unknown): Context | undefined {
  const context = typeof sent === "string" ? parsed(sent) : sent;
  if (!isObject(context)) return undefined;
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

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
