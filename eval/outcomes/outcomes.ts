// Carries out requests with their recorded calls, and judges what came of each.
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
}

/** Carries out requests one after the other; those that only read share a home and a program. */
export async function judgeAll(
  program: string,
  requests: readonly OutcomeRequest[],
  calls: ReadonlyMap<string, readonly Call[]>,
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
        await at.start();
        running = { at, chats, ...(await toolsOf(at)) };
      }
      const made = calls.get(request.id) ?? [];
      const verdict = await judge(request, running.at, running, made);
      verdicts.push(verdict);
      each(verdict);
      if (chats !== "usual" || made.some(({ tool }) => !running!.reads.has(tool))) await end();
    }
  } finally {
    await end();
  }
  return verdicts;
}

/** Opening an outline is no change, but what follows sees another one. */
const KEEPS_STATE = "open_document";

async function toolsOf(at: ProgramAtHome): Promise<Tools> {
  const { tools } = (await at.ask("tools/list")) as {
    tools: { name: string; annotations: { readOnlyHint?: boolean } }[];
  };
  const reads = tools.filter(({ name, annotations }) => annotations.readOnlyHint === true && name !== KEEPS_STATE);
  return { reads: new Set(reads.map(({ name }) => name)) };
}

/** Makes the calls until the goal is reached, as a model would that sees it. */
async function judge(
  request: OutcomeRequest,
  at: ProgramAtHome,
  { reads }: Tools,
  calls: readonly Call[],
): Promise<Verdict> {
  const before = documentsIn(at.home);
  const answers: Answer[] = [];
  let after = before;
  // A request may need no call at all.
  let fault = calls.length === 0 ? request.check({ answers, before, after }) : "no call was made";
  let lastWrite: Answer | undefined;
  for (const { tool, args } of calls) {
    const answer = await at.call({ tool, args: filledIn(args, answers) });
    answers.push(answer);
    if (!reads.has(tool)) {
      lastWrite = answer;
      after = documentsIn(at.home);
    }
    fault = request.check({ answers, before, after });
    if (fault === undefined) break;
  }
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
