// npm run eval -- outcomes [--close] [ID …]: carries out the recorded calls with the
// built program. --close removes from open.json what is right now. With --model URL
// a model makes the calls.
import { join } from "node:path";
import { closeFaults } from "./open-faults.ts";
import { readOptions } from "../model/options.ts";
import { endpointOf } from "../model/run.ts";
import { judgeAll, recorded, type Verdict } from "./outcomes.ts";
import type { Call } from "./program.ts";
import { reportOf } from "./report.ts";
import { callsOf, REQUESTS } from "./requests.ts";
import { callsOfModel } from "./with-model.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "commonplace.js");

/** @returns what to print, and the exit code */
export async function runOutcomes(
  args: readonly string[],
): Promise<{ readonly report: string; readonly code: number }> {
  const { withModel, words: ids, close } = readOptions(args, true);
  const unknown = ids.filter((id) => !REQUESTS.some((request) => request.id === id));
  if (unknown.length > 0) throw new Error(`There is no request ${unknown.join(", ")}.`);
  const requests = ids.length === 0 ? REQUESTS : REQUESTS.filter(({ id }) => ids.includes(id));
  const calls = callsOf(requests);
  const next = withModel === undefined ? recorded(calls) : callsOfModel(endpointOf(withModel), withModel.model);
  const verdicts = await judgeAll(PROGRAM, requests, next);
  const lines = [reportOf(verdicts)];
  if (ids.length > 0 && withModel === undefined)
    lines.push(...verdicts.map((verdict) => transcriptOf(verdict, calls.get(verdict.request.id)!)));
  if (close && withModel === undefined) {
    const right = new Set(
      verdicts.filter((verdict) => verdict.right && verdict.firstRight).map(({ request }) => request.id),
    );
    lines.push(`Closed: ${closeFaults(right).join(", ") || "none"}`);
  }
  return { report: lines.join("\n\n"), code: verdicts.every(({ right }) => right) ? 0 : 1 };
}

/** Each call of a request with its answer, as structure and as text. */
function transcriptOf({ request, answers }: Verdict, calls: readonly Call[]): string {
  const made = answers.map(
    ({ structure, text }, i) =>
      `> ${calls[i]!.tool} ${JSON.stringify(calls[i]!.args)}\n${JSON.stringify(structure)}\n${text}`,
  );
  return [`${request.id}: ${request.ask}`, ...made].join("\n\n");
}
