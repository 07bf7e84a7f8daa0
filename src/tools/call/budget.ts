// Cuts results to a size that fits a model's context: at the end of a list item
// or of a line, with the total and a cursor for the rest. Tools return everything
// and only name the field that may be cut. Used by call.ts.
import { estimateTokens, Problem, quickHash } from "../../kernel/kernel.ts";
import { LazyList } from "../definition/lazy-list.ts";

export type Result = Readonly<Record<string, unknown>>;

/** Notes of a page about itself. */
export type PageNotes = {
  readonly truncated?: boolean;
  /** How many items or characters the whole field has. */
  readonly total?: number;
  readonly nextCursor?: string;
  readonly hint?: string;
};

type WriteJson = (value: unknown) => string;

/** Serialises JSON, and remembers the last value: a short result is counted and sent in the same form. */
export function jsonWriter(): WriteJson {
  let last: { readonly value: unknown; readonly text: string } | undefined;
  return (value) => {
    if (last?.value !== value) last = { value, text: JSON.stringify(value) };
    return last!.text;
  };
}

/** The upper limit of every tool's budget. */
export const MAX_TOKENS = 20_000;

export interface Page {
  /** The field of the result that comes in pages; undefined if the tool has none, or has changed something. */
  readonly field: string | undefined;
  readonly budget: number;
  /** Maximum number of items on a page. */
  readonly size?: number;
  /** The end of an earlier page of the same call. */
  readonly start: number;
  /** Ties a cursor to this tool and these arguments. */
  readonly seal: string;
  /** The hint says how to ask for the rest: a person sends no cursor. */
  readonly explainsCursor?: boolean;
}

/** The first of the fields that a tool names which the result has. */
export function pagedField(result: Result, names: string | readonly string[]): string | undefined {
  return typeof names === "string" ? names : names.find((name) => valueAt(result, name.split(".")) !== undefined);
}

/**
 * The whole result if it fits the budget, otherwise its next page, or a shortened form if it has no pages.
 * @param written serialises JSON; pass one to reuse the text of a whole result
 */
export function fit(
  result: Result,
  { field, budget, size: most = Number.POSITIVE_INFINITY, start, seal, explainsCursor = true }: Page,
  written: WriteJson = JSON.stringify,
): Result {
  const whole = field === undefined ? undefined : valueAt(result, field.split("."));
  const isList = Array.isArray(whole) || whole instanceof LazyList;
  // An item costs at least one token, so a list with more items than that need not be serialised.
  const mostItems = Math.min(most, budget);
  const isLong = isList && whole.length > mostItems;
  if (start === 0 && !isLong) {
    const full = whole instanceof LazyList ? withValueAt(result, field!.split("."), whole.slice(0)) : result;
    if (isWithin(full, budget, written)) return full;
  }
  if (field === undefined || (!isList && typeof whole !== "string")) {
    const note = { truncated: true, hint: "This result was shortened; the call itself was completed." };
    return { ...(shortened(result, budget - tokensOf(note)) as Result), ...note };
  }
  const size = whole.length;
  const rest = whole.slice(start, typeof whole === "string" ? undefined : start + mostItems) as string | unknown[];
  // The frame includes what a cut adds. The fields besides the page may use half of the budget.
  const beside = shortened(withValueAt(result, field.split("."), whole.slice(0, 0)), budget / 2) as Result;
  const frame = (part: unknown, end: number): Result => ({
    ...withValueAt(beside, field.split("."), part),
    truncated: end < size,
    total: size,
    ...(end < size && {
      nextCursor: writeCursor(end, seal),
      ...(explainsCursor && {
        hint: `${typeof beside["hint"] === "string" ? `${beside["hint"]} ` : ""}${start + 1} to ${end} of ${size} ${typeof whole === "string" ? "characters" : "items"}; for the rest send nextCursor as cursor with the same arguments.`,
      }),
    }),
  });
  const room = budget - tokensOf(frame(whole.slice(0, 0), 0));
  if (typeof rest === "string") {
    const length = Math.max(textLength(rest, room), Math.min(rest.length, 2));
    return frame(rest.slice(0, length), start + length);
  }
  const length = listLength(rest, room);
  if (length > 0 || rest.length === 0) return frame(rest.slice(0, length), start + length);
  return frame([shortened(rest[0], room)], start + 1);
}

