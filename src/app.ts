// The composition root: holds the settings, and opens each part of the program on
// first use. Used by the commands and by mcp/.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Folders, tightenFiles, tightenFolders } from "./files/files.ts";
import type { Conversations } from "./conversations/conversations.ts";
import { log, type Log, Problem, PROTOCOL_VERSIONS } from "./kernel/kernel.ts";
import type { Outlines } from "./outline/outline.ts";
import type { Project, TouchedFiles } from "./project/project.ts";
import type { Settings } from "./settings.ts";
import type { Asker, Caller, CallResult, ResultOf, Services, Tool, Toolbox, ToolNamed } from "./tools/tools.ts";
import type { Image, RefreshOptions, Swept, Vault } from "./vault/vault.ts";

export interface Commonplace {
  readonly settings: Settings;
  readonly log: Log;
  /** The tools that are offered to an asker. */
  readonly toolbox: (asker?: Asker) => Promise<Toolbox>;
  /** Runs a tool, or returns undefined if this asker is offered none of that name. */
  readonly call: <N extends string>(
    name: N,
    sent: unknown,
    asking: Asking,
  ) => Promise<CallResult<ResultOf<ToolNamed<N>>> | undefined>;
  /** Whether a call of this tool depends on the client's roots. */
  readonly asksForRoots: (name: string) => Promise<boolean>;
  /** An image of the vault, or undefined if there is none at that path. */
  readonly readImage: (path: string) => Promise<Image | undefined>;
  /** Re-indexes external changes and returns a token that differs after every change. For open pages. */
  readonly stamp: () => Promise<string>;
  /** Brings the vault's index up to date, and waits for it. */
  readonly refreshIndex: (options: RefreshOptions) => Promise<Swept | undefined>;
  /** Past conversations with assistants. */
  readonly conversations: () => Promise<Conversations>;
  /** Deletes the whole history of undo, and returns the number of its changes. For people only. */
  readonly purgeHistory: () => Promise<number>;
  /** Waits for running calls, then closes every part that was opened. */
  readonly close: () => Promise<void>;
}

/** The caller of a call, as callers describe it. */
export type Asking = Omit<Caller, "services" | "log" | "protocolVersion"> & { readonly protocolVersion?: string };

interface Parts {
  readonly log?: Log;
  /** Replaces the tools of the table, for tests. */
  readonly toolbox?: Toolbox;
  /** Called before the first tool runs. */
  readonly onFirstCall?: () => void;
}

/** Maximum number of projects that stay open; the least recently used is dropped. */
const MOST_PROJECTS = 4;

/** Files that conversations touched count for this many milliseconds. */
const RECENT = 30 * 24 * 60 * 60 * 1000;

