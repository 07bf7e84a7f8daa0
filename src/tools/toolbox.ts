// The table of all tools, in the order in which hosts see them, and which of
// them a server offers.
import type { Settings } from "../settings.ts";
import { searchMemory } from "./memory/search-memory.ts";
import { createSession, listSessions, loadSession, updateSession } from "./memory/sessions.ts";
import { createState, listStates, loadState, updateState } from "./memory/states.ts";
import { createWorkspace, listWorkspaces, loadWorkspace, updateWorkspace } from "./memory/workspaces.ts";
import { getProjectInfo } from "./project/get-project-info.ts";
import { getServerVersion } from "./project/get-server-version.ts";
import { listProjectFiles } from "./project/list-project-files.ts";
import { addRow, deleteRow, moveRow, updateRow } from "./outline/changing-rows.ts";
import { checkConnection, createDocument, getCurrentDocument, openDocument } from "./outline/documents.ts";
import { getOutlineStructure, getRow, getRowChildren } from "./outline/reading-rows.ts";
import { searchOutline } from "./outline/search-outline.ts";
import { getSectionContent, insertContent } from "./outline/sections.ts";
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
  createSession,
  loadSession,
  listSessions,
  updateSession,
  createWorkspace,
  loadWorkspace,
  listWorkspaces,
  updateWorkspace,
  createState,
  loadState,
  listStates,
  updateState,
  searchMemory,
  getCurrentDocument,
  getOutlineStructure,
  getRow,
  searchOutline,
  getRowChildren,
  addRow,
  updateRow,
  moveRow,
  deleteRow,
  getSectionContent,
  insertContent,
  checkConnection,
  openDocument,
  createDocument,
  recallConversations,
  readConversation,
  exportIndividualConversations,
  search,
  undo,
  redo,
  history,
  getProjectInfo,
  listProjectFiles,
  getServerVersion,
];

export interface Toolbox {
  readonly tools: readonly Tool[];
  /** What `tools/list` answers: made once, not for each request. */
  readonly listing: readonly ToolListing[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools that these settings ask for. */
export function selectTools({ toolsets, readOnly, memory }: Asked): Toolbox {
  const isPossible = (tool: Tool) =>
    (tool.effects.readOnly || !readOnly) && (tool.toolset !== "memory" || memory !== "off");
  return toolboxOf(TOOLS.filter((tool) => isOffered(tool, toolsets) && isPossible(tool)));
}

type Asked = Pick<Settings, "toolsets" | "readOnly"> & Partial<Pick<Settings, "memory">>;

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
