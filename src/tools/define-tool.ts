// What a tool is: one plain object that says everything about itself. The
// table is toolbox.ts, and call.ts is the only place that runs one.
import type { Memory } from "../memory/memory.ts";
import type { Project, ProjectRoot } from "../project/project.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Settings, Toolset } from "../settings.ts";
import type { Journals } from "../journal/journal.ts";
import type { Outlines } from "../outline/outline.ts";
import type { Vault } from "../vault/vault.ts";
import type { Result } from "./budget.ts";
import { CONTRACTS, type Contract } from "./contracts.ts";
import { DATA_NOTICE } from "./data-marks.ts";
import type { Effects } from "./effects.ts";
import { optional, schemaOf, text, type Fields, type JsonSchema, type Values } from "./schema.ts";

/** The parts of the program that tools work on; each is opened when it is first asked for. */
export interface Services {
  readonly settings: Settings;
  readonly vault: () => Promise<Vault>;
  readonly memory: () => Promise<Memory>;
  /** The folder of the project that a call belongs to. */
  readonly projectRoot: (call: Pick<Call, "roots">) => Promise<ProjectRoot>;
  readonly project: (root: ProjectRoot) => Promise<Project>;
  readonly outlines: () => Promise<Outlines>;
  /** Of everything that can be undone. */
  readonly journals: () => Promise<Journals>;
  readonly conversations: () => Promise<Conversations>;
}

/** What a running call may use. */
export interface Call {
  readonly services: Services;
  /** Aborted when the caller gave up or the time is over: stop as soon as nothing is half done. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the work is. `done` never goes back. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** The protocol version that this caller speaks. */
  readonly protocolVersion: string;
  /** The client's roots, as addresses; undefined where it has none, or the tool is not `inProject`. */
  readonly roots: readonly string[] | undefined;
}

export interface ToolDefinition<I extends Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** "every": part of each toolset. */
  readonly toolset: Toolset | "every";
  /** Whether it is listed when no toolset is asked for. */
  readonly byDefault: boolean;
  /** The contract whose way of wording errors it follows. */
  readonly contract: Contract;
  readonly effects: Effects;
  /** Whether a result holds words of notes, rows, conversations, memory or files that the caller did not send. Left out: where it only reads. */
  readonly returnsForeignText?: boolean;
  /** It works in a project: the client is asked for its roots before it runs, where those decide. */
  readonly inProject?: true;
  readonly input: I;
  readonly output: Fields;
  /** The result's field that is cut where the result is too long for a model: a list or a text, such as "data.content". Of several, the one that a result has. */
  readonly pages?: string | readonly string[];
  /** The argument that says how many items a page has at the most. */
  readonly pageSize?: keyof I & string;
  /** Gives a result its final form after it was cut, or was not. */
  readonly shape?: (page: Result) => Result;
  /** Puts right what a page says about itself; it begins at `start` of the whole result's field. */
  readonly afterCut?: (page: Result, whole: Result, start: number) => Result;
  /** Tokens that a result may have at the most. */
  readonly budget?: number;
  /** Milliseconds that a call may take. */
  readonly timeLimit?: number;
  /** Where the trace of a call belongs, if not to the session and workspace of its context; false: none is left. */
  readonly trace?: (input: Values<I>, result: Result) => Traced | false;
  readonly run: (input: Values<I>, call: Call) => object | Promise<object>;
}

interface Traced {
  readonly session?: string;
  readonly workspace?: string;
}

/** A tool as the table holds it: its input is checked by call.ts before `run` sees it. */
export type Tool = Omit<ToolDefinition<Fields>, "run" | "trace"> & {
  readonly trace?: (input: never, result: Result) => Traced | false;
  readonly run: (input: never, call: Call) => object | Promise<object>;
};

export function defineTool<const I extends Fields>(definition: ToolDefinition<I>): Tool {
  return definition;
}

export function returnsForeignText({ returnsForeignText: given, effects }: Tool): boolean {
  return given ?? effects.readOnly;
}

/** What `tools/list` says about a tool. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly outputSchema: JsonSchema & { readonly type: "object" };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export function listingOf(tool: Tool): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: returnsForeignText(tool) ? `${tool.description} ${DATA_NOTICE}` : tool.description,
    inputSchema: schemaOf(inputOf(tool)),
    outputSchema: schemaOf(allOptional({ ...tool.output, ...CONTRACTS[tool.contract].fields })),
    annotations: {
      readOnlyHint: tool.effects.readOnly,
      destructiveHint: tool.effects.destructive,
      idempotentHint: tool.effects.idempotent,
      openWorldHint: tool.effects.openWorld,
    },
  };
}

/** Clients check failed results against the output schema too, and those have none of a success's fields. */
function allOptional(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, presence: "optional" }]));
}

const CURSOR = optional(text("nextCursor"));

/** The tool's own fields, and the cursor where its result comes in pages. */
export function inputOf(tool: Tool): Fields {
  return tool.pages === undefined ? tool.input : { ...tool.input, cursor: CURSOR };
}
