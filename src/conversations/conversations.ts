// The front door of conversations/: every conversation with every assistant on
// this machine. Reading and storing them is loaded on first use: the list of
// tools needs only names.
import type { openConversations as OpenConversations } from "./conversation-library.ts";
import type { ConversationSource } from "./sources/source.ts";
import { loadSources } from "./sources/sources.ts";

export type { Asking, Answer, Conversations } from "./conversation-library.ts";
export {
  checkFolderName,
  defaultExportFolder,
  exportFolder,
  folderWriter,
  isWithin,
  storesOf,
} from "./export/export-folder.ts";
export { EXPORT_FORMATS, exportConversations, type ExportWriter } from "./export/export.ts";
export { glanceAt, sourceStates, type SourceState } from "./ingest/source-states.ts";
export type { HourCount, Question, Recalled, RecalledConversation } from "./recall/recall.ts";
export { CONVERSATION_TYPES } from "./recall/type-names.ts";
export { homesOf } from "./sources/homes.ts";
export { SOURCE_NAMES } from "./sources/sources.ts";
export type { ConversationSummary, Message } from "./store/reader.ts";

export async function openConversations(
  ...given: Parameters<typeof OpenConversations>
): Promise<ReturnType<typeof OpenConversations>> {
  return (await import("./conversation-library.ts")).openConversations(...given);
}

/** One source per program. */
export async function conversationSources(): Promise<readonly ConversationSource[]> {
  return loadSources();
}
