// The composition root: one object that holds the settings and opens each part
// of the program when it is first asked for. Opening this object does nothing.
import { join } from "node:path";
import type { Conversations } from "./conversations/conversations.ts";
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
  /** Past conversations with assistants. */
  readonly conversations: () => Promise<Conversations>;
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
  const conversations = onFirstUse(async () => {
    const [{ openConversations }, { homesOf }, { SOURCES }, { redact }] = await Promise.all([
      import("./conversations/conversations.ts"),
      import("./conversations/homes.ts"),
      import("./conversations/sources.ts"),
      import("./text/redaction.ts"),
    ]);
    return openConversations({
      file: join(settings.folders.data, "conversations.db"),
      sources: SOURCES,
      homes: homesOf({ environment: process.env, further: settings.conversations }),
      redact: settings.noRedact ? (text) => text : redact,
      log: writeLog,
    });
  });
  const projectFolder = () => settings.project ?? process.cwd();
  const services: Services = { settings, vault: vault.get, conversations: conversations.get, projectFolder };

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
    conversations: conversations.get,
    purgeHistory: async () => (await vault.get()).journal.purge(),
    close: async () => {
      await Promise.allSettled(underWay);
      await (await vault.opened())?.close();
      await (await conversations.opened())?.close();
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