export function openCommonplace(settings: Settings, parts: Parts = {}): Commonplace {
  const writeLog = parts.log ?? log;
  const underWay = new Set<Promise<unknown>>();
  let { onFirstCall } = parts;

  const vault = onFirstUse(async () => {
    const { openVault } = await import("./vault/vault.ts");
    const isEmbedded = settings.origins.vault === "default";
    const journals = join(settings.folders.data, "journal");
    const opened = openVault({
      folder: settings.vault,
      isEmbedded,
      journals,
      cache: settings.folders.cache,
      log: writeLog,
    });
    // Readers must not see what a killed process left half done. Without a journal the look would cost 10 ms, for SHA-256.
    if (!settings.readOnly && existsSync(journals)) await opened.journal.recoverInterrupted();
    return opened;
  });
  const memory = onFirstUse(async () => {
    if (settings.memory === "off")
      throw new Problem("denied", "Memory is off.", "Start the server with --memory vault or home.");
    const { hashAt, createFolder, memoryPlaces, moveLog, deviceName, openEventFolder, openMemory, redact } =
      await memoryParts();
    const open = await vault.get();
    const { folder: vaultFolder, check } = open.root;
    const dataFolder = settings.folders.data;
    const places = memoryPlaces({ memory: settings.memory, vaultFolder, dataFolder });
    const device = () => deviceName(dataFolder);
    // Only an explicit setting moves memory: it is never put into a vault by default.
    if (settings.memory !== undefined && !settings.readOnly)
      await moveLog({ from: places.other, to: places.log, device }).catch((error: unknown) =>
        writeLog(`memory could not be carried to ${places.log.path}: ${(error as Error).message}`),
      );
    return openMemory({
      vault: {
        folder: vaultFolder,
        check,
        hashOf: (sent) => hashAt(open, sent),
        makeFolder: (author, sent) => createFolder(open, author, sent),
      },
      events: openEventFolder({ places, vaultFolder, device, check }),
      cache: settings.folders.cache,
      isReadOnly: settings.readOnly,
      redact,
      log: writeLog,
    });
  });

  const outlines = onFirstUse(async () => {
    const { openOutlines } = await import("./outline/outline.ts");
    return openOutlines({
      file: settings.outline === "app" ? undefined : settings.outline,
      isEmbedded: settings.origins.outline === "default",
      folders: settings.outlineFolders,
      vaultFolder: settings.vault,
      vault: vault.get,
      journalFolder: join(settings.folders.data, "journal"),
      idFolder: join(settings.folders.data, "outlines"),
      application: process.platform === "darwin" ? openApplication : undefined,
      log: writeLog,
    });
  });
  const openApplication = async () => (await import("./outline/outline.ts")).openAppDocuments(writeLog);
  const journals = onFirstUse(async () =>
    (await import("./journal/journal.ts")).joinJournals([
      async () => [(await vault.get()).journal],
      async (reach) => (await outlines.get()).journals(reach),
    ]),
  );

  const conversationFile = join(settings.folders.data, "conversations.db");
  const conversations = onFirstUse(async () => {
    const [{ openConversations, homesOf, conversationSources }, { redact }] = await Promise.all([
      import("./conversations/conversations.ts"),
      import("./redaction/redaction.ts"),
    ]);
    return openConversations({
      file: conversationFile,
      sources: await conversationSources(),
      homes: homesOf({
        environment: process.env,
        further: settings.conversations,
        projects: settings.project === undefined ? settings.projects : [...settings.projects, settings.project],
      }),
      redact: settings.noRedact ? (text) => text : redact,
      log: writeLog,
      thread: join(import.meta.dirname, "reader-thread.cjs"),
    });
  });

  const rootSources = {
    setting: settings.project === undefined ? undefined : { path: settings.project, source: settings.origins.project },
    workspaceFolders: settings.workspaceFolders,
    workingDirectory: settings.workingDirectory,
  };
  // If nothing was ever indexed, the conversations need not be loaded.
  const touchedFiles: TouchedFiles = async (root) =>
    existsSync(conversationFile)
      ? (await conversations.get()).touchedFiles(root, Date.now() - RECENT)
      : new Map<string, number>();
  const projects = new Map<string, Project>();
  const services: Services = {
    settings,
    vault: vault.get,
    outlines: outlines.get,
    memory: memory.get,
    conversations: conversations.get,
    journals: journals.get,
    projectRoot: async ({ roots }) =>
      (await import("./project/project.ts")).findProjectRoot({ ...rootSources, clientRoots: roots }),
    project: async ({ folder }) => {
      const { Project } = await import("./project/project.ts");
      const project = projects.get(folder) ?? new Project(folder, touchedFiles);
      projects.delete(folder);
      projects.set(folder, project);
      if (projects.size > MOST_PROJECTS) projects.delete(projects.keys().next().value!);
      return project;
    },
  };

  // The tools are loaded on first use, so that a host that only initialises the
  // server does not wait for them.
  const toolboxFor = (asked: Settings) =>
    onFirstUse(async () => parts.toolbox ?? (await import("./tools/tools.ts")).selectTools(asked));
  const toolboxes = {
    host: toolboxFor(settings),
    all: toolboxFor({ ...settings, toolsets: ["all"] }),
    // For the server's own questions: tools that only read, offered to the host or not.
    readers: toolboxFor({ ...settings, toolsets: ["all"], readOnly: true }),
  };
  const toolbox = async (asker: Asker = "host") => {
    const { ASKERS } = await import("./tools/tools.ts");
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
    const { callTool } = await import("./tools/tools.ts");
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
    log: writeLog,
    toolbox,
    call: async (name, sent, asking) => {
      const tool = (await toolbox(asking.asker)).find(name);
      return tool && run(tool, sent, asking);
    },
    asksForRoots: async (name) => {
      const tool = (await toolbox()).find(name);
      return tool?.inProject === true && (await import("./project/project.ts")).asksClient(rootSources);
    },
    readImage: async (path) => {
      use();
      return (await import("./vault/vault.ts")).readImage(await vault.get(), path);
    },
    stamp: async () => {
      const stamps = await Promise.allSettled([
        vault.get().then(stampOfVault),
        // Parts that were never opened cannot have shown anything that changed.
        outlines.opened().then(stampOfOutline),
        conversations.opened().then(stampOfConversations),
      ]);
      return stamps.map((stamp) => (stamp.status === "fulfilled" ? stamp.value : String(stamp.reason))).join(" ");
    },
    refreshIndex: async (options) => {
      use();
      return (await vault.get()).index.refresh(options);
    },
    conversations: async () => {
      use();
      return conversations.get();
    },
    purgeHistory: async () => (await journals.get()).purge(),
    close: async () => {
      await Promise.allSettled(underWay);
      await tidying;
      await (await memory.opened())?.close();
      await (await outlines.opened())?.close();
      await (await vault.opened())?.close();
      await (await conversations.opened())?.close();
    },
  };
}

