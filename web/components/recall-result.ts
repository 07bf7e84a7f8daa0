// Conversations as recall_conversations tells of them. Pure.
import type { Found } from "./result-item.tsx";
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
  /** The message that the snippet is from. */
  readonly message_id?: string;
}

export interface Recalled {
  readonly conversations: readonly RecalledConversation[];
  readonly summary: {
    readonly total_conversations_found: number;
    /** Where they were asked for: how many there were in each hour. */
    readonly hours?: readonly { readonly hour: string; readonly source_tool: string; readonly count: number }[];
  };
}

export function asFound(conversation: RecalledConversation): Found {
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

/** What read_conversation says about a conversation itself. */
export type ConversationFacts = Omit<RecalledConversation, "snippet" | "message_id"> & { readonly archived?: boolean };
