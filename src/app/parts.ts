// The parts of the program, each opened on first use with its settings. Used by
// app.ts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { operatingSystem } from "../kernel/kernel.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Journals, Reach } from "../journal/journal.ts";
import type { Log } from "../kernel/kernel.ts";
import type { Outlines } from "../outline/outline.ts";
import type { Store } from "../shared/shared.ts";
import type { Project, RootCandidates, TouchedFiles } from "../project/project.ts";
import type { Settings } from "../settings.ts";
import type { Services } from "../tools/tools.ts";
import { onFirstUse, type OnFirstUse } from "./first-use.ts";
import { hiddenFiles } from "./hidden-files.ts";
import { openVaultParts, type VaultParts } from "./vault-parts.ts";

/** Maximum number of projects that stay open; the least recently used is dropped. */
const MAX_PROJECTS = 4;

/** Files that conversations touched count for this many milliseconds. */
const RECENT = 30 * 24 * 60 * 60 * 1000;

/** Milliseconds that calls wait for a shared store that fails; without it they answer from what was read before. */
const PATIENCE = 1_000;

export interface Parts {
  /** The default first. */
  readonly vaults: readonly VaultParts[];
  readonly outlines: OnFirstUse<Outlines>;
  readonly journals: OnFirstUse<Journals>;
  readonly conversations: OnFirstUse<Conversations>;
  /** Shared with other machines; undefined if none is named. */
  readonly store: OnFirstUse<Store> | undefined;
  /** The parts that tools get. */
  readonly services: Services;
  /** Names for the project's folder, beside the client's. */
  readonly rootCandidates: Omit<RootCandidates, "clientRoots">;
}

export function openParts(settings: Settings, writeLog: Log): Parts {
  const { store: address } = settings;
  const store =
    address &&
    onFirstUse(async () =>
      (await import("../shared/shared.ts")).openStore({ address: address.reveal(), retryFor: PATIENCE }),
    );
  const release = async () => {
    for (const { vault, memory } of vaults) {
      (await vault.opened())?.index.release();
      (await memory.opened())?.release();
    }
  };
  const makeRoom = async (folder: string, isAgain: boolean) => {
    const { makeRoom: make } = await import("./room.ts");
    return make({ folders: settings.folders, release, log: writeLog }, folder, isAgain);
  };
  const vaults: VaultParts[] = settings.vaults.map((own) => openVaultParts(settings, own, writeLog, store, makeRoom));
  const [first] = vaults as [VaultParts, ...VaultParts[]];
  const isHiddenFile = hiddenFiles(vaults);

  const outlines = onFirstUse(async () => {
    const { openOutlines } = await import("../outline/outline.ts");
    return openOutlines({
      file: settings.outline === "app" ? undefined : settings.outline,
      isEmbedded: settings.origins.outline === "default",
      isVaultEmbedded: settings.origins.vault === "default",
      folders: settings.outlineFolders,
      vaults: vaults.map(({ settings: { folder, space }, vault }) => ({
        folder,
        isStored: space !== undefined,
        open: vault.get,
      })),
      isHiddenFile,
      journalFolder: join(settings.folders.data, "journal"),
      idFolder: join(settings.folders.data, "outlines"),
      application: operatingSystem().hasOmniOutliner ? openApplication : undefined,
      log: writeLog,
      makeRoom,
    });
  });
  const openApplication = async () => (await import("../outline/outline.ts")).openAppDocuments(writeLog);
  const ofOutlines = async (reach: Reach) => (await outlines.get()).journals(reach);
  const journalsOf = async (chosen: readonly VaultParts[]): Promise<Journals> => {
    const { idPrefixesIn, joinJournals } = await import("../journal/journal.ts");
    const ofVaults = chosen.map((parts) => async () => {
      const { journal } = await parts.vault.get();
      return [vaults.length === 1 ? journal : { ...journal, vault: parts.settings.name }];
    });
    return joinJournals(chosen === vaults ? [...ofVaults, ofOutlines] : ofVaults, () =>
      idPrefixesIn(join(settings.folders.data, "journal")),
    );
  };
  const journals = onFirstUse(() => journalsOf(vaults));

  const conversationFile = join(settings.folders.data, "conversations.db");
  const conversations = onFirstUse(async () => {
    const [{ openConversations, homesOf, conversationSources }, { redact }] = await Promise.all([
      import("../conversations/conversations.ts"),
      import("../redaction/redaction.ts"),
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
      toolTextLimit: settings.toolTexts,
      thread: join(import.meta.dirname, "reader-thread.cjs"),
      shared: store && { open: store.get, cache: settings.folders.cache },
    });
  });

  const rootCandidates = {
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
  const named = vaults.map((parts) => ({
    name: parts.settings.name,
    folder: parts.settings.folder,
    vault: parts.vault.get,
    memory: parts.memory.get,
    journals: () => journalsOf([parts]),
  }));
  const services: Services = {
    settings,
    vault: first.vault.get,
    memory: first.memory.get,
    vaults: named,
    askedVaults: named,
    isHiddenFile,
    hasDisk: true,
    outlines: outlines.get,
    conversations: conversations.get,
    journals: journals.get,
    projectRoot: async ({ roots }) =>
      (await import("../project/project.ts")).findProjectRoot({ ...rootCandidates, clientRoots: roots }),
    project: async ({ folder }) => {
      const { Project } = await import("../project/project.ts");
      const project = projects.get(folder) ?? new Project(folder, touchedFiles, isHiddenFile);
      projects.delete(folder);
      projects.set(folder, project);
      if (projects.size > MAX_PROJECTS) projects.delete(projects.keys().next().value!);
      return project;
    },
  };

  return { vaults, outlines, journals, conversations, store, services, rootCandidates };
}
