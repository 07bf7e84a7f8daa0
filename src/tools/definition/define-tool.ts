// Defines tools: plain objects with description, arguments, result and
// code. toolbox.ts is the table of all tools; only call.ts runs them.
import type { Memory } from "../../memory/memory.ts";
import type { Project, ProjectRoot } from "../../project/project.ts";
import type { Conversations } from "../../conversations/conversations.ts";
import type { Settings, Toolset } from "../../settings.ts";
import type { About, Journals } from "../../journal/journal.ts";
import type { Outlines } from "../../outline/outline.ts";
import type { Vault } from "../../vault/vault.ts";
import type { Page, PageNotes } from "../call/budget.ts";
import type { Offers } from "../call/offered-tools.ts";
import type { ReadableText } from "../call/readable-text.ts";
import { CONTRACTS, type Contract } from "./contracts.ts";
import { DATA_NOTICE } from "../call/data-marks.ts";
import type { Effects } from "./effects.ts";
import type { LazyList } from "./lazy-list.ts";
import { schemaOf, type Fields, type JsonSchema, type Values } from "./field.ts";
import { optional, text, unlisted } from "./schema.ts";
import { vaultField } from "./vault-field.ts";

/** The parts of the program that tools work on. Each is opened on first use. */
export interface Services {
  readonly settings: Settings;
  /** The vault of the call: the one that it names, else the default. */
  readonly vault: () => Promise<Vault>;
  /** The memory of that vault. */
  readonly memory: () => Promise<Memory>;
  /** All vaults of the server, the default first. If there are several, a result says which one it is about. */
  readonly vaults: readonly NamedVault[];
  /** The vaults that the call is about: the one that it names, else all of them. */
  readonly askedVaults: readonly NamedVault[];
  /** Returns whether the settings hide a file on the disk in one of the vaults; undefined if they hide nothing. */
  readonly isHiddenFile: ((absolute: string) => boolean) | undefined;
  /** True if a call may ask about files of this machine that are in no vault: not for members of a shared store. */
  readonly hasDisk: boolean;
  /** The folder of the project that a call belongs to. */
  readonly projectRoot: (call: Pick<Call, "roots">) => Promise<ProjectRoot>;
  readonly project: (root: ProjectRoot) => Promise<Project>;
  readonly outlines: () => Promise<Outlines>;
  /** The journals of the vault and of all outlines. */
  readonly journals: () => Promise<Journals>;
  readonly conversations: () => Promise<Conversations>;
}

/** An image for a model to see. */
export interface AttachedImage {
  readonly bytes: Buffer;
  readonly type: string;
}

/** A vault by its name, with what is kept per vault. */
export interface NamedVault {
  readonly name: string;
  /** As configured; it may be missing. */
  readonly folder: string;
  readonly vault: () => Promise<Vault>;
  readonly memory: () => Promise<Memory>;
  /** Its journal alone. */
  readonly journals: () => Promise<Journals>;
}

/** Services and settings for a running call. */
export interface Call {
  readonly services: Services;
  /** Aborted when the caller gives up or the time limit is reached: stop as soon as nothing is half done. */
  readonly signal: AbortSignal;
  /** The author of changes, for the journal. */
  readonly author: Pick<About, "tool" | "by" | "onWritten" | "isPreview"> & {
    readonly signal: AbortSignal;
    /** Adds a sentence to the hint of the result. */
    readonly onWarning: (sentence: string) => void;
  };
  /** Reports how far the work is. `done` never decreases. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Adds an image to the result, beside its text. Only a model sees it. */
  readonly attach: (image: AttachedImage) => void;
  /** True if a model reads the result, which has to be short; a person or a program gets all of it. */
  readonly isForModel: boolean;
  /** The tools that the caller has. */
  readonly offers: Offers;
  /** The protocol version that this caller speaks. */
  readonly protocolVersion: string;
  /** The client's roots, as addresses; undefined if it has none or the tool is not `inProject`. */
  readonly roots: readonly string[] | undefined;
  /** The requested part of the result: where it begins, and its maximum numbers of items and of tokens, which do not apply to people. */
  readonly page: Pick<Page, "start" | "budget"> & { readonly size: number };
}

