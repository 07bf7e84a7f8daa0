// The front door of app/, the composition root: holds the settings, runs calls on
// parts that are opened on first use, and closes them in order. Used by the
// commands and by mcp/.
import { type Folders, tightenFiles, tightenFolders } from "../files/files.ts";
import type { Conversations, Imported, ImportOptions, ToForget } from "../conversations/conversations.ts";
import { log, type Log, Problem, PROTOCOL_VERSIONS, shortened } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import type { Asker, Caller, CallResult, ResultOf, Tool, Toolbox, ToolNamed } from "../tools/tools.ts";
import type { MediaFacts, MediaFile, NewAttachment, RefreshOptions, Swept } from "../vault/vault.ts";
import { changeStamp } from "./change-stamp.ts";
import { onFirstUse } from "./first-use.ts";
import type { Forgetting } from "./forgetting.ts";
import type { openMembers as OpenMembers } from "./members/members.ts";
import { openParts, type Parts } from "./parts.ts";
import type { ConversationPushOptions, PushedToSpace } from "./shared-conversations.ts";
import type { PushedMemory, PushOptions } from "./shared-memory.ts";

export {
  personCalls,
  type Connection,
  type Finding,
  type MadeChange,
  type PersonCalls,
  type PlannedChange,
  type Progress,
  type Status,
} from "./person-calls.ts";
export type { Forgetting } from "./forgetting.ts";
export { replaceable } from "./replaceable.ts";
export type { Members } from "./members/members.ts";
export { projectsSharedHere, stopSharing, type PushedToSpace } from "./shared-conversations.ts";
export type { PushedMemory } from "./shared-memory.ts";

// A server for members is the only one that needs it.
export const openMembers = async (...given: Parameters<typeof OpenMembers>): Promise<ReturnType<typeof OpenMembers>> =>
  (await import("./members/members.ts")).openMembers(...given);

export interface Commonplace {
  readonly settings: Settings;
  /** True if it works for a member of a shared store, and has nothing of this machine. */
  readonly isForMember: boolean;
  readonly log: Log;
  /** The tools that are offered to an asker. */
  readonly toolbox: (asker?: Asker) => Promise<Toolbox>;
  /** Runs a tool, or returns undefined if this asker is offered none of that name. */
  readonly call: <N extends string>(
    name: N,
    sent: unknown,
    asking: Asking,
  ) => Promise<CallResult<ResultOf<ToolNamed<N>>> | undefined>;
  /** Returns whether a call of this tool depends on the client's roots. */
  readonly asksForRoots: (name: string) => Promise<boolean>;
  /** Opens a file of a vault (by default the first) for the page or a host to show; undefined if there is none at that path. The caller closes it. */
  readonly openMedia: (path: string, vault?: string) => Promise<MediaFile | undefined>;
  /** Returns the facts of such a file that are known without reading it. */
  readonly mediaFacts: (path: string, vault?: string) => Promise<MediaFacts | undefined>;
  /** Adds an image that a person pasted into a note; returns its path. For the page only. */
  readonly addImage: (added: NewAttachment, vault?: string) => Promise<string>;
  /** Re-indexes external changes and returns a token that differs after every change. For open pages. */
  readonly stamp: () => Promise<string>;
  /** Brings the index of a vault (by default the first) up to date, and waits for it. */
  readonly refreshIndex: (options: RefreshOptions, vault?: string) => Promise<Swept | undefined>;
  /** The vaults and the configured outline that have nothing of what was in them. For people only. */
  readonly missingPlaces: () => Promise<readonly MissingPlace[]>;
  /** Past conversations with assistants. */
  readonly conversations: () => Promise<Conversations>;
  /** Imports the archive that claude.ai or ChatGPT sent. For people only: by a command, or in the page. */
  readonly importArchive: (path: string, options?: ImportOptions) => Promise<Imported>;
  /** Adds the memory of this machine to a space of the shared store. For people only. */
  readonly pushMemory: (options: PushOptions) => Promise<PushedMemory>;
  /** Adds the conversations of the projects that the person named to a space of the shared store. For people only. */
  readonly pushConversations: (options: ConversationPushOptions) => Promise<PushedToSpace>;
  /** Plans what forgetting some conversations takes, and does it. For people only. */
  readonly forgetting: (what: ToForget) => Promise<Forgetting>;
  /** Deletes the whole history of undo, and returns the number of its changes. For people only. */
  readonly purgeHistory: () => Promise<number>;
  /** Waits for running calls, then closes every part that was opened. */
  readonly close: () => Promise<void>;
}

