// What a call leaves in memory, and which workspace its result names. Used by
// call.ts, for every tool that takes a context. Nothing here fails a call.
import type { CallTrace } from "../memory/memory.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Result } from "./budget.ts";
import { parsed } from "./schema.ts";
import type { Services, Tool } from "./define-tool.ts";

type Sent = Readonly<Record<string, unknown>>;

/** How a call ended. */
export type Outcome = { readonly result: Result } | { readonly problem: Problem };

/** The result with the workspace of the call, where the tool's contract has that and the tool did not say it itself. */
export async function withWorkspace(tool: Tool, result: Result, input: Sent, services: Services): Promise<Result> {
  if (!Object.hasOwn(tool.output, "workspaceContext") || result["workspaceContext"] !== undefined) return result;
  const { workspaceId } = contextIn(input) ?? { workspaceId: "default" };
  try {
    const memory = await services.memory();
    return { ...result, workspaceContext: await memory.workspaceContext(workspaceId) };
  } catch {
    // Without memory a workspace is known by its id alone.
    return { ...result, workspaceContext: { workspaceId, workspacePath: [workspaceId], activeWorkspace: true } };
  }
}

/** @returns what the result says about memory: nothing, where the trace was kept or none was due */
export async function leaveTrace(
  tool: Tool,
  sent: unknown,
  outcome: Outcome,
  services: Services,
): Promise<{ readonly memoryWarning?: string }> {
  const { memory: place, readOnly } = services.settings;
  if (!isObject(sent) || place === "off" || readOnly) return {};
  try {
    const call = traceOf(tool, sent, outcome);
    const memoryWarning = call && (await services.memory()).leaveTrace(call);
    return memoryWarning === undefined ? {} : { memoryWarning };
  } catch (error) {
    const reason = error instanceof Problem ? error.message : "memory could not be opened.";
    return { memoryWarning: `This call left no trace in memory: ${reason}` };
  }
}

/** Undefined where the call has no context, or its tool wants no trace. */
function traceOf(tool: Tool, sent: Sent, outcome: Outcome): CallTrace | undefined {
  const context = contextIn(sent);
  const told = "result" in outcome && tool.trace !== undefined ? tool.trace(sent as never, outcome.result) : {};
  if (context === undefined || told === false) return undefined;
  return {
    session: told.session ?? context.sessionId,
    workspace: told.workspace ?? context.workspaceId,
    description: context.sessionDescription,
    goal: context.primaryGoal,
    subgoal: context.subgoal,
    why: context.toolContext,
    tool: tool.name,
    paths: touchedBy(sent, "result" in outcome ? outcome.result : {}),
    about: aboutOf(sent),
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
function contextIn(sent: Sent): Context | undefined {
  const context = typeof sent["context"] === "string" ? parsed(sent["context"]) : sent["context"];
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

const ONE_PATH = ["filePath", "path", "newPath", "sourcePath", "targetPath", "rootFolder"];
const SUBJECTS = ["query", "targetSessionId", "stateId", "workspaceId", "fieldPath", "name", "id"];

/** The paths of the arguments; as the vault spells them, where the result tells. */
function touchedBy(sent: Sent, result: Result): string[] {
  const data = isObject(result["data"]) ? result["data"] : result;
  const single = ONE_PATH.flatMap((name) => (sent[name] === undefined ? [] : [data[name] ?? sent[name]]));
  const several = [sent["paths"]].filter(Array.isArray).flat();
  const edited =
    sent["operations"] === undefined ? [] : [data["results"] ?? sent["operations"]].flat().filter(isObject);
  const paths = [...single, ...several, ...edited.map(({ filePath }) => filePath)];
  return [...new Set(paths.filter((path) => typeof path === "string" && !/^\/?$/.test(path)) as string[])];
}

function aboutOf(sent: Sent): string | undefined {
  const asked = [sent["queries"]].filter(Array.isArray).flat().find(isObject);
  const subject = [...SUBJECTS.map((name) => sent[name]), asked?.["query"]].find((each) => typeof each === "string");
  return subject as string | undefined;
}

function isObject(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
