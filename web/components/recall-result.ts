// The result of recall_conversations, and its conversations as search results.
// Pure; used by every view that lists conversations.
import type { SearchResult } from "./result-list.tsx";
import { sourceName } from "../format/format.ts";

export interface RecalledConversation {
  readonly id: string;
  readonly title: string;
  readonly source_tool: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message_count: number;
  readonly snippet: string;
  readonly project?: string | null;
  /** The message that the snippet is taken from. */
  readonly message_id?: string;
}

export interface RecallResult {
  readonly conversations: readonly RecalledConversation[];
  readonly summary: {
    readonly total_conversations_found: number;
    /** With `group_by`: the number of conversations in each hour. */
    readonly hours?: readonly { readonly hour: string; readonly source_tool: string; readonly count: number }[];
  };
}

export function asSearchResult(conversation: RecalledConversation): SearchResult {
  const { id, title, source_tool: source, project, updated_at: updated, snippet, message_id: message } = conversation;
  return {
    kind: "conversation",
    title,
    where: [sourceName(source), project ?? ""].filter((part) => part !== "").join(" › "),
    when: Date.parse(updated),
    snippet,
    id: `${source}/${id}`,
    ...(message !== undefined && { message }),
  };
}

/** A conversation as read_conversation describes it. */
export type ConversationFacts = Omit<RecalledConversation, "snippet" | "message_id"> & { readonly archived?: boolean };
