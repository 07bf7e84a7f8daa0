// Runs every tool call, for hosts, resources, the command line and the page:
// reads the arguments, limits time and size, turns errors into results, and
// leaves the trace in memory.
import { codeOf } from "../../files/files.ts";
import { unforeseenProblem } from "../../sqlite/sqlite.ts";
import type { Written } from "../../journal/journal.ts";
import { Ambiguous, isRecord, type Log, nodeCrypto, parseJson, Previewed, Problem } from "../../kernel/kernel.ts";
import { fit, MAX_TOKENS, pagedField, readCursor, sealOf, jsonWriter, type Page, type Result } from "./budget.ts";
import { argumentHint } from "./arguments/argument-hints.ts";
import { ignoredNote, namedArguments, type NamedArguments, takes } from "./arguments/argument-names.ts";
import { refuseOtherTarget, TargetNotTaken } from "./arguments/argument-places.ts";
import { ASKERS, offersOf, type Caller } from "./caller.ts";
import { CONTRACTS } from "../definition/contracts.ts";
import { MARK_TOKENS, markFor, withMark } from "./data-marks.ts";
import { InvalidArgument, readableFields, readFields } from "../definition/field.ts";
import {
  inputOf,
  returnsForeignText,
  takesDocumentName,
  type ResultOf,
  type Services,
  type Tool,
} from "../definition/define-tool.ts";
import { offeredText } from "./offered-tools.ts";
import { runInTime } from "./run-in-time.ts";
import { previewAsked, previewResult } from "./preview.ts";
import { type Choices, vaultsWithIt, whereItIs } from "./other-vaults.ts";
import { writtenText } from "./readable-text.ts";
import { leaveTrace, withWorkspace, type Outcome } from "./trace.ts";

/** A result as `tools/call` returns it: the text carries the same facts as the structure. */
export type CallResult<R = Result> =
  | { readonly content: [TextContent, ...ImageContent[]]; readonly structuredContent: R; readonly isError?: undefined }
  | {
      readonly content: TextContent[];
      readonly structuredContent: Failure;
      readonly isError: true;
      readonly choices?: Choices;
    };

interface TextContent {
  readonly type: "text";
  readonly text: string;
}

