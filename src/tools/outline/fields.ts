// Arguments and results that several outline tools share.
import type { Outline, OutlineDocument, Row } from "../../outline/outline.ts";
import { MOST_TOKENS } from "../budget.ts";
import { choice, flag, list, optional, record, text } from "../schema.ts";

/** A contract's tool is cut only where no host would take more. */
export const SHARED = { toolset: "outline", contract: "outline", byDefault: true, budget: MOST_TOKENS } as const;

export const ROW = record();
export const ROWS = list(ROW);
export const VERSION = text();

/** Clients check results against the schema; a list of types is refused by some hosts. */
export const TEXT_OR_NULL = { ...text(), schema: { oneOf: [{ type: "string" }, { type: "null" }] } as const };

/** After a write tool's own arguments. */
export const EXPECTED_VERSION = {
  expectedVersion: optional(text("version last read; refused if changed")),
};

export const POSITION = choice(["first", "last"]);

/** The results of every tool that writes. */
export const WRITTEN = { success: flag(), message: text(), version: VERSION, undoAvailable: flag() };

/** A row as the contract shows it. */
export function rowResult({ id, topic, note, level, state, parentId, childIds }: Row) {
  return { id, topic, note, level, state, hasChildren: childIds.length > 0, parentId, childIds };
}

/** A document as the contract shows it. */
export async function documentResult(document: OutlineDocument, { name, path, format, rowCount, version }: Outline) {
  return {
    name,
    path,
    isFrontmost: true,
    canUndo: await document.canUndo(),
    canRedo: await document.canRedo(),
    rowCount,
    format,
    version,
  };
}

/** Callers that fill in every argument send an empty id for none. */
export function named(id: string | undefined): string | undefined {
  return id === "" ? undefined : id;
}
