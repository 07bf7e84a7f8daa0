// Writes any result as lines: the text of our own tools that need no better one.
// Used by their definitions.
import { isRecord } from "../../kernel/kernel.ts";
import type { ReadableText } from "./readable-text.ts";

/** A result in our own words. */
export function ownLines(result: object): ReadableText {
  return { head: asLines(result), words: "" };
}

/** A result with the words of others. */
export function quotedLines(result: object): ReadableText {
  return { head: "", words: asLines(result) };
}

/** Notes of a result about itself: readable-text.ts writes them below the text of every tool. */
const NOTES = new Set([
  "vault",
  "undoId",
  "trashed",
  "truncated",
  "total",
  "nextCursor",
  "ignored",
  "memoryWarning",
  "hint",
]);

/** Every field on a line of its own, and every item of a list. */
export function asLines(result: object): string {
  return linesOf(Object.entries(result).filter(([name]) => !NOTES.has(name)));
}

function linesOf(fields: readonly [string, unknown][]): string {
  return fields
    .flatMap(([name, value]) => {
      if (value === undefined || (name === "success" && value === true)) return [];
      return [name === "data" && isRecord(value) ? linesOf(Object.entries(value)) : line(name, value)];
    })
    .filter((part) => part !== "")
    .join("\n");
}

function line(name: string, value: unknown): string {
  if (Array.isArray(value) && value.some((item) => isRecord(item)))
    return [`${name}:`, ...value.map((item) => `- ${inline(item)}`)].join("\n");
  const written = inline(value);
  return written.includes("\n") ? `${name}:\n${written}` : `${name}: ${written}`;
}

/** A value within a line. A text stays as it is, whatever it contains. */
function inline(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(nested).join(", ");
  if (!isRecord(value)) return value === null ? "none" : String(value);
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${name}: ${nested(field)}`)
    .join("; ");
}

function nested(value: unknown): string {
  if (Array.isArray(value) && !value.some((item) => typeof item === "object")) return inline(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : inline(value);
}
