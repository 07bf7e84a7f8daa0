// The one place where a tool call is run, whoever makes it: a host, a resource,
// the command line or the page. Arguments are read here, time and size are
// limited here, every error becomes a result here, and the trace in memory is
// left here.
import { randomBytes } from "node:crypto";
import { codeOf } from "../files/files.ts";
import { unforeseenProblem } from "../sqlite/sqlite.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import { fit, MOST_TOKENS, pagedField, readCursor, sealOf, writing, type Page, type Result } from "./budget.ts";
import { ignoredNote, namedArguments } from "./argument-names.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { CONTRACTS } from "./contracts.ts";
import { MARK_TOKENS, markLongResult } from "./data-marks.ts";
import { readFields } from "./schema.ts";
import { inputOf, returnsForeignText, type Call, type Services, type Tool } from "./define-tool.ts";
import { leaveTrace, withWorkspace, type Outcome } from "./trace.ts";

/** A result as `tools/call` returns it: the text carries the same facts as the structure. */
export interface CallResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Result;
  readonly isError?: true;
}

export interface Caller {
  readonly services: Services;
  readonly log: Log;
  readonly protocolVersion: string;
  /** The client's roots, where the tool is `inProject` and they were asked for. */
  readonly roots?: readonly string[] | undefined;
  /** What the connection said in earlier calls; undefined where each call stands by itself. */
  readonly connection?: ConnectionContext | undefined;
  /** Aborted when the caller gives up. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
  /** False for a person's page or terminal, which has no context to fill. */
  readonly limitTokens?: boolean;
  /** False where no model asked: what a person looks at is no part of anybody's session. */
  readonly isTraced?: boolean;
}

const TIME_LIMIT = 60_000;
const BUDGET = 10_000;
const HEARTBEAT = 2_000;

export async function callTool(tool: Tool, sent: unknown, caller: Caller): Promise<CallResult> {
  const { services, isTraced = true } = caller;
  const remember = (of: unknown, outcome: Outcome) => (isTraced ? leaveTrace(tool, of, outcome, services) : {});
  const fields = inputOf(tool);
  let ignored: readonly string[] = [];
  let asked = sent;
  try {
    const named = namedArguments(fields, argumentsOf(sent));
    ignored = named.ignored;
    const values = caller.connection?.completed(fields, named.values) ?? named.values;
    asked = values;
    const input = readFields(fields, values);
    const page = pageOf(tool, input, caller);
    const result = await withWorkspace(tool, (await runInTime(tool, input, caller)) as Result, input, services);
    caller.connection?.learn(input, result);
    const written = writing();
    const fitting = fit(result, { ...page, field: page.fields && pagedField(result, page.fields) }, written);
    const cut =
      fitting === result || tool.afterCut === undefined ? fitting : tool.afterCut(fitting, result, page.start);
    const shaped = tool.shape?.(cut) ?? cut;
    const memory = await remember(input, { result });
    const notes = { ...ignoredNote(fields, ignored, shaped["hint"]), ...memory };
    const whole = Object.keys(notes).length === 0 ? shaped : { ...shaped, ...notes };
    const answer = { result: whole, text: written(whole) };
    const marked = isMarked(tool, caller) ? markLongResult(answer) : answer;
    return { content: [{ type: "text", text: marked.text }], structuredContent: marked.result };
  } catch (error) {
    const problem = asProblem(error, tool, caller.log);
    const memory = await remember(asked, { problem });
    return failure(tool, problem, { ...ignoredNote(fields, ignored, problem.hint), ...memory });
  }
}

/** A person sees by themselves whose words they read. */
function isMarked(tool: Tool, { limitTokens = true }: Caller): boolean {
  return limitTokens && returnsForeignText(tool);
}

