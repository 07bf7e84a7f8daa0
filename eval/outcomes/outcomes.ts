// Carries out requests with their recorded calls, and judges what came of each.
import type { ToolListing } from "../../src/tools/definition/define-tool.ts";
import { documentsIn } from "./home/home.ts";
import { filledIn, ProgramAtHome, type Answer, type Call } from "./program.ts";
import type { OutcomeRequest } from "./request.ts";

export interface Verdict {
  readonly request: OutcomeRequest;
  readonly right: boolean;
  /** Why it is wrong. */
  readonly fault?: string;
  /** Whether the answers admit that the goal was not reached. */
  readonly admitted: boolean;
  /** Whether it was reached without a call that failed or that was not needed. */
  readonly firstRight: boolean;
  readonly answers: readonly Answer[];
}

interface Tools {
  readonly reads: ReadonlySet<string>;
  readonly listing: readonly ToolListing[];
  readonly instructions: string;
}

/** The next call for a request, after these answers; undefined if there is none. */
export type NextCall = (
  request: OutcomeRequest,
  made: readonly { readonly call: Call; readonly answer: Answer }[],
  program: Omit<Tools, "reads">,
) => Promise<Call | undefined>;

/** The calls that were recorded, with the parts of earlier answers in their places. */
export function recorded(calls: ReadonlyMap<string, readonly Call[]>): NextCall {
  return async ({ id }, made) => {
    const call = calls.get(id)?.[made.length];
    return (
      call && {
        tool: call.tool,
        args: filledIn(
          call.args,
          made.map(({ answer }) => answer),
        ),
      }
    );
  };
}

/** A model that has not reached the goal by then is lost. */
const MAX_CALLS = 12;

/** Carries out requests one after the other; those that only read share a home and a program. */
export async function judgeAll(
  program: string,
  requests: readonly OutcomeRequest[],
  next: NextCall,
  each: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let running: (Tools & { readonly at: ProgramAtHome; readonly chats: string }) | undefined;
  const end = async () => {
    await running?.at.end();
    running = undefined;
  };
  try {
    for (const request of requests) {
      const { chats = "usual" } = request;
      if (running?.chats !== chats) await end();
      if (running === undefined) {
        const at = new ProgramAtHome(program, chats);
        const { instructions = "" } = (await at.start()) as { instructions?: string };
        running = { at, chats, instructions, ...(await toolsOf(at)) };
      }
      const { hasWritten, ...verdict } = await judge(request, running.at, running, next);
      verdicts.push(verdict);
      each(verdict);
      if (chats !== "usual" || hasWritten) await end();
    }
  } finally {
    await end();
  }
  return verdicts;
}

/** Opening an outline is no change, but what follows sees another one. */
const KEEPS_STATE = "open_document";

async function toolsOf(at: ProgramAtHome): Promise<Omit<Tools, "instructions">> {
  const { tools } = (await at.ask("tools/list")) as {
    tools: (ToolListing & { annotations: { readOnlyHint?: boolean } })[];
  };
  const reads = tools.filter(({ name, annotations }) => annotations.readOnlyHint === true && name !== KEEPS_STATE);
  return { reads: new Set(reads.map(({ name }) => name)), listing: tools };
}

/** Makes the calls until the goal is reached, as a model would that sees it. */
async function judge(
  request: OutcomeRequest,
  at: ProgramAtHome,
  { reads, ...program }: Tools,
  next: NextCall,
): Promise<Verdict & { readonly hasWritten: boolean }> {
  const before = documentsIn(at.home);
  const made: { call: Call; answer: Answer }[] = [];
  const answers: Answer[] = [];
  let after = before;
  let fault: string | undefined = "no call was made";
  let lastWrite: Answer | undefined;
  while (made.length < MAX_CALLS) {
    const call = await next(request, made, program);
    if (call === undefined) break;
    const answer = await at.call(call);
    made.push({ call, answer });
    answers.push(answer);
    if (!reads.has(call.tool)) {
      lastWrite = answer;
      after = documentsIn(at.home);
    }
    fault = request.check({ answers, before, after });
    if (fault === undefined) break;
  }
  // A request may need no call at all.
  if (made.length === 0) fault = request.check({ answers, before, after });
  const right = fault === undefined;
  const isSmooth =
    answers.length <= (request.steps ?? 2) &&
    answers.every(
      (answer, i) => answer.structure["ignored"] === undefined && (i === answers.length - 1 || !failed(answer)),
    );
  const admitted =
    [answers.at(-1), lastWrite].some((answer) => answer !== undefined && failed(answer)) || admits(request, answers);
  return {
    request,
    right,
    ...(fault === undefined ? {} : { fault }),
    admitted,
    firstRight: right && isSmooth,
    answers,
    hasWritten: lastWrite !== undefined,
  };
}

function failed({ isError, structure }: Answer): boolean {
  return isError || (structure["success"] === false && structure["requiresConfirmation"] !== true);
}

function admits({ admits: pattern }: OutcomeRequest, answers: readonly Answer[]): boolean {
  const last = answers.at(-1);
  if (last === undefined) return true;
  if (last.structure["truncated"] === true || last.structure["ignored"] !== undefined) return true;
  return (
    pattern !== undefined && answers.some(({ structure, text }) => pattern.test(`${JSON.stringify(structure)} ${text}`))
  );
}
