// The results of the tool calls that resources and prompts are made of.
import type { CallResult } from "../../tools/tools.ts";

/** Undefined if there is no such tool, or if it failed: the resource counts as missing then. */
export async function answerOf<R>(calling: Promise<CallResult<R> | undefined>): Promise<R | undefined> {
  const result = await calling;
  return result === undefined || result.isError ? undefined : result.structuredContent;
}
