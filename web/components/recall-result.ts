// The result of recall_conversations, and its conversations as search results.
// Pure; used by every view that lists conversations.
import type { ResultNamed } from "../../src/tools/tools.ts";
import type { SearchResult } from "./result-list.tsx";
import { sharedByText, sourceName } from "../format/format.ts";

export type RecallResult = ResultNamed<"recall_conversations">;
export type RecalledConversation = RecallResult["conversations"][number];

export function asSearchResult(conversation: RecalledConversation): SearchResult {
  const { id, title, source_tool: source, project, updated_at: updated, snippet, message_id: message } = conversation;
  return {
    kind: "conversation",
    title,
    where: [[sourceName(source), project ?? ""].filter(Boolean).join(" › "), sharedByText(conversation)]
      .filter(Boolean)
      .join(", "),
    when: updated,
    snippet,
    id: `${source}/${id}`,
    ...(message !== undefined && { message }),
  };
}

export type ConversationFacts = ResultNamed<"read_conversation">["conversation"];
