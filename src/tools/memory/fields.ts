// Arguments and facts that several memory tools share.
import { quotedLines } from "../call/result-lines.ts";
import { choice, integer, list, optional, text, withDefault } from "../definition/schema.ts";

export const NAME = text("", { missing: "Name is required", notEmpty: true });
export const TAGS = optional(list(text()));

/** Arguments of every list, which is ordered by last use. */
export const LISTED = {
  limit: withDefault(integer("How many", { minimum: 1, maximum: 100 }), 20),
  order: withDefault(choice(["desc", "asc"], "desc: latest first"), "desc"),
};

export const SHARED = { toolset: "memory", contract: "vault" } as const;

/** Fields of our own tools beside the contract's: their text is for reading. */
export const OWN = { ...SHARED, text: quotedLines } as const;
