// The events of memory, and the line that each is in the log. Pure; used by
// whoever writes the log and by whoever reads it.
//
// There are two kinds. A trace says that a call was made. A statement sets
// fields of a workspace, a session or a state; all of them together are what
// it is, whatever the order in which they are read (see record.ts). A line
// that a later release wrote is left alone: the log is only ever appended to.
import { isRecord, parseJson } from "../../kernel/kernel.ts";

export const VERSION = 1;

export type RecordKind = "workspace" | "session" | "state";

/** A field's value, as JSON has it. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Values = Readonly<Record<string, Value>>;

interface Moment {
  /** One of its kind in the world; two lines with one id are the same event. */
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
}

/** What is kept of a call: never its content. */
export interface Trace {
  readonly session: string;
  readonly workspace: string;
  readonly tool: string;
  /** What it touched. */
  readonly paths?: readonly string[] | undefined;
  /** How many more it touched. */
  readonly more?: number | undefined;
  /** What it was about where that is no path: a query, a name. */
  readonly about?: string | undefined;
  readonly why?: string | undefined;
  /** The step that it belonged to, where that is another than the trace before said. */
  readonly subgoal?: string | undefined;
  /** Why it failed; one that has none succeeded. */
  readonly error?: string | undefined;
}

export interface TraceEvent extends Moment, Trace {
  readonly type: "trace";
}

/**
 * How much a statement counts against others about the same field:
 * - said: someone said so on purpose
 * - assumed: taken from what a call said about itself
 * - found: in the files of another program
 */
export type Weight = "said" | "assumed" | "found";

export interface Statement extends Moment {
  readonly type: RecordKind;
  /** The id of what it is about. */
  readonly of: string;
  readonly set: Values;
  readonly weight: Weight;
}

export type MemoryEvent = TraceEvent | Statement;

/** Without a line break inside: JSON writes those as two characters. */
export function lineOf(event: MemoryEvent): string {
  if (event.type === "trace") {
    const { type, id, at, ...trace } = event;
    return JSON.stringify({ v: VERSION, id, at, type, ...trace });
  }
  const { type, id, at, of, set, weight } = event;
  return JSON.stringify({ v: VERSION, id, at, type, of, set, ...(weight === "assumed" && { assumed: true }) });
}

/** Undefined for a line that is torn, of another version, or none of ours. */
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

/** The object that a text is as JSON; undefined where it is none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Fields that can be kept: what lies deeper than anybody writes would stop whoever walks through it. */
export function isFields(value: unknown): value is Values {
  return isRecord(value) && isShallow(value, DEEPEST);
}

const DEEPEST = 20;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Milliseconds that a date can have. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 8.64e15;
}