/** Everything about a tool but its code. */
interface ToolFacts<N extends string, I extends Fields, O extends Fields> {
  readonly name: N;
  readonly title: string;
  /** Says what it does, when to use it instead of its neighbour, what comes back; in the words in which people ask for it. */
  readonly description: string;
  /** Arguments that work, added to the description: where their form is not obvious. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** "every": part of each toolset. */
  readonly toolset: Toolset | "every";
  /** True if it is offered if the settings name no toolset. */
  readonly byDefault: boolean;
  /** The contract that fixes the form of its errors. */
  readonly contract: Contract;
  readonly effects: Effects;
  /** True if a call only reads, of a tool whose other calls write: its result comes in pages then. Default: by the effects. */
  onlyReads?(input: Values<I>): boolean;
  /** The same tool without what writes, which is offered instead where nothing may be written. */
  readonly whenReadOnly?: Tool;
  /** Without `confirmed` it returns a preview (`requiresConfirmation`), and a host that can asks the person whether to go on. */
  readonly asksToConfirm?: true;
  /** True if a result may hold text of notes, rows, conversations, memory or files that the caller did not send. Default: true if it only reads. */
  readonly returnsForeignText?: boolean;
  /** It wants the very path in the vault that it works in: it deletes what is there. */
  readonly wantsPath?: true;
  /** It works in a project: if the client's roots decide which, the client is asked for them first. */
  readonly inProject?: true;
  /** It chooses an outline by its path, instead of working on the one that `documentName` names. */
  readonly choosesOutline?: true;
  /** It works in a vault, and takes its name as `vault`. Default: whether it belongs to the toolsets of vault and memory. */
  readonly inVault?: true;
  readonly input: I;
  /** The fields of the result; `unlisted` fields are part of the type but not of the schema that hosts see. */
  readonly output: O;
  /** The result's field that is cut if the result is too long for a model: a list or a text, such as "data.content". Of several, the one that a result has. */
  readonly pages?: string | readonly string[];
  /** The argument that limits the number of items on a page. */
  readonly pageSize?: keyof I & string;
  /** How many they are without it, if the schema names no default. */
  readonly usualPageSize?: number;
  /** Maximum number of tokens of a result. */
  readonly budget?: number;
  /** Maximum duration of a call in milliseconds. */
  readonly timeLimit?: number;
  /** Converts a page, or a whole result, to its final form. */
  shape?(page: Values<O>): Values<O>;
  /** Corrects what a page says about itself; it begins at `start` of the whole result's field. */
  afterCut?(page: Values<O> & PageNotes, whole: Returned<Values<O>>, start: number): Values<O>;
  /** The result as text for reading, with the same facts. Without it the text is the result as JSON, as the contracts' tools have it. */
  text?(result: Values<O> & PageNotes): ReadableText;
  /** The paths that a call is about, for its trace in memory. `result` is undefined if the call failed. */
  touches?(input: Partial<Values<I>>, result: Returned<Values<O>> | undefined): readonly (string | undefined)[];
  /** Fields that the contract has in a failed result too, from the arguments that could be read. */
  failed?(input: Partial<Values<I>>): Readonly<Record<string, unknown>>;
  /** Returns the subject of a call for its trace in memory: a query, a name or an id. */
  about?(input: Partial<Values<I>>): string | undefined;
  /** Returns the session and workspace of the trace, if not those of the context; false: no trace is left. */
  trace?(input: Values<I>, result: Returned<Values<O>>): Traced | false;
  /** The session that the call began or resumed: later calls of the connection belong to it. */
  session?(result: Returned<Values<O>>): string | undefined;
}

interface Traced {
  readonly session?: string;
  readonly workspace?: string;
}

interface ToolDefinition<N extends string, I extends Fields, O extends Fields> extends ToolFacts<N, I, O> {
  run(input: Values<I>, call: Call): Returned<Values<O>> | Promise<Returned<Values<O>>>;
}

/** A tool as the table holds it: its input is checked by call.ts before `run` sees it. */
export type Tool = ToolDefinition<string, Fields, Fields>;

type Plain = string | number | boolean | null | undefined;

/** A result as `run` may return it: of a long list only the requested page is made. */
type Returned<T> = T extends Plain
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Item[] | LazyList<Item>
    : T extends object
      ? { readonly [K in keyof T]: Returned<T[K]> }
      : T;

/** A tool's result as callers get it. */
export type ResultOf<T extends Tool> = Values<T["output"]> & PageNotes & CallNotes;

