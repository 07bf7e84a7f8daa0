// The parts that each vault has of its own: its files with their journal and
// index, and its memory. Opened on first use; used by parts.ts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AccessRules, accessRules, realPath } from "../files/files.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import type { Memory } from "../memory/memory.ts";
import type { Store } from "../shared/shared.ts";
import type { Settings, VaultSettings } from "../settings.ts";
import type { Vault } from "../vault/vault.ts";
import { onFirstUse, type OnFirstUse } from "./first-use.ts";

export interface VaultParts {
  readonly settings: VaultSettings;
  readonly access: AccessRules;
  /** Throws while its drive is not mounted. */
  readonly vault: OnFirstUse<Vault>;
  /** If its folder has none of the notes that were in it: remembers that a person said that they are gone on purpose. */
  readonly missing: () => Promise<(() => Promise<void>) | undefined>;
  readonly memory: OnFirstUse<Memory>;
}

/** @param store the shared store, if one is named. @param makeRoom frees some of the disk that a folder is on */
export function openVaultParts(
  settings: Settings,
  own: VaultSettings,
  writeLog: Log,
  store: OnFirstUse<Store> | undefined,
  makeRoom: (folder: string, isAgain: boolean) => Promise<boolean>,
): VaultParts {
  const { hide, protect, isReadOnly, name } = own;
  const access = accessRules({ hide, protect, readOnly: isReadOnly ? { vault: name, by: "settings" } : undefined });
  const hasSeveral = settings.vaults.length > 1;
  const isEmbedded = settings.origins.vault === "default";
  const { cache } = settings.folders;
  const journals = join(settings.folders.data, "journal");
  const named = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!hasSeveral || !(error instanceof Problem)) throw error;
      throw new Problem(error.code, `The vault ${name}: ${lowerFirst(error.message)}`, error.hint);
    }
  };
  const opened = onFirstUse(() =>
    named(async () => {
      const { openSharedVault, openVault } = await import("../vault/vault.ts");
      const opening = {
        access,
        cache,
        log: writeLog,
        makeRoom,
        timeZone: settings.timeZone,
        pdfProgram: join(import.meta.dirname, "pdf-process.mjs"),
        wordVectors: settings.related ? join(import.meta.dirname, "word-vectors.bin") : undefined,
        embeddings: settings.related ? settings.embeddings : undefined,
      };
      if (own.space !== undefined)
        return await openSharedVault({ store: await store!.get(), space: own.space, folder: own.folder }, opening);
      const opened = openVault({ ...opening, folder: own.folder, isEmbedded, journals });
      // Readers must not see what a killed process left half done. Without a journal the look would cost 10 ms, for SHA-256.
      if (!settings.readOnly && !isReadOnly && existsSync(journals)) await opened.journal.recoverInterrupted();
      return opened;
    }),
  );
  const vault: OnFirstUse<Vault> = {
    get: async () => {
      const open = await opened.get();
      await named(open.root.check);
      return open;
    },
    opened: opened.opened,
  };
  const missing = async () => {
    if (isEmbedded || own.space !== undefined || !existsSync(own.folder)) return undefined;
    const [{ presenceOf }, { accept }] = await Promise.all([
      import("../vault/vault.ts"),
      import("../journal/journal.ts"),
    ]);
    const folder = realPath(own.folder);
    if (presenceOf(folder, { journals, cache, access }).state !== "missing") return undefined;
    return async () => {
      accept(journals, folder);
      await (await vault.get()).index.refresh();
    };
  };

  const memory = onFirstUse(async () => {
    if (settings.memory === "off")
      throw new Problem("denied", "Memory is off.", "Start the server with --memory vault or home.");
    const parts = await memoryParts();
    const { hashAt, createFolder, memoryPlaces, moveLog, deviceName, openEventFolder, openMemory, redact } = parts;
    const open = await vault.get();
    const { folder: vaultFolder, check } = open.root;
    const dataFolder = settings.folders.data;
    const isStored = own.space !== undefined;
    const places = memoryPlaces({ memory: isStored ? "home" : settings.memory, vaultFolder, dataFolder });
    const device = () => deviceName(dataFolder);
    // Only an explicit setting moves memory: it is never put into a vault by default.
    if (settings.memory !== undefined && !settings.readOnly && !isReadOnly && !isStored)
      await moveLog({ from: places.other, to: places.log, device }).catch((error: unknown) =>
        writeLog(`memory could not be carried to ${places.log.path}: ${(error as Error).message}`),
      );
    const local = openEventFolder({ places, vaultFolder, device, check });
    const events =
      store === undefined
        ? local
        : await parts.withSharedEvents(local, { store: await store.get(), vault: name, log: writeLog });
    return openMemory({
      vault: {
        folder: vaultFolder,
        check,
        hashOf: (sent) => hashAt(open, sent),
        makeFolder: (author, sent) => createFolder(open, author, sent),
        isHidden: access.hides ? access.isHidden : undefined,
      },
      events,
      cache,
      isReadOnly: settings.readOnly || (isReadOnly && places.log.isInVault),
      redact,
      log: writeLog,
    });
  });
  return { settings: own, access, vault, missing, memory };
}

/** The modules that memory is composed of. */
async function memoryParts() {
  const [{ hashAt, createFolder }, memory, { redact }] = await Promise.all([
    import("../vault/vault.ts"),
    import("../memory/memory.ts"),
    import("../redaction/redaction.ts"),
  ]);
  const { memoryPlaces, moveLog, deviceName, openEventFolder, openMemory, withSharedEvents } = memory;
  return {
    hashAt,
    createFolder,
    memoryPlaces,
    moveLog,
    deviceName,
    openEventFolder,
    openMemory,
    withSharedEvents,
    redact,
  };
}

function lowerFirst(sentence: string): string {
  return sentence.replace(/^The vault folder/, "its folder").replace(/^./, (first) => first.toLowerCase());
}
