// Finds the conversation that a command names, after a first index. Used by read
// and resume.
import type { Commonplace } from "../../app/app.ts";
import type { Conversations, ConversationSummary } from "../../conversations/conversations.ts";
import { Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import { waitForFirstIndex } from "../progress.ts";

/** The only word of a command whose `usage` is given. */
export function idIn(words: readonly string[], usage: string): string {
  const [id = "", ...more] = words;
  if (id.trim() === "") throw new Problem("invalid", `Say which conversation: ${usageLine(usage)}`);
  if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(usage)}`);
  return id;
}

export async function foundConversation(
  commonplace: Commonplace,
  id: string,
  withTools = false,
): Promise<{ readonly store: Conversations; readonly conversation: ConversationSummary }> {
  const store = await commonplace.conversations();
  const { indexing: indexingConversations } = await store.sources();
  await waitForFirstIndex(commonplace, { indexingConversations });
  try {
    return { store, conversation: await store.find(id, { withTools }) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_found") throw error;
    throw new Problem(error.code, error.message, `'${usageLine("search WORDS…")}' shows the ids.`);
  }
}