/** A place that a drive may not be mounted at. */
export interface MissingPlace {
  /** As doctor names it. */
  readonly part: string;
  readonly path: string;
  /** Remembers that a person said that what was there is gone on purpose. */
  readonly accept: () => Promise<void>;
}

/** The caller of a call, as callers describe it. */
export type Asking = Omit<Caller, "services" | "log" | "protocolVersion"> & { readonly protocolVersion?: string };

interface Options {
  readonly log?: Log;
  /** Replaces the tools of the table, for tests. */
  readonly toolbox?: Toolbox;
  /** Called before the first tool runs. */
  readonly onFirstCall?: () => void;
  /** Instead of those of this machine. */
  readonly parts?: Parts;
  /** The names of the only tools that anybody has here. */
  readonly only?: ReadonlySet<string>;
}

export function openCommonplace(settings: Settings, options: Options = {}): Commonplace {
  const writeLog = options.log ?? log;
  const parts = options.parts ?? openParts(settings, writeLog);
  const { vaults, outlines, journals, conversations, store, services, rootCandidates } = parts;
  const vaultNamed = (name: string | undefined) => {
    const found = name === undefined ? vaults[0] : vaults.find((each) => each.settings.name === name);
    if (found !== undefined) return found;
    throw new Problem("not_found", `There is no vault '${shortened(name!)}' here.`);
  };
  const underWay = new Set<Promise<unknown>>();
  let { onFirstCall } = options;

  // The tools are loaded on first use, so that a host that only initialises the
  // server does not wait for them.
  const toolboxFor = (asked: Settings) =>
    onFirstUse(async () => options.toolbox ?? (await import("../tools/tools.ts")).selectTools(asked, options.only));
  const toolboxes = {
    host: toolboxFor(settings),
    // On a server for members, who runs it says which tools there are; elsewhere a person has all of their own.
    all: toolboxFor({ ...settings, toolsets: options.only === undefined ? ["all"] : settings.toolsets }),
    // For the server's own questions: tools that only read, offered to the host or not.
    readers: toolboxFor({ ...settings, toolsets: ["all"], readOnly: true }),
  };
  const toolbox = async (asker: Asker = "host") => {
    const { ASKERS } = await import("../tools/tools.ts");
    return toolboxes[ASKERS[asker].tools].get();
  };

  // Once per process: restrict the permissions of our own folders before their first use, and clean them up after it.
  let isUsed = false;
  const use = () => {
    if (!isUsed) tightenFolders(settings.folders);
    isUsed = true;
  };
  let tidying: Promise<void> | undefined;

  const run = async <T extends Tool>(tool: T, sent: unknown, asking: Asking) => {
    use();
    onFirstCall?.();
    onFirstCall = undefined;
    const { callTool } = await import("../tools/tools.ts");
    const running = callTool(tool, sent, { protocolVersion: PROTOCOL_VERSIONS[0], ...asking, services, log: writeLog });
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
      tidying ??= tidy(settings.folders).catch((error: unknown) =>
        writeLog(`our own folders could not be tidied up: ${(error as Error).message}`),
      );
    }
  };

  return {
    settings,
    isForMember: options.only !== undefined,
    log: writeLog,
    toolbox,
    call: async (name, sent, asking) => {
      const [{ find }, { ASKERS, TOOLS }] = await Promise.all([toolbox(asking.asker), import("../tools/tools.ts")]);
      const tool = find(name);
      const { callsTools } = ASKERS[asking.asker];
      const isTool = (other: string) => TOOLS.some((each) => each.name === other);
      const offers = (other: string) => (find(other) !== undefined ? callsTools : isTool(other) ? false : undefined);
      return tool && run(tool, sent, { ...asking, offers });
    },
    asksForRoots: async (name) => {
      const tool = (await toolbox()).find(name);
      return (
        tool?.inProject === true &&
        services.hasDisk &&
        (await import("../project/project.ts")).asksClient(rootCandidates)
      );
    },
    openMedia: async (path, name) => {
      use();
      return (await import("../vault/vault.ts")).openMedia(await vaultNamed(name).vault.get(), path);
    },
    mediaFacts: async (path, name) => {
      use();
      return (await import("../vault/vault.ts")).mediaFacts(await vaultNamed(name).vault.get(), path);
    },
    addImage: async (added, name) => {
      use();
      if (settings.readOnly) throw new Problem("denied", "Nothing is changed while the server is read-only.");
      return (await import("../vault/vault.ts")).addAttachment(
        await vaultNamed(name).vault.get(),
        { tool: "page", by: { asker: "person" } },
        added,
      );
    },
    stamp: () => changeStamp(parts),
    refreshIndex: async (options, name) => {
      use();
      return (await vaultNamed(name).vault.get()).index.refresh(options);
    },
    missingPlaces: async () => {
      const ofVaults = vaults.map(async ({ settings: { name, folder }, missing }) => {
        const accept = await missing();
        const part = vaults.length === 1 ? "vault" : `vault ${name}`;
        return accept === undefined ? [] : [{ part, path: folder, accept }];
      });
      const file = settings.outline;
      const ofOutline = async () => {
        const accept = await (await outlines.get()).missing();
        return accept === undefined ? [] : [{ part: "outline", path: file, accept }];
      };
      return (await Promise.all([...ofVaults, ofOutline()])).flat();
    },
    conversations: async () => {
      use();
      return conversations.get();
    },
    importArchive: async (path, options) => {
      use();
      return (await conversations.get()).importArchive(path, options);
    },
    pushMemory: async (options) => {
      if (store === undefined) throw noStore();
      return (await import("./shared-memory.ts")).pushMemory(settings, vaults, await store.get(), options);
    },
    pushConversations: async (options) => {
      if (store === undefined) throw noStore();
      use();
      const sharing = {
        settings,
        vaults,
        isHiddenFile: services.isHiddenFile,
        store: await store.get(),
        conversations: await conversations.get(),
      };
      return (await import("./shared-conversations.ts")).pushConversations(sharing, options);
    },
    forgetting: async (what) => {
      use();
      const parts = {
        conversations: await conversations.get(),
        memories:
          settings.memory === "off"
            ? []
            : vaults.map(({ settings: { name, isReadOnly }, memory }) => ({
                vault: name,
                isReadOnly,
                open: memory.get,
              })),
        store: store && (() => store.get()),
      };
      return (await import("./forgetting.ts")).forgetting(parts, what);
    },
    purgeHistory: async () => (await journals.get()).purge(),
    close: async () => {
      await Promise.allSettled(underWay);
      await tidying;
      for (const { memory } of vaults) await (await memory.opened())?.close();
      await (await outlines.opened())?.close();
      for (const { vault } of vaults) await (await vault.opened())?.close();
      await (await conversations.opened())?.close();
      await (await store?.opened())?.close();
    },
  };
}

/** A command that needs a shared store was run without one. */
export function noStore(): Problem {
  return new Problem(
    "invalid",
    "No shared store is named.",
    "Set COMMONPLACE_STORE, --store or store in the config file: postgres://LOGIN@HOST/DATABASE",
  );
}

/** Restricts the permissions of our files, and removes files of other releases. */
async function tidy(folders: Folders): Promise<void> {
  const [{ NOTES_KIND }, { MEMORY_KIND }, { SPACE_KIND }, { removeOtherReleases }] = await Promise.all([
    import("../search/search.ts"),
    import("../memory/memory.ts"),
    import("../conversations/conversations.ts"),
    import("../sqlite/sqlite.ts"),
  ]);
  removeOtherReleases(folders.cache, [NOTES_KIND, MEMORY_KIND, SPACE_KIND]);
  await tightenFiles(folders);
}
