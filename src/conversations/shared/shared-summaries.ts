// Conversations of a shared store without their messages: who pushed them, and into
// which space (shared/schema/conversations.ts selects it). Used by what reads them.
import type { Row } from "../../shared/shared.ts";
import type { SourceName, TimeKnown } from "../sources/source.ts";
import type { ConversationSummary } from "../store/conversation-reader.ts";

/** Names a conversation by its program and its id. */
export function nameOf(row: Row): string {
  return `${String(row["source"])}/${String(row["key"])}`;
}

export function sharedSummaryIn(row: Row): ConversationSummary {
  const text = (name: string) => (typeof row[name] === "string" ? row[name] : undefined);
  const lines = (name: string, separator: string) =>
    String(row[name])
      .split(separator)
      .filter((one) => one !== "");
  return {
    row: Number(row["id"]),
    id: String(row["key"]),
    source: row["source"] as SourceName,
    title: String(row["title"]),
    // A path on the machine of who pushed it.
    folder: undefined,
    project: text("project_name") ?? text("folder")?.replace(/^.*[/\\]/s, ""),
    workspace: text("workspace"),
    branch: text("branch"),
    created: Number(row["created"]),
    updated: Number(row["updated"]),
    timeKnown: row["time_known"] as TimeKnown,
    messages: Number(row["messages"]),
    type: row["type"] as ConversationSummary["type"],
    keywords: lines("keywords", " "),
    opening: String(row["opening"]),
    files: lines("files", "\n"),
    continues: text("continued"),
    sharedUntil: Number(row["shared_until"] ?? row["created"]),
    unavailable: text("unavailable"),
    model: text("model"),
    isArchived: false,
    hasDroppedTexts: row["has_dropped"] === true,
    // A member who was removed from the store has no name there any more.
    shared: { member: text("member_name") ?? "", space: String(row["space_name"]) },
  };
}