/** Includes the file's time: a page may have shown a version that was changed and changed back. */
async function stampOfOutline(outlines: Outlines | undefined): Promise<string> {
  const document = await outlines?.currentIfThere();
  if (document === undefined) return "-";
  const { path, version } = await document.read();
  return path === null ? version : `${version} ${(await stat(path)).mtimeMs}`;
}

/** A conversation that continues becomes the newest. */
async function stampOfConversations(conversations: Conversations | undefined): Promise<string> {
  if (conversations === undefined) return "-";
  const { answer } = await conversations.recall({ limit: 1 });
  const [newest] = answer.conversations;
  return `${answer.total}-${newest?.updated}-${newest?.messages}`;
}

/** Includes the journal: changes of folders and of unknown files are not in the index. */
async function stampOfVault({ index, journal }: Vault): Promise<string> {
  await index.refresh();
  return `${await index.stamp()} ${journal.history({ limit: 1 }).entries[0]?.id ?? "-"}`;
}

/** Restricts the permissions of our files, and removes files of other releases. */
async function tidy(folders: Folders): Promise<void> {
  const [{ NOTES_KIND }, { MEMORY_KIND }, { removeOtherReleases }] = await Promise.all([
    import("./search/search.ts"),
    import("./memory/memory.ts"),
    import("./sqlite/sqlite.ts"),
  ]);
  removeOtherReleases(folders.cache, [NOTES_KIND, MEMORY_KIND]);
  await tightenFiles(folders);
}

/** The modules that memory is composed of. */
async function memoryParts() {
  const [{ hashAt, createFolder }, { memoryPlaces, moveLog, deviceName, openEventFolder, openMemory }, { redact }] =
    await Promise.all([import("./vault/vault.ts"), import("./memory/memory.ts"), import("./redaction/redaction.ts")]);
  return { hashAt, createFolder, memoryPlaces, moveLog, deviceName, openEventFolder, openMemory, redact };
}

/** A part that is opened on first use. If opening fails, the next use tries again. */
function onFirstUse<T>(open: () => Promise<T>) {
  let part: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      part ??= open().catch((error: unknown) => {
        part = undefined;
        throw error;
      });
      return part;
    },
    /** The part, if it was ever opened. */
    opened: (): Promise<T | undefined> => part?.catch(() => undefined) ?? Promise.resolve(undefined),
  };
}