/** Fields that call.ts may add to the result of any tool. */
type CallNotes = {
  readonly hint?: string;
  /** Arguments that the tool does not know. */
  readonly ignored?: readonly string[];
  readonly memoryWarning?: string;
  /** The outline that was meant, if the call names one or the client has opened one. */
  readonly documentName?: string;
  /** The vault that the call worked in, if there are several. */
  readonly vault?: string;
  /** The entry of the history that the call made: what `undo` takes. */
  readonly undoId?: string;
  /** The paths in the trash of what the call moved there. */
  readonly trashed?: readonly string[];
};

/** The names of fields that `run` returns and `output` does not declare. */
type Undeclared<R, T> = unknown extends T
  ? never
  : Same<R, T> extends true
    ? never
    : R extends Plain | LazyList<unknown>
      ? never
      : R extends readonly (infer A)[]
        ? T extends readonly (infer B)[]
          ? Undeclared<A, Exclude<B, null | undefined>>
          : never
        : R extends object
          ? {
              [K in keyof R & string]: K extends KeyOf<T> ? Undeclared<R[K], Exclude<At<T, K>, null | undefined>> : K;
            }[keyof R & string]
          : never;

type KeyOf<T> = T extends unknown ? keyof T : never;
type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Identical types need no comparison, which would not end for recursive ones. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Exactly<R, T> = [Undeclared<R, T>] extends [never] ? unknown : { readonly undeclared: Undeclared<R, T> };

/** `run` must return what `output` declares, and nothing else. */
export function defineTool<
  const N extends string,
  const I extends Fields,
  const O extends Fields,
  R extends Returned<Values<O>>,
>(
  definition: ToolFacts<N, I, O> & { run(input: Values<I>, call: Call): R | Promise<R> } & Exactly<R, Values<O>>,
): ToolDefinition<N, I, O> {
  return definition;
}

export function returnsForeignText({ returnsForeignText: given, effects }: Tool): boolean {
  return given ?? effects.readOnly;
}

/** A tool in the answer to `tools/list`. */
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

/** Its description, with the example. */
export function describe({ description, example }: Tool): string {
  return example === undefined ? description : `${description} Example: ${JSON.stringify(example)}`;
}

/** @param vaults the names of the server's vaults, if there are several */
export function listingOf(tool: Tool, vaults: readonly string[] = []): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: returnsForeignText(tool) ? `${describe(tool)} ${DATA_NOTICE}` : describe(tool),
    inputSchema: schemaOf(inputOf(tool, vaults)),
    outputSchema: schemaOf(shallow({ ...tool.output, ...CONTRACTS[tool.contract].fields })),
    annotations: {
      readOnlyHint: tool.effects.readOnly,
      destructiveHint: tool.effects.destructive,
      idempotentHint: tool.effects.idempotent,
      openWorldHint: tool.effects.openWorld,
    },
  };
}

/**
 * The fields of a result by name and type alone, all of them optional: clients
 * check failed results against the output schema too, and those have none of a
 * success's fields. What is within a field is left out, because every
 * conversation pays for every word of a schema.
 */
function shallow(fields: Fields): Fields {
  const listed = Object.entries(fields).filter(([, { presence }]) => presence !== "unlisted");
  return Object.fromEntries(
    listed.map(([name, { schema, ...field }]) => [name, { ...field, schema: outlineOf(schema), presence: "optional" }]),
  );
}

function outlineOf({ type, oneOf }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(oneOf !== undefined && { oneOf }) };
}

const CURSOR = optional(text());
/** Not listed: few clients have to name an outline, and every host pays for the list. */
const DOCUMENT_NAME = unlisted(text());

/**
 * The tool's own fields, the cursor if its result comes in pages, and the vault or the outline that it works in.
 * @param vaults the names of the server's vaults
 */
export function inputOf(tool: Tool, vaults: readonly string[] = []): Fields {
  return {
    ...tool.input,
    ...(tool.pages !== undefined && { cursor: CURSOR }),
    ...(vaults.length > 0 && takesVault(tool) && { vault: vaultField(vaults) }),
    ...(takesDocumentName(tool) && { documentName: DOCUMENT_NAME }),
  };
}

export function takesDocumentName({ toolset, choosesOutline }: Tool): boolean {
  return toolset === "outline" && choosesOutline !== true;
}

function takesVault({ inVault, toolset }: Tool): boolean {
  return inVault ?? (toolset === "vault" || toolset === "memory");
}
