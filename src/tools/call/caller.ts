// The caller of a tool, and its rights. Used by call.ts, and by
// everything that makes calls: the MCP server, resources, commands, the page.
import type { Log } from "../../kernel/kernel.ts";
import type { OpenedOutline } from "../../outline/outline.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Offers } from "./offered-tools.ts";
import type { Services } from "../definition/define-tool.ts";

interface Rules {
  /** Results fit a model's context, and mark words that others wrote. */
  readonly isLimited: boolean;
  /** A call with a context leaves a trace in memory. */
  readonly isTraced: boolean;
  /** The offered tools: those that the settings name for hosts, all of them, or all that only read. */
  readonly tools: "host" | "all" | "readers";
  /** Hints may name tools and the arguments to send: a person has no use for either. */
  readonly callsTools: boolean;
}

export const ASKERS = {
  /** An assistant, through its host. */
  host: { isLimited: true, isTraced: true, tools: "host", callsTools: true },
  /** A user of the page or a terminal: sends no context, and reading is not part of an assistant's session. */
  person: { isLimited: false, isTraced: false, tools: "all", callsTools: false },
  /** A script, by `commonplace call`. */
  program: { isLimited: false, isTraced: true, tools: "all", callsTools: true },
  /** This server itself, for resources and prompts: a model reads the result, but did not make the call. */
  server: { isLimited: true, isTraced: false, tools: "readers", callsTools: true },
} as const satisfies Record<string, Rules>;

export type Asker = keyof typeof ASKERS;

export interface Caller {
  readonly asker: Asker;
  readonly services: Services;
  readonly log: Log;
  /** The tools that the caller has; all of them by default. */
  readonly offers?: Offers;
  readonly protocolVersion: string;
  /** The name by which a host introduced itself. */
  readonly client?: string | undefined;
  /** The client's roots, if the tool is `inProject` and they were requested. */
  readonly roots?: readonly string[] | undefined;
  /** Contexts of earlier calls on the connection; undefined if calls are independent. */
  readonly connection?: ConnectionContext | undefined;
  /** The outline that the connection has open; undefined if it keeps none between calls. */
  readonly openedOutline?: OpenedOutline | undefined;
  /** Aborted when the caller gives up. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
}

export function offersOf({ offers = () => true }: Pick<Caller, "offers">): Offers {
  return offers;
}
