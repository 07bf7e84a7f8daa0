// The front door of conversations/: every conversation with every assistant on
// this machine (openConversations, beside those of a shared store if one is named),
// or those of a shared store alone (openSharedConversations). Reading, storing and exporting them is loaded on first use: the
// list of tools needs only names.
import type { openConversations as OpenConversations } from "./conversation-library.ts";
import type { exportConversations as ExportConversations } from "./export/export.ts";
import type { openSharedConversations as OpenSharedConversations } from "./shared/shared-conversations.ts";
import type { ConversationSource } from "./sources/source.ts";
import { loadSources } from "./sources/sources.ts";

export type { Answer, Conversations, PushedProjects } from "./conversation-library.ts";
export { checkFolderName, defaultExportFolder, exportFolder, folderWriter, storesOf } from "./export/export-folder.ts";
export type { ExportFormat, ExportWriter } from "./export/export.ts";
export { expiringTranscripts, type Expiring } from "./ingest/expiring.ts";
export { statesWithoutStore, sourceStates, type SourceState } from "./ingest/source-states.ts";
export type { AskedFile, Author } from "./recall/file-authors.ts";
export type { Imported, ImportOptions } from "./imports/import-archive.ts";
export { importSummary } from "./imports/import-summary.ts";
export type { FileEdit } from "./recall/file-edits.ts";
export { type ConversationGroup, GROUPS, type GroupBy } from "./recall/groups.ts";
export type { PassageFile } from "./recall/passage-files.ts";
export type { RecordedFile } from "./recall/recorded-files.ts";
export type { Standing } from "./recall/standing.ts";
export { ORDERS } from "./recall/orders.ts";
export type { Question } from "./recall/question.ts";
export type { HourCount, Recalled, RecalledConversation } from "./recall/recall.ts";
export { CONVERSATION_TYPES } from "./recall/conversation-types.ts";
export { homesOf } from "./sources/homes.ts";
export type { Tokens } from "./sources/source.ts";
export { SOURCE_NAMES } from "./sources/sources.ts";
export { keepSharedProjects, sharedProjects, type SharedProject } from "./shared/shared-projects.ts";
export { SPACE_KIND } from "./shared/space-kind.ts";
export type { FoundSecret, SecretsFound } from "./secrets.ts";
export type { Forgettable, ToForget } from "./forgetting.ts";
export { handoffOf } from "./handoff.ts";
export type { HostMemory } from "./host-memories.ts";
export type { WayBack } from "./way-back.ts";
export type { ConversationSummary, Message } from "./store/conversation-reader.ts";
export { countOnlyInStore, keepRestored } from "./store/restored-store.ts";

export async function openConversations(
  ...given: Parameters<typeof OpenConversations>
): Promise<ReturnType<typeof OpenConversations>> {
  return (await import("./conversation-library.ts")).openConversations(...given);
}

/** Those of a shared store alone, for a server that works for one member: nothing of its own machine is read. */
export async function openSharedConversations(
  ...given: Parameters<typeof OpenSharedConversations>
): Promise<ReturnType<typeof OpenSharedConversations>> {
  return (await import("./shared/shared-conversations.ts")).openSharedConversations(...given);
}

export const exportConversations: typeof ExportConversations = async (...given) =>
  (await import("./export/export.ts")).exportConversations(...given);

/** One source per program. */
export async function conversationSources(): Promise<readonly ConversationSource[]> {
  return loadSources();
}
