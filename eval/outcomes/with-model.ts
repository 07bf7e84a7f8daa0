// The calls of a model for a request, one after the other: it gets the request and
// what came of its calls so far, and answers with the next one.
import { askModel, type Endpoint } from "../model/endpoint.ts";
import type { NextCall } from "./outcomes.ts";

/** Characters of an answer that the model sees, as a host would cut it. */
const MAX_ANSWER = 80_000;

export function callsOfModel(endpoint: Endpoint, model: string): NextCall {
  return async ({ ask, calls }, made, { instructions, listing }) => {
    // What a program sends is no matter of a model.
    if (calls !== undefined) return calls[made.length];
    const history = made.map(
      ({ call, answer }) =>
        `You called ${call.tool} with ${JSON.stringify(call.args)}. It answered:\n${answer.text.slice(0, MAX_ANSWER)}`,
    );
    const words =
      history.length === 0
        ? ask
        : `${ask}\n\n${history.join("\n\n")}\n\nMake the next call, or none if everything is done.`;
    const { calls: chosen } = await askModel(endpoint, { model, instructions, words, listing });
    const [first] = chosen;
    return first && { tool: first.tool, args: first.args ?? {} };
  };
}
