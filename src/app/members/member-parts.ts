// The parts of the program for one member of a shared store, on a server that
// serves many: what the store keeps in the spaces of that member, and nothing of
// the machine that the server runs on. Whatever is not named here does not exist
// for a member. Used by members.ts.
import { accessRules, parseFolderPath, parseVaultPath } from "../../files/files.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import type { Entered, Store } from "../../postgres/postgres.ts";
import type { Settings, VaultSettings } from "../../settings.ts";
import type { Services, ToolName } from "../../tools/tools.ts";
import { onFirstUse, type OnFirstUse } from "../first-use.ts";
import type { Parts } from "../parts.ts";
import type { VaultParts } from "../vault-parts.ts";

/** The tools that members have: each works on what is in the store alone. */
export const MEMBER_TOOLS: ReadonlySet<string> = new Set<ToolName>([
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
  const vaults = spaces.map(({ name, role }): VaultSettings => ({
    name,
    folder: `store:${name}`,
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
    related: false,
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
  const named = vaults.map(({ settings: own, vault, memory }) => ({
    name: own.name,
    folder: own.folder,
    vault: vault.get,
    memory: memory.get,
    journals: notOffered("Undo").get,
  }));
  const outlines: Parts["outlines"] = notOffered("Outlines");
  const journals: Parts["journals"] = notOffered("Undo");
  const conversations: Parts["conversations"] = notOffered("Conversations");
  const services: Services = {
    settings,
    vault: named[0]!.vault,
    memory: named[0]!.memory,
    vaults: named,
    askedVaults: named,
    isHiddenFile: undefined,
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
  const memory = onFirstUse(async () => {
    if (settings.memory === "off") throw new Problem("denied", "Memory is off on this server.");
    const [{ eventsOfSpace, openMemory }, { redact }] = await Promise.all([
      import("../../memory/memory.ts"),
      import("../../redaction/redaction.ts"),
    ]);
    return openMemory({
      vault: {
        // The members of a space share its index; each question asks the store whether the member may read it.
        folder: `${store.address.shown} ${space.id}`,
        check: () => {},
        hashOf: async (sent) => ({ path: parseVaultPath(sent), hash: undefined }),
        makeFolder: async (_author, sent) => ({ path: parseFolderPath(sent) }),
      },
      events: await eventsOfSpace({ store, space, redact }),
      cache: settings.folders.cache,
      isReadOnly: settings.readOnly || own.isReadOnly,
      redact,
      log,
    });
  });
  return { settings: own, access: accessRules({}), vault: notOffered("Notes"), memory };
}

function notOffered(what: string): OnFirstUse<never> {
  return onFirstUse(async () => {
    throw new Problem("denied", `${what} cannot be used through this server.`);
  });
}
