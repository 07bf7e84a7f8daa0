// The parts of the program for one member of a shared store, on a server that
// serves many: what the store keeps in the spaces of that member, and nothing of
// the machine that the server runs on. Whatever is not named here does not exist
// for a member. Used by members.ts.
import { join } from "node:path";
import { accessRules } from "../../files/files.ts";
import type { Journals } from "../../journal/journal.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import type { Outlines } from "../../outline/outline.ts";
import type { Entered, Store } from "../../shared/shared.ts";
import type { Settings, VaultSettings } from "../../settings.ts";
import type { Services, ToolName } from "../../tools/tools.ts";
import { onFirstUse, type OnFirstUse } from "../first-use.ts";
import type { Parts } from "../parts.ts";
import type { VaultParts } from "../vault-parts.ts";

/** The tools that members have: each works on what is in the store alone. */
export const MEMBER_TOOLS: ReadonlySet<string> = new Set<ToolName>([
  "contentManager_readContent",
  "contentManager_createContent",
  "contentManager_appendContent",
  "contentManager_prependContent",
  "contentManager_replaceContent",
  "contentManager_replaceByLine",
  "contentManager_deleteContent",
  "contentManager_findReplaceContent",
  "contentManager_updateProperties",
  "contentManager_batchContent",
  "vaultManager_listDirectory",
  "vaultManager_createFolder",
  "vaultManager_moveNote",
  "vaultManager_moveFolder",
  "vaultManager_editFolder",
  "vaultManager_deleteNote",
  "vaultManager_deleteFolder",
  "vaultManager_duplicateNote",
  "vaultLibrarian_searchContent",
  "vaultLibrarian_searchDirectory",
  "vaultLibrarian_batch",
  "vaultLibrarian_links",
  "vaultLibrarian_tags",
  "vaultLibrarian_query",
  "list_tasks",
  "update_task",
  "memoryManager_createSession",
  "memoryManager_loadSession",
  "memoryManager_listSessions",
  "memoryManager_updateSession",
  "memoryManager_createWorkspace",
  "memoryManager_loadWorkspace",
  "memoryManager_listWorkspaces",
  "memoryManager_updateWorkspace",
  "memoryManager_createState",
  "memoryManager_loadState",
  "memoryManager_listStates",
  "memoryManager_updateState",
  "vaultLibrarian_searchMemory",
  "get_current_document",
  "get_outline_structure",
  "get_row",
  "search_outline",
  "get_row_children",
  "add_row",
  "update_row",
  "move_row",
  "delete_row",
  "get_section_content",
  "insert_content",
  "check_connection",
  "open_document",
  "create_document",
  "recall_conversations",
  "read_conversation",
  "export_individual_conversations",
  "search",
  "undo",
  "redo",
  "history",
  "get_server_version",
]);

export type MemberSpace = Entered["spaces"][number];

/** Those in which the member may write first: the first is the default of every call. */
export function inOrder(spaces: readonly MemberSpace[]): MemberSpace[] {
  const rank = ({ role }: MemberSpace) => (role === "reader" ? 1 : 0);
  return spaces.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
}

/** Nothing of the server's own settings but what it offers, and where it may cache. */
export function memberSettings(server: Settings, spaces: readonly MemberSpace[]): Settings {
  const vaults = spaces.map(({ id, name, role }): VaultSettings => ({
    name,
    space: name,
    // Nothing is there, and nobody else can put anything there.
    folder: join(server.folders.data, "spaces", String(id)),
    isReadOnly: role === "reader",
    protect: [],
    hide: [],
  }));
  const [first] = vaults;
  if (first === undefined)
    throw new Problem("denied", "You are in no space of this store.", "An owner of a space lets you in.");
  return {
    vault: first.folder,
    vaults: [first, ...vaults.slice(1)],
    outline: "",
    outlineFolders: [],
    project: undefined,
    workspaceFolders: undefined,
    workingDirectory: "",
    toolsets: server.toolsets.some((each) => each === "default" || each === "lean") ? ["all"] : server.toolsets,
    readOnly: server.readOnly,
    timeZone: server.timeZone,
    related: server.related,
    embeddings: undefined,
    memory: server.memory === "off" ? "off" : undefined,
    conversations: [],
    projects: [],
    toolTexts: 0,
    noRedact: false,
    briefing: false,
    store: undefined,
    server: undefined,
    token: undefined,
    folders: server.folders,
    configWarnings: [],
    origins: server.origins,
  };
}

interface Opening {
  readonly store: Store;
  readonly spaces: readonly MemberSpace[];
  readonly log: Log;
}