/** Not counted as tokens of the result: the tool limits its bytes. */
interface ImageContent {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** Worded by the tool's contract: see contracts.ts. */
type Failure = Result & { readonly hint?: string };

const BUDGET = 10_000;

export async function callTool<T extends Tool>(
  tool: T,
  sent: unknown,
  caller: Caller,
): Promise<CallResult<ResultOf<T>>>;
export async function callTool(tool: Tool, sent: unknown, caller: Caller): Promise<CallResult> {
  const { connection } = caller;
  const { isTraced } = ASKERS[caller.asker];
  const offers = offersOf(caller);
  const fields = inputOf(tool, namesOf(caller.services));
  let { services } = caller;
  let named: NamedArguments = { values: {}, unknown: {} };
  let isPreview = false;
  /** The vault that the call worked in, if there are several and it worked in one. */
  let vaultOfCall: (() => string | undefined) | undefined;
  // Memory would say that what was previewed was done.
  const remember = (input: Result, outcome: Outcome) =>
    isTraced && !isPreview ? leaveTrace(tool, { context: named.values["context"], input }, outcome, services) : {};
  try {
    ({ named, isPreview } = previewAsked(tool, namedArguments(fields, argumentsOf(sent), tool.effects)));
    if (connection !== undefined) named = { ...named, values: connection.completed(fields, named.values) };
    const input = readFields(fields, named.values);
    if (!tool.effects.readOnly && tool.onlyReads?.(input) !== true)
      refuseOtherTarget(tool, input, named.unknown, takes(fields));
    const { openedOutline } = caller;
    const outlines = onceAsked(async () =>
      (await caller.services.outlines()).forClient(openedOutline, input["documentName"] as string | undefined),
    );
    const inOneVault = noticed(inNamedVault(services, input["vault"]));
    services = { ...inOneVault.services, outlines };
    vaultOfCall = inOneVault.name;
    const page = pageOf(tool, input, caller);
    const writes: Written[] = [];
    const warnings: string[] = [];
    const images: ImageContent[] = [];
    const answered = await runInTime(
      tool,
      input,
      { ...caller, services },
      {
        page,
        isPreview,
        onWritten: (written) => writes.push(written),
        onWarning: (sentence) => warnings.push(sentence),
        attach: ({ bytes, type }) => images.push({ type: "image", data: bytes.toString("base64"), mimeType: type }),
      },
    );
    const result = await withWorkspace(tool, answered, input, services);
    connection?.learn(input, tool.session?.(result));
    const written = jsonWriter();
    const fitting = fit(result, { ...page, field: page.fields && pagedField(result, page.fields) }, written);
    const cut =
      fitting === result || tool.afterCut === undefined ? fitting : tool.afterCut(fitting, result, page.start);
    const said = [...broughtIntoRange(named.values, input), ...warnings, ...staleness(cut)];
    const shaped = withWarnings(tool.shape?.(cut) ?? cut, said);
    const memory = await remember(input, { result });
    const ignored = ignoredNote(fields, named, shaped["hint"]);
    const documentName = takesDocumentName(tool) ? (await outlines()).meant() : undefined;
    const notes = {
      ...vaultNote(vaultOfCall?.()),
      ...(isPreview && { preview: true }),
      ...(documentName !== undefined && { documentName }),
      ...writtenNote(writes),
      ...ignored,
      ...memory,
    };
    // Ignored arguments come first, in the text too: without them the result may not be what was asked for.
    const first = "ignored" in notes ? { ignored: notes.ignored, hint: notes.hint } : {};
    const whole = Object.keys(notes).length === 0 ? shaped : { ...first, ...shaped, ...notes };
    const readable = tool.text?.(whole);
    const answer = { result: whole, text: written(whole), words: readable?.words };
    const mark = isMarked(tool, caller) ? markFor(answer) : undefined;
    const marked = mark === undefined ? answer : withMark(answer, mark);
    const text = readable === undefined ? marked.text : writtenText(readable, whole, mark);
    return { content: [{ type: "text", text }, ...images], structuredContent: marked.result };
  } catch (error) {
    if (error instanceof Previewed) {
      const result = {
        ...previewResult(error),
        ...vaultNote(vaultOfCall?.()),
        ...ignoredNote(fields, named, undefined),
      };
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
    }
    const problem = asProblem(error, tool, caller.log);
    const elsewhere =
      vaultOfCall?.() === undefined
        ? undefined
        : await vaultsWithIt(problem, { tool, fields, values: named.values, services });
    const [only, ...others] = elsewhere?.values ?? [];
    // The note of a day is another one in each vault.
    const isDay = /^\w+:/.test(elsewhere?.sent ?? "");
    if (only !== undefined && others.length === 0 && tool.wantsPath !== true && !isDay) {
      const there = await callTool(tool, { ...argumentsOf(sent), vault: only }, caller);
      if (there.isError !== true) return there;
    }
    if (problem.code === "row_not_found" && takesDocumentName(tool) && (named.values["documentName"] ?? "") === "") {
      const { outlineWithRows, ROW_ARGUMENTS } = await import("../outline/every-outline.ts");
      const rows = ROW_ARGUMENTS.flatMap((name) => named.values[name] || []).filter((id) => typeof id === "string");
      const documentName = await outlineWithRows(services, rows, tool.wantsPath !== true, caller.signal);
      if (documentName !== undefined) return callTool(tool, { ...argumentsOf(sent), documentName }, caller);
    }
    const memory = await remember(readableFields(fields, named.values), { problem });
    const worded =
      error instanceof InvalidArgument
        ? argumentHint(fields, named.values, error, named.unknown)
        : [problem.hint, elsewhere && whereItIs(elsewhere)].filter(Boolean).join(" ") || undefined;
    const hint = worded === undefined ? undefined : offeredText(worded, offers);
    const ignored = error instanceof TargetNotTaken ? {} : ignoredNote(fields, named, hint);
    const notes = { ...(hint !== undefined && { hint }), ...vaultNote(vaultOfCall?.()), ...ignored };
    const kept = tool.failed?.(readableFields(fields, named.values));
    return failure(
      tool,
      problem,
      { ...kept, ...notes, ...memory },
      elsewhere?.values.length === 0 ? undefined : elsewhere,
    );
  }
}

const NAMES = new WeakMap<Services["vaults"], readonly string[]>();

/** The names of the vaults: one list per server, so that the field which is made of it is made once. */
function namesOf({ vaults }: Services): readonly string[] {
  const known = NAMES.get(vaults);
  if (known !== undefined) return known;
  const names = vaults.map(({ name }) => name);
  NAMES.set(vaults, names);
  return names;
}

/** The services of a call that names a vault: tools need not know that there are several. */
function inNamedVault(services: Services, sent: unknown): Services {
  const chosen = sent === undefined ? undefined : services.vaults.find(({ name }) => name === sent);
  if (chosen === undefined || services.vaults.length === 1) return services;
  const { vault, memory, journals } = chosen;
  return { ...services, vault, memory, journals, askedVaults: [chosen] };
}

function onceAsked<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/** The services, which notice whether a call works in one vault; of several, its name is part of the answer. */
function noticed(services: Services): { readonly services: Services; readonly name: () => string | undefined } {
  const { vaults, askedVaults, vault } = services;
  if (vaults.length === 1) return { services, name: () => undefined };
  let name: string | undefined;
  const noticing = () => {
    name = askedVaults[0]?.name;
    return vault();
  };
  return { services: { ...services, vault: noticing }, name: () => name };
}

function vaultNote(vault: string | undefined): { readonly vault?: string } {
  return vault === undefined ? {} : { vault };
}

/** Optional numbers beyond their range are brought to the nearest limit: without a word, one row would look like all. */
function broughtIntoRange(sent: Result, input: Result): string[] {
  return Object.entries(input).flatMap(([name, taken]) => {
    const given = sent[name];
    const number = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
    const isOther = typeof taken === "number" && typeof number === "number" && number !== taken;
    return isOther ? [`${name} was taken as ${taken}: ${number} is out of range.`] : [];
  });
}

function staleness({ stale, indexing }: Result): string[] {
  if (stale !== true || indexing !== undefined) return [];
  return ["This is from before the last changes were all read: try again in a moment for the rest."];
}

function withWarnings(result: Result, warnings: readonly string[]): Result {
  if (warnings.length === 0) return result;
  return { ...result, hint: [result["hint"] ?? [], ...warnings].flat().join(" ") };
}

/** Returns the note of a call that wrote: the id for undo, and the places in the trash. */
function writtenNote(writes: readonly Written[]): { readonly undoId?: string; readonly trashed?: readonly string[] } {
  const trashed = writes.flatMap((written) => written.trashed ?? []);
  const last = writes.at(-1);
  return { ...(last !== undefined && { undoId: last.id }), ...(trashed.length > 0 && { trashed }) };
}

/** A person can see whose words they read. */
function isMarked(tool: Tool, { asker }: Caller): boolean {
  return ASKERS[asker].isLimited && (returnsForeignText(tool) || tool.text !== undefined);
}

/** The requested part of the result, and its maximum size. */
function pageOf(
  tool: Tool,
  input: Result,
  caller: Caller,
): Required<Omit<Page, "field">> & { readonly fields: Tool["pages"] } {
  const most = Math.min(tool.budget ?? BUDGET, MAX_TOKENS) - (isMarked(tool, caller) ? MARK_TOKENS : 0);
  const budget = ASKERS[caller.asker].isLimited ? most : Number.POSITIVE_INFINITY;
  const explainsCursor = ASKERS[caller.asker].callsTools;
  // A change must not be repeated to see the rest of its result.
  const { pageSize = "", usualPageSize = Number.POSITIVE_INFINITY } = tool;
  const size = (input[pageSize] as number | undefined) ?? usualPageSize;
  const isRepeatable = tool.effects.readOnly || (tool.onlyReads?.(input) ?? false);
  if (tool.pages === undefined || !isRepeatable)
    return { budget, fields: undefined, size, start: 0, seal: "", explainsCursor };
  const seal = sealOf(tool.name, input);
  return {
    budget,
    fields: tool.pages,
    size,
    start: readCursor(input["cursor"] as string | undefined, seal),
    seal,
    explainsCursor,
  };
}

function argumentsOf(sent: unknown): Readonly<Record<string, unknown>> {
  if (sent === undefined || sent === null || sent === "") return {};
  // Some callers send their JSON.
  const record = typeof sent === "string" ? parseJson(sent) : sent;
  if (!isRecord(record)) throw new Problem("invalid", "The arguments must be an object");
  return record;
}

function failure(
  tool: Tool,
  problem: Problem,
  notes: { readonly hint?: string },
  elsewhere: Choices | undefined,
): CallResult {
  const result: Result & { readonly hint?: string } = {
    ...CONTRACTS[tool.contract].of(problem),
    ...notes,
  };
  const { hint } = result;
  const text = hint === undefined ? problem.message : `${asSentence(problem.message)} ${hint}`;
  const choices =
    problem instanceof Ambiguous ? ({ of: "note", sent: problem.sent, values: problem.choices } as const) : elsewhere;
  return {
    content: [{ type: "text", text }],
    structuredContent: result,
    isError: true,
    ...(choices !== undefined && { choices }),
  };
}

/** Messages of a contract may end without punctuation, and a hint follows. */
function asSentence(message: string): string {
  return /[.!?:]$/.test(message) ? message : `${message}.`;
}

/** A Problem is for the caller, and so is a refusal of the system. Anything else is a bug, whose details go to the log only. */
function asProblem(error: unknown, tool: Tool, log: Log): Problem {
  if (error instanceof Problem) return error;
  const unforeseen = unforeseenProblem(error);
  if (unforeseen !== undefined) {
    log(`${tool.name} failed (${codeOf(error) || (error as Error).name}): ${unforeseen.message}`);
    return unforeseen;
  }
  const id = nodeCrypto().randomBytes(4).toString("hex");
  log(`error ${id} in ${tool.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new Problem(
    "internal",
    `${tool.name} failed because of a mistake in the server (error ${id}).`,
    `The server's log has the details under ${id}.`,
  );
}
