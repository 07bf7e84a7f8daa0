// When a conversation began and was last changed, as a program stored it. Pure;
// used by most sources.
import type { ConversationFacts } from "../source.ts";

/** In milliseconds. What is undefined is not among the facts. */
export function storedTimes(
  created: number | undefined,
  updated?: number | undefined,
): Pick<ConversationFacts, "created" | "updated"> {
  return {
    ...(created !== undefined && { created: { at: created, known: "stored" } }),
    ...(updated !== undefined && { updated: { at: updated, known: "stored" } }),
  };
}
