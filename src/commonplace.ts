// The composition root: one object that holds the settings and opens each part
// of the program when it is first asked for. Opening this object does nothing.
import { join } from "node:path";
import { joinJournals } from "./journal/journals.ts";
import { log, type Log } from "./log.ts";
import type { Settings } from "./settings.ts";
import type { CallResult, Caller } from "./tools/call.ts";
import type { Services } from "./tools/tool.ts";
import type { Toolbox } from "./tools/toolbox.ts";
import type { Refreshing } from "./vault/indexing.ts";
import type { Swept } from "./index/sweep.ts";

export interface Commonplace {
  readonly settings: Settings;
  readonly log: Log;
  /** The tools that the settings ask for. */
  readonly toolbox: () => Promise<Toolbox>;
  /** Runs a tool; undefined where no tool has that name. */
  readonly call: (
    name: string,
    sent: unknown,
    caller: Omit<Caller, "services" | "log">,
  ) => Promise<CallResult | undefined>;
  /** Brings the vault's index up to date, and waits for it. */
  readonly refreshIndex: (options: Refreshing) => Promise<Swept | undefined>;
  /** Forgets everything that could be undone; says how many changes that was. For the person only. */
  readonly purgeHistory: () => Promise<number>;
  /** Waits for what is under way, then closes what was opened. */
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly log?: Log;
  /** Other tools than those of the table. */
  readonly toolbox?: Toolbox;
}

export function openCommonplace(settings: Settings, parts: Parts = {}): Commonplace {
  const writeLog = parts.log ?? log;
  const underWay = new Set<Promise<unknown>>();

  const vault = onFirstUse(async () => {
    const { openVault } = await import("./vault/vault.ts");
    const isEmbedded = settings.sources.vault === "default";
    return openVault({
      folder: settings.vault,
      isEmbedded,
      journals: join(settings.folders.data, "journal"),
      cache: settings.folders.cache,
      log: writeLog,
    });
  });
  const outlines = onFirstUse(async () => {
    const { openOutlines } = await import("./outline/outlines.ts");
    return openOutlines({
      file: settings.outline === "app" ? undefined : settings.outline,
      isEmbedded: settings.sources.outline === "default",
      folders: settings.outlineFolders,
      vaultFolder: settings.vault,
      vault: vault.get,
      journalFolder: join(settings.folders.data, "journal"),
      idFolder: join(settings.folders.data, "outlines"),
      application: process.platform === "darwin" ? openApplication : undefined,
      log: writeLog,
    });
  });
  const openApplication = async () => (await import("./outline/app/app-documents.ts")).openAppDocuments(writeLog);
  const journals = joinJournals([
    async () => [(await vault.get()).journal],
    async (reach) => (await outlines.get()).journals(reach),
  ]);
  const services: Services = { settings, vault: vault.get, outlines: outlines.get, journals };

  // The tools are loaded after the client's first question: a host that only
  // starts the server and asks who it is does not wait for them.
  const toolbox = onFirstUse(async () => parts.toolbox ?? (await import("./tools/toolbox.ts")).selectTools(settings));

  return {
    settings,
    log: writeLog,
    toolbox: toolbox.get,
    call: async (name, sent, caller) => {
      const tool = (await toolbox.get()).find(name);
      if (tool === undefined) return undefined;
      const { callTool } = await import("./tools/call.ts");
      const running = callTool(tool, sent, { ...caller, services, log: writeLog });
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },
    refreshIndex: async (options) => (await vault.get()).index.refresh(options),
    purgeHistory: journals.purge,
    close: async () => {
      await Promise.allSettled(underWay);
      await (await outlines.opened())?.close();
      await (await vault.opened())?.close();
    },
  };
}

/** A part that is opened when it is first asked for. One that could not be opened is tried again the next time. */
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
