// The events of memory, and their lines in the log. Pure; used by what writes
// the log and by what reads it.
//
// There are two kinds. A trace records a call. A statement sets fields of a
// workspace, a session or a state; a record is the join of its statements, in any
// order (see record.ts). A line of a later release is ignored, and stays: the log
// is only ever appended to.
import { isRecord, parseJson } from "../../kernel/kernel.ts";

export const VERSION = 1;

export type RecordKind = "workspace" | "session" | "state";

/** A field's value, as JSON has it. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Values = Readonly<Record<string, Value>>;

interface Moment {
  /** Globally unique; two lines with one id are the same event. */
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
}

/** The stored facts of a call: never its content. */
export interface Trace {
  readonly session: string;
  readonly workspace: string;
  readonly tool: string;
  /** The paths that it touched. */
  readonly paths?: readonly string[] | undefined;
  /** How many more paths it touched. */
  readonly more?: number | undefined;
  /** Its subject, if that is not a path: a query, a name. */
  readonly about?: string | undefined;
  readonly why?: string | undefined;
  /** The step that it belonged to, if that differs from the previous trace. */
  readonly subgoal?: string | undefined;
  /** Why it failed; undefined if it succeeded. */
  readonly error?: string | undefined;
}

export interface TraceEvent extends Moment, Trace {
  readonly type: "trace";
}

/**
 * The precedence of a statement over others about the same field:
 * - said: set on purpose
 * - assumed: derived from the context of a call
 * - found: in the files of another program
 */
export type Weight = "said" | "assumed" | "found";

export interface Statement extends Moment {
  readonly type: RecordKind;
  /** The id of its record. */
  readonly of: string;
  readonly set: Values;
  readonly weight: Weight;
}

export type MemoryEvent = TraceEvent | Statement;

/** Contains no line break: JSON escapes those. */
export function lineOf(event: MemoryEvent): string {
  if (event.type === "trace") {
    const { type, id, at, ...trace } = event;
    return JSON.stringify({ v: VERSION, id, at, type, ...trace });
  }
  const { type, id, at, of, set, weight } = event;
  return JSON.stringify({ v: VERSION, id, at, type, of, set, ...(weight === "assumed" && { assumed: true }) });
}

/** Undefined for a line that is torn, of another version, or not ours. */
export function eventOf(line: string): MemoryEvent | undefined {
  const found = objectIn(line);
  if (found === undefined || found["v"] !== VERSION) return undefined;
  const { id, at, type } = found;
  if (!isText(id) || !isTime(at)) return undefined;
  if (type === "trace") return traceIn(found, { id, at });
  const { of, set } = found;
  if ((type !== "workspace" && type !== "session" && type !== "state") || !isText(of) || !isFields(set))
    return undefined;
  return { type, id, at, of, set, weight: found["assumed"] === true ? "assumed" : "said" };
}

function traceIn(found: Readonly<Record<string, unknown>>, moment: Moment): TraceEvent | undefined {
  const { session, workspace, tool, paths, more } = found;
  if (!isText(session) || !isText(workspace) || !isText(tool)) return undefined;
  const texts = ["about", "why", "subgoal", "error"].flatMap((name) => {
    const text = found[name];
    return isText(text) ? [[name, text] as const] : [];
  });
  return {
    type: "trace",
    ...moment,
    session,
    workspace,
    tool,
    ...(Array.isArray(paths) && { paths: paths.filter(isText) }),
    ...(typeof more === "number" && { more }),
    ...Object.fromEntries(texts),
  };
}

/** The JSON object in a text; undefined if the text is not one. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Fields that can be stored. Not too deep: recursion over them would fail. */
export function isFields(value: unknown): value is Values {
  return isRecord(value) && isShallow(value, MAX_DEPTH);
}

const MAX_DEPTH = 20;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Milliseconds since 1970, in the range of a Date. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 8.64e15;
}
