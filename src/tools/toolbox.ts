// The table of all tools, in the order in which hosts see them, and which of
// them a server offers.
import type { Settings } from "../settings.ts";
import { getServerVersion } from "./project/get-server-version.ts";
import { exportIndividualConversations } from "./recall/export-individual-conversations.ts";
import { readConversation } from "./recall/read-conversation.ts";
import { recallConversations } from "./recall/recall-conversations.ts";
import { listingOf, type Tool, type ToolListing } from "./tool.ts";
import { appendContent } from "./vault/append-content.ts";
import { batchContent } from "./vault/batch-content.ts";
import { createContent } from "./vault/create-content.ts";
import { createFolder } from "./vault/create-folder.ts";
import { deleteContent } from "./vault/delete-content.ts";
import { deleteFolder } from "./vault/delete-folder.ts";
import { deleteNote } from "./vault/delete-note.ts";
import { duplicateNote } from "./vault/duplicate-note.ts";
import { findReplaceContent } from "./vault/find-replace-content.ts";
import { batchSearch, links, tags } from "./vault/librarian.ts";
import { listDirectory } from "./vault/list-directory.ts";
import { editFolder, moveFolder, moveNote } from "./vault/moves.ts";
import { openNote } from "./vault/open-note.ts";
import { prependContent } from "./vault/prepend-content.ts";
import { readContent } from "./vault/read-content.ts";
import { replaceByLine } from "./vault/replace-by-line.ts";
import { replaceContent } from "./vault/replace-content.ts";
import { searchContent } from "./vault/search-content.ts";
import { searchDirectory } from "./vault/search-directory.ts";
import { search } from "./vault/search.ts";
import { history, redo, undo } from "./vault/undo.ts";
import { updateProperties } from "./vault/update-properties.ts";

export const TOOLS: readonly Tool[] = [
  readContent,
  createContent,
  appendContent,
  prependContent,
  replaceContent,
  replaceByLine,
  deleteContent,
  findReplaceContent,
  updateProperties,
  batchContent,
  listDirectory,
  createFolder,
  moveNote,
  moveFolder,
  editFolder,
  deleteNote,
  deleteFolder,
  duplicateNote,
  openNote,
  searchContent,
  searchDirectory,
  batchSearch,
  links,
  tags,
  recallConversations,
  readConversation,
  exportIndividualConversations,
  search,
  undo,
  redo,
  history,
  getServerVersion,
];

export interface Toolbox {
  readonly tools: readonly Tool[];
  /** What `tools/list` answers: made once, not for each request. */
  readonly listing: readonly ToolListing[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools that these settings ask for. */
export function selectTools({ toolsets, readOnly }: Pick<Settings, "toolsets" | "readOnly">): Toolbox {
  return toolboxOf(TOOLS.filter((tool) => isOffered(tool, toolsets) && (tool.effects.readOnly || !readOnly)));
}

export function toolboxOf(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { tools, listing: tools.map(listingOf), find: (name) => byName.get(name) };
}

function isOffered(tool: Tool, toolsets: Settings["toolsets"]): boolean {
  return toolsets.some((toolset) => {
    if (toolset === "default") return tool.byDefault;
    return toolset === "all" || tool.toolset === toolset || tool.toolset === "every";
  });
}
