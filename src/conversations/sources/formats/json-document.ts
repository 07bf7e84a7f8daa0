// A file that is one JSON document, which its program writes again as a whole
// with every change. Used by sources whose programs keep conversations so.
import { createHash } from "node:crypto";
import { FileTooLarge, readBytes, readText, reasonOf, UnreadableFile } from "../../../files/files.ts";
import type { TranscriptFile } from "../source.ts";
import { LARGEST_VALUE, recordOf, storedJson } from "./stored-json.ts";

export interface JsonDocument {
  /** Undefined if it is no JSON, which it may be while it is written. */
  readonly value: unknown;
  /** Differs if the content does: for a checkpoint. */
  readonly mark: string;
}

/** Throws `UnreadableFile` if it cannot be read, or is larger than 64 MB. */
export function jsonDocument({ path }: Pick<TranscriptFile, "path">): JsonDocument {
  let bytes: Buffer;
  try {
    bytes = readBytes(path, { followsLinks: true }, LARGEST_VALUE);
  } catch (error) {
    if (error instanceof FileTooLarge) throw new UnreadableFile("larger than 64 MB");
    throw new UnreadableFile(reasonOf(error));
  }
  const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  return { value: storedJson(bytes), mark };
}

/** A document whose program writes in place: an incomplete one is complete soon. */
export const INCOMPLETE = "no JSON, or not finished";

/** The object in a small file beside a transcript; undefined if there is none. */
export function recordAt(path: string): Readonly<Record<string, unknown>> | undefined {
  return recordOf(storedJson(textAt(path)));
}

/** The text of a small file beside a transcript; undefined if it cannot be read. */
export function textAt(path: string): string | undefined {
  try {
    return readText(path, { followsLinks: true });
  } catch {
    return undefined;
  }
}
