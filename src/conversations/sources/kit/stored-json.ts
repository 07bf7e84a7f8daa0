// A JSON value from another program's database, of any size and column type.
// Used by the sources of editors.
import { parseJson } from "../../../kernel/kernel.ts";
import { briefJson, type CutKeys } from "./brief-json.ts";
import { BoundedJson } from "./bounded-json.ts";

/** Long texts in larger values are cut. Far larger ones are not read at all: query the size first. */
export const LARGE = 4 << 20;
export const MAX_VALUE_SIZE = 64 << 20;

/**
 * Undefined if it is no JSON, or NULL.
 * @param cut keys below which long texts are cut, if it is bytes: see brief-json.ts
 */
export function storedJson(value: unknown, cut: CutKeys = []): unknown {
  if (typeof value === "string") return value.length > LARGE ? boundedJson(Buffer.from(value)) : parseJson(value);
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length > LARGE) return boundedJson(bytes);
  return cut.length > 0 ? parseBriefly(bytes, cut) : parseJson(bytes.toString("utf8"));
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function recordsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordOf).filter((item) => item !== undefined) : [];
}

/** Text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function parseBriefly(bytes: Buffer, cut: CutKeys): unknown {
  try {
    return briefJson(bytes, cut);
  } catch {
    return undefined;
  }
}

function boundedJson(bytes: Buffer): unknown {
  const json = new BoundedJson();
  json.push(bytes);
  return json.end();
}
