// `preview: true` on any tool that changes notes or outlines: the change is planned
// and checked, and nothing is changed. Tools that have an argument of that name
// show a preview of their own. Used by call.ts.
import { counted, type Previewed, Problem } from "../../kernel/kernel.ts";
import type { Tool } from "../definition/define-tool.ts";
import type { NamedArguments } from "./arguments/argument-names.ts";
import { isAmong } from "./arguments/argument-spelling.ts";
import { PREVIEW_NAMES } from "./arguments/argument-synonyms.ts";
import type { Result } from "./budget.ts";

/** Toolsets whose writes go through the journal; memory, exports and undo do not. */
const JOURNALED: readonly string[] = ["vault", "outline"] satisfies Tool["toolset"][];

/** More would fill the result of a bulk change. */
const MAX_PATHS = 20;

interface Asked {
  readonly isPreview: boolean;
  /** Without that argument. */
  readonly named: NamedArguments;
}

/** Returns whether only a preview was asked for. Anything that is not plainly a no counts: a preview too many harms nobody. */
export function previewAsked(tool: Tool, named: NamedArguments): Asked {
  if (tool.effects.readOnly) return { isPreview: false, named };
  const sent = Object.entries(named.unknown).filter(([name]) => isAmong(PREVIEW_NAMES, name));
  if (sent.length === 0) return { isPreview: false, named };
  const others = Object.entries(named.unknown).filter(([name]) => !isAmong(PREVIEW_NAMES, name));
  const isPreview = sent.some(([, value]) => !["false", "no", "null", "0", "", "undefined"].includes(String(value)));
  if (isPreview && !JOURNALED.includes(tool.toolset))
    throw new Problem("invalid", `${tool.name} has no preview. Nothing was changed.`, "Send it without preview.");
  return { isPreview, named: { ...named, unknown: Object.fromEntries(others) } };
}

/** The result of a call that stopped before its change. */
export function previewResult({ sentence, paths }: Previewed): Result {
  const more = paths.length - MAX_PATHS;
  return {
    success: true,
    preview: true,
    message: `Nothing was changed. Without preview, this would be done: ${sentence.replace(/\.$/, "")}.`,
    paths: paths.slice(0, MAX_PATHS),
    ...(more > 0 && { hint: `And ${counted(more, "further path")}.` }),
  };
}