/** A token has at least one character, so short results need no counting. */
function isWithin(value: unknown, budget: number, written: WriteJson = JSON.stringify): boolean {
  // People get whole results, such as all rows of a large outline: these are not even serialised.
  if (budget === Number.POSITIVE_INFINITY) return true;
  const text = written(value);
  return text.length <= budget || estimateTokens(text) <= budget;
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

/** Characters of a text and items of a list that are kept; each step is tried until the value fits. */
const LIMITS = [
  [2000, 200],
  [500, 50],
  [100, 20],
  [40, 5],
  [10, 1],
] as const;

/** Cuts long texts and lists within a value; each cut gives the original length. */
function shortened(value: unknown, budget: number): unknown {
  if (isWithin(value, budget)) return value;
  for (const [characters, items] of LIMITS) {
    const cut = cutTo(value, characters, items);
    if (isWithin(cut, budget)) return cut;
  }
  return cutTo(value, 10, 0);
}

function cutTo(value: unknown, characters: number, items: number): unknown {
  if (typeof value === "string") {
    if (value.length <= characters) return value;
    return `${value.slice(0, characters).toWellFormed()}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => cutTo(item, characters, items));
    if (value.length <= items) return kept;
    // Clients check items against the schema, so a list of objects reports its cut in an object.
    const all = `${value.length} in all`;
    return [...kept, typeof value[0] === "object" ? { "…": all } : `… (${all})`];
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  // Only properties of notes have many fields.
  const kept = entries
    .slice(0, Math.max(items, 20))
    .map(([key, inner]) => [key, cutTo(inner, characters, items)] as const);
  const more = entries.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept, ["…", `${entries.length} in all`]] : kept);
}

function valueAt(value: unknown, [key, ...keys]: readonly string[]): unknown {
  return key === undefined ? value : valueAt((value as Result | undefined)?.[key], keys);
}

function withValueAt(result: Result, [key = "", ...keys]: readonly string[], value: unknown): Result {
  return { ...result, [key]: keys.length === 0 ? value : withValueAt(result[key] as Result, keys, value) };
}

function listLength(items: readonly unknown[], room: number): number {
  let left = room;
  let length = 0;
  for (const item of items) {
    left -= estimateTokens(`${JSON.stringify(item)},`);
    if (left < 0) break;
    length++;
  }
  return length;
}

/** How much of a text fits into so many tokens as JSON: up to a line break if one is near, and never half a surrogate pair. */
export function textLength(text: string, room: number): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(JSON.stringify(text.slice(0, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  if (low === text.length) return low;
  const lineEnd = text.lastIndexOf("\n", low - 1) + 1;
  if (lineEnd > low / 2) return lineEnd;
  const splitsPair = low > 0 && text.charCodeAt(low - 1) >= 0xd800 && text.charCodeAt(low - 1) <= 0xdbff;
  return splitsPair ? low - 1 : low;
}

/** A hash that ties a cursor to the tool and the arguments it was returned for. */
export function sealOf(tool: string, input: Result): string {
  const { cursor: _, ...others } = input;
  return quickHash(JSON.stringify([tool, others])).slice(0, 8);
}

function writeCursor(end: number, seal: string): string {
  return `${end.toString(36)}.${seal}`;
}

/** The offset that a cursor of this call holds. */
export function readCursor(cursor: string | undefined, seal: string): number {
  if (cursor === undefined || cursor === "") return 0;
  const [end, cursorSeal] = cursor.split(".");
  const start = Number.parseInt(end ?? "", 36);
  if (cursorSeal !== seal || !Number.isSafeInteger(start) || start < 0) {
    throw invalidCursor();
  }
  return start;
}

/** A cursor belongs to one tool and its arguments: what it was returned for. */
export function invalidCursor(): Problem {
  return new Problem(
    "invalid",
    "Invalid cursor.",
    "A cursor belongs to the arguments of the call that returned it: send these again with it, or without it to start over.",
  );
}