/** Which part of the result the caller asks for, and how long it may be. */
function pageOf(tool: Tool, input: Result, caller: Caller): Omit<Page, "field"> & { readonly fields: Tool["pages"] } {
  const { limitTokens = true } = caller;
  const most = Math.min(tool.budget ?? BUDGET, MOST_TOKENS) - (isMarked(tool, caller) ? MARK_TOKENS : 0);
  const budget = limitTokens ? most : Number.POSITIVE_INFINITY;
  // What was changed is not changed again to see the rest of the result.
  if (tool.pages === undefined || !tool.effects.readOnly) return { budget, fields: undefined, start: 0, seal: "" };
  const seal = sealOf(tool.name, input);
  const size = tool.pageSize === undefined ? undefined : (input[tool.pageSize] as number | undefined);
  return { budget, fields: tool.pages, size, start: readCursor(input["cursor"] as string | undefined, seal), seal };
}

function argumentsOf(sent: unknown): Readonly<Record<string, unknown>> {
  if (sent === undefined || sent === null) return {};
  if (typeof sent !== "object" || Array.isArray(sent)) throw new Problem("invalid", "The arguments must be an object");
  return sent as Record<string, unknown>;
}

/** Runs the tool until it answers, the caller gives up, or the time is over, whichever is first. */
async function runInTime(tool: Tool, input: unknown, caller: Caller): Promise<object> {
  const limit = tool.timeLimit ?? TIME_LIMIT;
  const ending = new AbortController();
  const end = (problem: Problem) => ending.abort(problem);
  const timer = setTimeout(() => {
    end(
      new Problem(
        "timeout",
        `${tool.name} took longer than ${limit / 1000} seconds.`,
        "Narrow the arguments, or try again later.",
      ),
    );
  }, limit);
  const giveUp = () => end(new Problem("timeout", "The call was cancelled."));
  const heart = heartbeat(tool, caller.onProgress);
  try {
    if (caller.signal?.aborted) giveUp();
    caller.signal?.addEventListener("abort", giveUp);
    ending.signal.throwIfAborted();
    const call: Call = {
      services: caller.services,
      signal: ending.signal,
      protocolVersion: caller.protocolVersion,
      roots: caller.roots,
      progress: heart.progress,
    };
    return await Promise.race([tool.run(input as never, call), rejectionOf(ending.signal)]);
  } finally {
    clearTimeout(timer);
    heart.stop();
    caller.signal?.removeEventListener("abort", giveUp);
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Problem), { once: true });
  });
}

/**
 * A caller that asked for progress hears from a slow call every two seconds,
 * so that neither it nor its user takes the call for dead. A tool that reports
 * progress itself speaks instead.
 */
function heartbeat(tool: Tool, onProgress: Caller["onProgress"]) {
  if (onProgress === undefined) return { progress: () => {}, stop: () => {} };
  const started = Date.now();
  const beat = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    onProgress(seconds, undefined, `${tool.title}: still working after ${seconds} s`);
  }, HEARTBEAT);
  const stop = () => clearInterval(beat);
  const progress: Call["progress"] = (done, total, message) => {
    stop();
    onProgress(done, total, message);
  };
  return { progress, stop };
}

function failure(tool: Tool, problem: Problem, notes: { readonly hint?: string }): CallResult {
  const result: Result & { readonly hint?: string } = {
    ...CONTRACTS[tool.contract].of(problem),
    ...(problem.hint !== undefined && { hint: problem.hint }),
    ...notes,
  };
  const { hint } = result;
  const text = hint === undefined ? problem.message : `${asSentence(problem.message)} ${hint}`;
  return { content: [{ type: "text", text }], structuredContent: result, isError: true };
}

/** A contract's message may end without a mark; what follows it must not run on. */
function asSentence(message: string): string {
  return /[.!?:]$/.test(message) ? message : `${message}.`;
}

/** A Problem is for the caller, and so is what the system refused; anything else is a mistake of ours, which the log has in full. */
function asProblem(error: unknown, tool: Tool, log: Log): Problem {
  if (error instanceof Problem) return error;
  const unforeseen = unforeseenProblem(error);
  if (unforeseen !== undefined) {
    log(`${tool.name} failed (${codeOf(error) || (error as Error).name}): ${unforeseen.message}`);
    return unforeseen;
  }
  const id = randomBytes(4).toString("hex");
  log(`error ${id} in ${tool.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new Problem(
    "internal",
    `${tool.name} failed because of a mistake in the server (error ${id}).`,
    `The server's log has the details under ${id}.`,
  );
}
