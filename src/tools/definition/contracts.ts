// How errors look in `structuredContent`. Each family of tools keeps the form of
// the server that it replaces, its contract; a tool names its own in its
// definition. Used by call.ts and define-tool.ts.
import type { Problem } from "../../kernel/kernel.ts";
import type { Fields } from "./field.ts";
import { record, text } from "./schema.ts";

interface ErrorShape {
  /** The fields of a failed result. */
  readonly of: (problem: Problem) => Readonly<Record<string, unknown>>;
  /** The same as fields of an output schema: clients check failed results against it too. */
  readonly fields: Fields;
}

const VAULT_CODES: Readonly<Record<string, string>> = {
  invalid: "invalid_params",
  too_large: "invalid_params",
  not_found: "not_found",
  exists: "exists",
  conflict: "conflict",
  denied: "access_denied",
  timeout: "timeout",
};

/** The contract has the sentence alone; the code beside it is ours. */
const SENTENCE: ErrorShape = {
  of: ({ code, message }) => ({ success: false, error: message, code: VAULT_CODES[code] ?? "internal_error" }),
  fields: { error: text() },
};

const OUTLINE_CODES: Readonly<Record<string, string>> = {
  app_not_running: "app_not_running",
  no_document: "no_document",
  row_not_found: "row_not_found",
  pro_required: "pro_required",
  invalid: "invalid_params",
  too_large: "invalid_params",
  // Rows have a code of their own; anything else that can be missing is a document or its folder.
  not_found: "no_document",
  exists: "conflict",
  conflict: "conflict",
  denied: "access_denied",
  timeout: "timeout",
};

const RECALL_CODES: Readonly<Record<string, string>> = {
  invalid: "INVALID_PARAMS",
  too_large: "INVALID_PARAMS",
  exists: "INVALID_PARAMS",
  conflict: "INVALID_PARAMS",
  not_found: "NOT_FOUND",
  denied: "ACCESS_DENIED",
  timeout: "TIMEOUT",
};

export const CONTRACTS = {
  vault: SENTENCE,
  outline: {
    of: ({ code, message }) => ({ success: false, error: { code: OUTLINE_CODES[code] ?? "internal_error", message } }),
    fields: { error: record() },
  },
  recall: {
    of: ({ code, message }) => ({ error: { code: RECALL_CODES[code] ?? "INTERNAL_ERROR", message } }),
    fields: { error: record() },
  },
} as const satisfies Record<string, ErrorShape>;

export type Contract = keyof typeof CONTRACTS;
