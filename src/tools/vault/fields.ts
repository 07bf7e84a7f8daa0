// Arguments that several tools of the vault take, and the frame of their
// results.
import { flag, object, optional, text, withDefault, type Fields } from "../schema.ts";
import { TAKEN_CONTEXT, WORKSPACE_CONTEXT } from "../context-fields.ts";

export const FILE_PATH = text("", { missing: "File path is required" });
export const PATH = text("", { missing: "Path is required" });
export const CONTENT = text("Markdown", { missing: "Content is required" });

export const EXPECTED_HASH = optional(text("contentHash last read; refused if changed"));

/** After the own arguments of a tool that writes, and that no contract asks a context for. */
export const WRITE = { expectedHash: EXPECTED_HASH, ...TAKEN_CONTEXT };

export const HEADING = optional(text("Heading, or path: Projects/Alpha"));
export const OVERWRITE = withDefault(flag("Replace what is there"), false);

/** The output of a tool that wraps its facts in `data`. */
export const dataOutput = (fields: Fields): Fields => ({
  success: flag(),
  data: object(fields),
});

/** The same with the workspace of the call: call.ts adds that to the result. */
export const noteOutput = (fields: Fields): Fields => ({ ...dataOutput(fields), ...WORKSPACE_CONTEXT });
