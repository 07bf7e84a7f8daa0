// Arguments and parts of results that several vault tools share.
import type { Freshness } from "../../search/search.ts";
import { ownLines, quotedLines } from "../call/result-lines.ts";
import type { Fields } from "../definition/field.ts";
import { flag, object, optional, resultObject, text, unlisted, withDefault } from "../definition/schema.ts";
import { OPTIONAL_CONTEXT, WORKSPACE_CONTEXT } from "../definition/context-fields.ts";

export const SHARED = { toolset: "vault", contract: "vault" } as const;

/** Fields of our own tools beside the contract's: their text is for reading. */
export const OWN = { ...SHARED, text: ownLines } as const;
export const OWN_READER = { ...SHARED, text: quotedLines } as const;

export const FILE_PATH = text("", { missing: "File path is required", notEmpty: true });
export const PATH = text("", { missing: "Path is required", notEmpty: true });
export const CONTENT = text("", { missing: "Content is required" });

/** The contentHash that was read last: refused if the note has changed since. */
const EXPECTED_HASH = optional(text());

/** The same for tools that overwrite no text: accepted, but not listed. */
export const UNLISTED_HASH = { expectedHash: unlisted(text()) };

/** The last arguments of a tool that writes and whose contract requires no context. */
export const WRITE = { expectedHash: EXPECTED_HASH, ...OPTIONAL_CONTEXT };

/** For a tool that is asked most for days, and begins their notes. */
export const DAY_PATH = text("Path, or daily:today", { missing: "File path is required", notEmpty: true });

/** In the result of an edit that began the note of a day. */
export const BEGUN = { created: unlisted(flag()) };

export const HEADING = optional(text());
export const OVERWRITE = withDefault(flag("Replace what is there"), false);

/** The output of a tool that wraps its facts in `data`. */
export const dataOutput = <const F extends Fields>(fields: F) => ({
  success: flag(),
  data: object(fields),
});

/** The same with the workspace of the call, which call.ts adds to the result. */
export const noteOutput = <const F extends Fields>(fields: F) => ({ ...dataOutput(fields), ...WORKSPACE_CONTEXT });

/** Fields of an answer that may be incomplete while the index is built. */
export const FRESHNESS = {
  stale: unlisted(flag()),
  indexing: unlisted(resultObject<NonNullable<Freshness["indexing"]> & { readonly hint?: string }>()),
};

/** The note that a call is about; if it succeeded, in the vault's spelling. */
export const noteTouched = (
  { filePath }: { readonly filePath?: string },
  result: { readonly data: { readonly filePath: string } } | undefined,
) => [result?.data.filePath ?? filePath];

/** The same for tools that take any path. */
export const pathTouched = (
  { path }: { readonly path?: string },
  result: { readonly data: { readonly path: string } } | undefined,
) => [result?.data.path ?? path];
