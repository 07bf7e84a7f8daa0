// The parts of the program, each opened on first use with its settings. Used by
// app.ts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Conversations } from "../conversations/conversations.ts";
import type { Journals } from "../journal/journal.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import type { Memory } from "../memory/memory.ts";
import type { Outlines } from "../outline/outline.ts";
import type { Project, RootCandidates, TouchedFiles } from "../project/project.ts";
import type { Settings } from "../settings.ts";
import type { Services } from "../tools/tools.ts";
import type { Vault } from "../vault/vault.ts";
import { onFirstUse, type OnFirstUse } from "./first-use.ts";

/** Maximum number of projects that stay open; the least recently used is dropped. */
const MOST_PROJECTS = 4;

/** Files that conversations touched count for this many milliseconds. */
const RECENT = 30 * 24 * 60 * 60 * 1000;

export interface Parts {
  readonly vault: OnFirstUse<Vault>;
  readonly memory: OnFirstUse<Memory>;
  readonly outlines: OnFirstUse<Outlines>;
  readonly journals: OnFirstUse<Journals>;
  readonly conversations: OnFirstUse<Conversations>;
  /** What tools get of them. */
  readonly services: Services;
  /** Who may name the project's folder, beside the client. */
  readonly rootCandidates: Omit<RootCandidates, "clientRoots">;
}

export function openParts(settings: Settings, writeLog: Log): Parts {
  const vault = onFirstUse(async () => {
    const { openVault } = await import("../vault/vault.ts");
    const isEmbedded = settings.origins.vault === "default";
    const journals = join(settings.folders.data, "journal");
    const opened = openVault({
      folder: settings.vault,
      isEmbedded,
      journals,
      cache: settings.folders.cache,
      log: writeLog,
      timeZone: settings.timeZone,
      pdfProgram: join(import.meta.dirname, "pdf-process.mjs"),
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
    const { openOutlines } = await import("../outline/outline.ts");
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
  const openApplication = async () => (await import("../outline/outline.ts")).openAppDocuments(writeLog);
  const journals = onFirstUse(async () => {
    const { idPrefixesIn, joinJournals } = await import("../journal/journal.ts");
    return joinJournals(
      [async () => [(await vault.get()).journal], async (reach) => (await outlines.get()).journals(reach)],
      () => idPrefixesIn(join(settings.folders.data, "journal")),
    );
  });

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
  const services: Services = {
    settings,
    vault: vault.get,
    outlines: outlines.get,
    memory: memory.get,
    conversations: conversations.get,
    journals: journals.get,
    projectRoot: async ({ roots }) =>
      (await import("../project/project.ts")).findProjectRoot({ ...rootCandidates, clientRoots: roots }),
    project: async ({ folder }) => {
      const { Project } = await import("../project/project.ts");
      const project = projects.get(folder) ?? new Project(folder, touchedFiles);
      projects.delete(folder);
      projects.set(folder, project);
      if (projects.size > MOST_PROJECTS) projects.delete(projects.keys().next().value!);
      return project;
    },
  };

  return { vault, memory, outlines, journals, conversations, services, rootCandidates };
}

/** The modules that memory is composed of. */
async function memoryParts() {
  const [{ hashAt, createFolder }, { memoryPlaces, moveLog, deviceName, openEventFolder, openMemory }, { redact }] =
    await Promise.all([
      import("../vault/vault.ts"),
      import("../memory/memory.ts"),
      import("../redaction/redaction.ts"),
    ]);
  return { hashAt, createFolder, memoryPlaces, moveLog, deviceName, openEventFolder, openMemory, redact };
}
