// Every request to a model, a few at a time.
import type { ToolListing } from "../../src/tools/definition/define-tool.ts";
import { wordsOf, type Request } from "../requests.ts";
import { compare, type Verdict } from "./comparison.ts";
import { askModel, NoAnswer, type Endpoint } from "./endpoint.ts";
import type { Answer } from "./protocol.ts";

export interface Asked extends Verdict {
  readonly request: Request;
  /** Without one, the endpoint did not answer. */
  readonly answer?: Answer;
}

export interface Asking {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly instructions: string;
  readonly listing: readonly ToolListing[];
  /** How many questions are under way at a time. */
  readonly parallel: number;
  readonly progress: (done: number, asked: Asked) => void;
}

/** @throws NoAnswer if the endpoint refuses every question */
export async function askAll(requests: readonly Request[], asking: Asking): Promise<Asked[]> {
  const results: Asked[] = [];
  const queue = requests.entries();
  let done = 0;
  let refusal: unknown;
  const work = async () => {
    for (const [i, request] of queue) {
      try {
        results[i] = await askOne(request, asking);
        asking.progress(++done, results[i]);
      } catch (error) {
        refusal ??= error;
      }
      if (refusal !== undefined) return;
    }
  };
  await Promise.all(Array.from({ length: asking.parallel }, work));
  if (refusal !== undefined) throw refusal;
  return results;
}

async function askOne(request: Request, { endpoint, model, instructions, listing }: Asking): Promise<Asked> {
  try {
    const answer = await askModel(endpoint, { model, instructions, listing, words: wordsOf(request) });
    return { request, answer, ...compare(request, answer.calls) };
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.isForAll) throw error;
    return { request, rightTool: false, right: false, harmful: false, problem: error.message };
  }
}
