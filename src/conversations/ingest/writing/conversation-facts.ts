// Applies what a source reports about a conversation as a whole to its row.
// Used by store-writer.ts.
import type { ConversationFacts } from "../../sources/source.ts";
import { isReadable } from "../../store/title-lines.ts";
import { change, retitle, type BufferedConversation } from "./buffered-conversation.ts";

export function applyFacts(conversation: BufferedConversation, facts: ConversationFacts): void {
  const { row } = conversation;
  // Some programs call a conversation after whatever it begins with.
  const mayRetitle = facts.titleBy === "user" || (row.title_by !== "user" && isReadable(facts.title ?? ""));
  if (facts.title !== undefined && facts.title.trim() !== "" && mayRetitle)
    retitle(conversation, facts.title, facts.titleBy ?? "program");
  if (facts.folder !== undefined) change(conversation, "folder", facts.folder);
  if (facts.workspace !== undefined) change(conversation, "workspace", facts.workspace);
  if (facts.branch !== undefined) change(conversation, "branch", facts.branch);
  if (facts.unavailable !== undefined && row.is_listed === 0) {
    change(conversation, "unavailable", facts.unavailable);
    change(conversation, "is_listed", 1);
  }
  if (facts.model !== undefined) change(conversation, "model", facts.model);
  if (facts.copiedAt !== undefined) change(conversation, "copied_at", facts.copiedAt);
  if (facts.continues !== undefined) change(conversation, "continues_key", facts.continues);
  if (facts.created !== undefined && (row.created_known !== "stored" || facts.created.at < row.created!)) {
    change(conversation, "created", facts.created.at);
    change(conversation, "created_known", facts.created.known);
  }
  if (facts.updated !== undefined && (row.updated_known !== "stored" || facts.updated.at > row.updated!)) {
    change(conversation, "updated", facts.updated.at);
    change(conversation, "updated_known", facts.updated.known);
  }
}
