// Results that fit a model's context. One that is too long is cut at the end
// of a list item or a line, and says how much there is and how to go on. The
// tool itself knows nothing of it: it returns everything, and names the field.
import { createHash } from "node:crypto";
import { Problem } from "../text/problem.ts";
import { estimateTokens } from "../text/tokens.ts";

export type Result = Readonly<Record<string, unknown>>;

/** No result is longer than this; a tool may have a smaller budget. */
export const MOST_TOKENS = 20_000;

export interface Page {
  /** The field of the result that can be cut. */
  readonly field: string | undefined;
  readonly budget: number;
  /** Where an earlier page of the same call ended. */
  readonly start: number;
  /** What ties a cursor to this tool and these arguments. */
  readonly seal: string;
}

/** The result, whole if it fits the budget, else its next page. */
export function fit(result: Result, { field, budget, start, seal }: Page): Result {
  const whole = field === undefined ? undefined : valueAt(result, field.split("."));
  if (field === undefined || (!Array.isArray(whole) && typeof whole !== "string")) {
    if (estimateTokens(JSON.stringify(result)) <= budget) return result;
    throw new Problem("too_large", "The result is too long.", "Ask for less: narrow the arguments.");
  }
  if (start === 0 && estimateTokens(JSON.stringify(result)) <= budget) return result;

  const size = whole.length;
  const rest = whole.slice(start);
  // The frame counts with everything that a cut adds to it.
  const frame = (part: unknown, end: number): Result => ({
    ...withValueAt(result, field.split("."), part),
    truncated: end < size,
    total: size,
    ...(end < size && {
      nextCursor: writeCursor(end, seal),
      hint: `This is ${start} to ${end} of ${size} ${typeof whole === "string" ? "characters" : "items"} of ${field}. For the rest call again with the same arguments and cursor set to nextCursor.`,
    }),
  });
  const room = budget - estimateTokens(JSON.stringify(frame(whole.slice(0, 0), 0)));
  const length = typeof rest === "string" ? textLength(rest, room) : listLength(rest, room);
  if (length === 0 && rest.length > 0) {
    throw new Problem("too_large", `One item of ${field} alone is too long.`, "Ask for less: narrow the arguments.");
  }
  return frame(rest.slice(0, length), start + length);
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

/** How much of a text fits: whole lines where a line break is near, and never half a character. */
function textLength(text: string, room: number): number {
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

/** What ties a cursor to the call that gave it. */
export function sealOf(tool: string, input: Result): string {
  const { cursor: _, ...others } = input;
  return createHash("sha256")
    .update(JSON.stringify([tool, others]))
    .digest("base64url")
    .slice(0, 8);
}

function writeCursor(end: number, seal: string): string {
  return `${end.toString(36)}.${seal}`;
}

/** Where a cursor of this call says to go on. */
export function readCursor(cursor: string | undefined, seal: string): number {
  if (cursor === undefined || cursor === "") return 0;
  const [end, cursorSeal] = cursor.split(".");
  const start = Number.parseInt(end ?? "", 36);
  if (cursorSeal !== seal || !Number.isSafeInteger(start) || start < 0) {
    throw new Problem(
      "invalid",
      "cursor does not belong to these arguments",
      "Send the same arguments again without cursor to start over.",
    );
  }
  return start;
}
