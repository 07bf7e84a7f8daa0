// A JSON value from another program's database, of any size and column type.
// Used by the sources of editors.
import { parseJson } from "../../../kernel/kernel.ts";
import { BoundedJson } from "./bounded-json.ts";

/** Long texts in larger values are cut. Far larger ones are not read at all: query the size first. */
const LARGE = 4 << 20;
export const LARGEST_VALUE = 64 << 20;

/** Undefined if it is no JSON, or NULL. */
export function storedJson(value: unknown): unknown {
  if (typeof value === "string") return value.length > LARGE ? boundedJson(Buffer.from(value)) : parseJson(value);
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return bytes.length > LARGE ? boundedJson(bytes) : parseJson(bytes.toString("utf8"));
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

function boundedJson(bytes: Buffer): unknown {
  const json = new BoundedJson();
  json.push(bytes);
  return json.end();
}