export function openMemberParts(settings: Settings, { store, spaces, log }: Opening): Parts {
  const vaults = settings.vaults.map((own, i) => openSpaceParts(settings, own, { store, space: spaces[i]!, log }));
  const journalsOf = async (chosen: readonly VaultParts[]): Promise<Journals> => {
    const { joinJournals } = await import("../../journal/journal.ts");
    return joinJournals(
      chosen.map((parts) => async () => {
        const { journal } = await parts.vault.get();
        return [vaults.length === 1 ? journal : { ...journal, vault: parts.settings.name }];
      }),
    );
  };
  const named = vaults.map((parts) => ({
    name: parts.settings.name,
    folder: parts.settings.folder,
    vault: parts.vault.get,
    memory: parts.memory.get,
    journals: () => journalsOf([parts]),
  }));
  const outlines = onFirstUse(() => openSpaceOutlines(settings, vaults, log));
  const journals = onFirstUse(() => journalsOf(vaults));
  const conversations: Parts["conversations"] = onFirstUse(async () => {
    const [{ openSharedConversations }, { redact }] = await Promise.all([
      import("../../conversations/conversations.ts"),
      import("../../redaction/redaction.ts"),
    ]);
    return openSharedConversations({ store, cache: settings.folders.cache, redact, log });
  });
  const services: Services = {
    settings,
    vault: named[0]!.vault,
    memory: named[0]!.memory,
    vaults: named,
    askedVaults: named,
    isHiddenFile: undefined,
    hasDisk: false,
    outlines: outlines.get,
    conversations: conversations.get,
    journals: journals.get,
    projectRoot: notOffered("A project").get,
    project: notOffered("A project").get,
  };
  return {
    vaults,
    outlines,
    journals,
    conversations,
    store: undefined,
    services,
    rootCandidates: { setting: undefined, workspaceFolders: undefined, workingDirectory: "" },
  };
}

function openSpaceParts(
  settings: Settings,
  own: VaultSettings,
  { store, space, log }: Omit<Opening, "spaces"> & { readonly space: MemberSpace },
): VaultParts {
  const access = accessRules({
    hide: [],
    protect: [],
    readOnly: own.isReadOnly ? { vault: own.name, by: "role" } : undefined,
  });
  const vault = onFirstUse(async () => {
    const { openSharedVault } = await import("../../vault/vault.ts");
    const place = { store, space: own.name, folder: own.folder, isServed: true } as const;
    return openSharedVault(place, {
      access,
      cache: settings.folders.cache,
      log,
      timeZone: settings.timeZone,
      pdfProgram: join(import.meta.dirname, "pdf-process.mjs"),
      wordVectors: settings.related ? join(import.meta.dirname, "word-vectors.bin") : undefined,
    });
  });
  const memory = onFirstUse(async () => {
    if (settings.memory === "off") throw new Problem("denied", "Memory is off on this server.");
    const [{ eventsOfSpace, openMemory }, { createFolder, hashAt }, { redact }, { spaceIdentity }] = await Promise.all([
      import("../../memory/memory.ts"),
      import("../../vault/vault.ts"),
      import("../../redaction/redaction.ts"),
      import("../../shared/shared.ts"),
    ]);
    const identity = await store.reading((sql) => spaceIdentity(sql, own.name));
    return openMemory({
      vault: {
        // The members of a space share its index; each question asks the store whether the member may read it.
        folder: `${store.address.shown} ${identity}`,
        check: () => {},
        hashOf: async (sent) => hashAt(await vault.get(), sent),
        makeFolder: async (author, sent) => createFolder(await vault.get(), author, sent),
      },
      events: await eventsOfSpace({ store, space, redact }),
      cache: settings.folders.cache,
      isReadOnly: settings.readOnly || own.isReadOnly,
      readOnlyBecause: own.isReadOnly
        ? `You are a reader of the space ${own.name}: memory keeps nothing new.`
        : undefined,
      redact,
      log,
    });
  });
  return { settings: own, access, vault, missing: async () => undefined, memory };
}

/** Outlines are files of the spaces; no other document can be named. */
async function openSpaceOutlines({ folders }: Settings, vaults: readonly VaultParts[], log: Log): Promise<Outlines> {
  const { openOutlines } = await import("../../outline/outline.ts");
  return openOutlines({
    file: undefined,
    isEmbedded: false,
    folders: [],
    vaults: vaults.map(({ settings: { folder }, vault }) => ({ folder, isStored: true, open: vault.get })),
    // For outlines on a disk; a member has none.
    journalFolder: join(folders.data, "journal"),
    idFolder: join(folders.data, "outlines"),
    hasNone: true,
    mostOpen: 1,
    log,
  });
}

function notOffered(what: string): OnFirstUse<never> {
  return onFirstUse(async () => {
    throw new Problem("denied", `${what} cannot be used through this server.`);
  });
}
