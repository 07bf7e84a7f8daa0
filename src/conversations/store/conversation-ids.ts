// Ids of conversations as people and assistants send them: whole, with the name of
// the program, as an address, or only their beginning. Used by whatever opens one.
import { Problem } from "../../kernel/kernel.ts";
import type { ConversationSummary } from "./conversation-reader.ts";

export function conversationId(sent: string): { readonly id: string | undefined; readonly source: string | undefined } {
  const [, source, id] = /^(?:conversation:\/\/)?(?:([a-z-]+)\/)?(.+)$/.exec(sent.trim()) ?? [];
  return { id, source };
}

/** The only one of those that were found. Throws a problem if there is none, or a choice. */
export function chosenConversation(found: readonly ConversationSummary[], sent: string): ConversationSummary {
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new Problem(
      "not_found",
      `There is no conversation with the id ${sent}.`,
      'To get ids: recall_conversations {"search_query":"words said","since":"all"}',
    );
  const names = found.slice(0, 5).map((one) => `${one.source}/${one.id}`);
  throw new Problem(
    "invalid",
    `Several conversations have an id that begins so: ${names.join(", ")}.`,
    "Send the whole id.",
  );
}
