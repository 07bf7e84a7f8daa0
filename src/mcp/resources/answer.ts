// The results of the tool calls that resources and prompts are made of.
import type { CallResult } from "../../tools/tools.ts";

/** Undefined if there is no such tool, or it failed: what cannot be read is not there. */
export async function answerOf<R>(calling: Promise<CallResult<R> | undefined>): Promise<R | undefined> {
  const result = await calling;
  return result === undefined || result.isError ? undefined : result.structuredContent;
}
