// The composition root: one object that holds the settings and opens each part
// of the program when it is first asked for. Opening this object does nothing.
import { log, type Log } from "./log.ts";
import type { Settings } from "./settings.ts";
import type { CallResult, Caller } from "./tools/call.ts";
import type { Services } from "./tools/tool.ts";
import type { Toolbox } from "./tools/toolbox.ts";

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
  /** Waits for what is under way, then closes what was opened. */
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly log?: Log;
  /** Other tools than those of the table. */
  readonly toolbox?: Toolbox;
}

export function openCommonplace(settings: Settings, parts: Parts = {}): Commonplace {
  const services: Services = { settings };
  const writeLog = parts.log ?? log;
  const underWay = new Set<Promise<unknown>>();

  // The tools are loaded after the client's first question: a host that only
  // starts the server and asks who it is does not wait for them.
  let opened: Promise<Toolbox> | undefined;
  const toolbox = () => {
    opened ??= parts.toolbox
      ? Promise.resolve(parts.toolbox)
      : import("./tools/toolbox.ts").then((table) => table.selectTools(settings));
    return opened;
  };

  return {
    settings,
    log: writeLog,
    toolbox,
    call: async (name, sent, caller) => {
      const tool = (await toolbox()).find(name);
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
    close: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
