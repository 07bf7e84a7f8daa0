// The table of all tools, in the order in which hosts list them, and the
// selection that a server offers. Used by app/app.ts.
import type { Settings } from "../settings.ts";
import { fetchForChatGPT, searchForChatGPT } from "./chatgpt/chatgpt.ts";
import { searchMemory } from "./memory/memory-search.ts";
import { createSession, listSessions, loadSession, updateSession } from "./memory/sessions.ts";
import { createState, listStates, loadState, updateState } from "./memory/states.ts";
import { createWorkspace, listWorkspaces, loadWorkspace, updateWorkspace } from "./memory/workspaces.ts";
import { getProjectInfo } from "./project/project-info.ts";
import { listProjectFiles } from "./project/project-files.ts";
import { addRow, deleteRow, moveRow, updateRow } from "./outline/row-writing.ts";
import { checkConnection, createDocument, getCurrentDocument, openDocument } from "./outline/documents.ts";
import { getOutlineStructure, getRow, getRowChildren } from "./outline/row-reading.ts";
import { searchOutline } from "./outline/outline-search.ts";
import { getSectionContent, insertContent } from "./outline/sections.ts";
import { exportIndividualConversations } from "./recall/conversation-export.ts";
import { readConversation } from "./recall/conversation-reading.ts";
import { recallConversations } from "./recall/conversation-search.ts";
import { listingOf, type ResultOf, type Tool, type ToolListing } from "./definition/define-tool.ts";
import { history, redo, undo } from "./every/undo.ts";
import { search } from "./every/search.ts";
import { getServerVersion } from "./every/server-version.ts";
import { createFolder, deleteFolder, listDirectory } from "./vault/folders.ts";
import { links } from "./vault/links.ts";
import { editFolder, moveFolder, moveNote } from "./vault/moves.ts";
import { batchContent } from "./vault/note-batches.ts";
import { deleteNote, duplicateNote } from "./vault/note-files.ts";
import { openNote, readContent } from "./vault/note-reading.ts";
import {
  appendContent,
  createContent,
  deleteContent,
  findReplaceContent,
  prependContent,
  replaceByLine,
  replaceContent,
} from "./vault/note-writing.ts";
import { updateProperties } from "./vault/properties.ts";
import { query } from "./vault/queries.ts";
import { listTasks, updateTask } from "./vault/tasks.ts";
import { batchSearch, searchContent, searchDirectory } from "./vault/searches.ts";
import { tags } from "./vault/tags.ts";

export const TOOLS = [
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
  query,
  listTasks,
  updateTask,
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
] as const satisfies readonly Tool[];

/** The list `lean`: for hosts that load every tool at once, and pay for it in every conversation. */
export const LEAN: ReadonlySet<string> = new Set<ToolName>([
  "contentManager_readContent",
  "contentManager_createContent",
  "contentManager_appendContent",
  "contentManager_replaceContent",
  "contentManager_updateProperties",
  "vaultManager_moveNote",
  "vaultManager_listDirectory",
  "list_tasks",
  "search",
  "undo",
  "get_outline_structure",
  "insert_content",
  "update_row",
  "recall_conversations",
  "read_conversation",
  "get_project_info",
]);

/** The list `chatgpt`: search in a form of its own, and nothing beside it, so it takes the place of other lists. */
const FOR_CHATGPT: readonly Tool[] = [searchForChatGPT, fetchForChatGPT];

/** Tools that other lists and older instructions name: answered wherever the default list is, and not listed in it. */
const CALLABLE: ReadonlySet<string> = new Set<ToolName>(["contentManager_prependContent"]);

type KnownTool = (typeof TOOLS)[number];
export type ToolName = KnownTool["name"];
/** The tool of that name, or any tool if the name is only known at run time. */
export type ToolNamed<N extends string> = string extends N ? Tool : Extract<KnownTool, { readonly name: N }>;

/** The result of the tool of that name. */
export type ResultNamed<N extends ToolName> = ResultOf<ToolNamed<N>>;

export interface Toolbox {
  readonly tools: readonly Tool[];
  /** The answer to `tools/list`: made once, not for each request. */
  readonly listing: readonly ToolListing[];
  readonly find: <N extends string>(name: N) => ToolNamed<N> | undefined;
  /** Returns whether any tool of this set is offered, or would be if the server could write. */
  readonly has: (toolset: Tool["toolset"]) => boolean;
}

/** The tools that the settings select. @param only the names of the only ones that there are */
export function selectTools({ toolsets, readOnly, memory, vaults }: Asked, only?: ReadonlySet<string>): Toolbox {
  if (toolsets.includes("chatgpt")) return toolboxOf(FOR_CHATGPT);
  const all: readonly Tool[] = only === undefined ? TOOLS : TOOLS.filter(({ name }) => only.has(name));
  const tools = all.map((tool) => (readOnly ? (tool.whenReadOnly ?? tool) : tool));
  const asked = tools.filter((tool) => isOffered(tool, toolsets) && (tool.toolset !== "memory" || memory !== "off"));
  const sets = new Set(asked.map(({ toolset }) => toolset));
  const offered = asked.filter(({ effects }) => effects.readOnly || !readOnly);
  const callable = toolsets.includes("default")
    ? tools.filter((tool) => CALLABLE.has(tool.name) && !readOnly && !offered.includes(tool))
    : [];
  return {
    ...toolboxOf(
      offered,
      vaults?.map(({ name }) => name),
      callable,
    ),
    has: (set) => sets.has(set),
  };
}

type Asked = Pick<Settings, "toolsets" | "readOnly"> & Partial<Pick<Settings, "memory" | "vaults">>;

/** @param vaults the names of the server's vaults @param callable tools that are found by their names, and not listed */
export function toolboxOf(
  tools: readonly Tool[],
  vaults: readonly string[] = [],
  callable: readonly Tool[] = [],
): Toolbox {
  const byName = new Map([...tools, ...callable].map((tool) => [tool.name, tool]));
  return {
    tools,
    listing: tools.map((tool) => listingOf(tool, vaults)),
    find: <N extends string>(name: N) => byName.get(name) as ToolNamed<N> | undefined,
    has: (toolset) => tools.some((tool) => tool.toolset === toolset),
  };
}

function isOffered(tool: Tool, toolsets: Settings["toolsets"]): boolean {
  return toolsets.some((toolset) => {
    if (toolset === "default") return tool.byDefault;
    if (toolset === "lean") return LEAN.has(tool.name);
    return toolset === "all" || tool.toolset === toolset || tool.toolset === "every";
  });
}
