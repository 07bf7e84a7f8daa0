// Arguments and results that several outline tools share.
import type { Outline, OutlineDocument, Row } from "../../outline/outline.ts";
import { MOST_TOKENS } from "../budget.ts";
import { choice, flag, list, optional, text, result, resultObject } from "../schema.ts";

/** A contract's tool is cut only where no host would take more. */
export const SHARED = { toolset: "outline", contract: "outline", byDefault: true, budget: MOST_TOKENS } as const;

/** A row as the contract shows it. */
export type RowResult = ReturnType<typeof rowResult>;
export type DocumentResult = Awaited<ReturnType<typeof documentResult>>;

export const ROW = resultObject<RowResult>();
export const ROWS = list(ROW);
export const VERSION = text();

/** Clients check results against the schema; a list of types is refused by some hosts. */
export const TEXT_OR_NULL = result<string | null>({ oneOf: [{ type: "string" }, { type: "null" }] });

export const DOCUMENT = resultObject<DocumentResult>();

/** After a write tool's own arguments. */
export const EXPECTED_VERSION = {
  expectedVersion: optional(text("version last read; refused if changed")),
};

export const POSITION = choice(["first", "last"]);

/** The results of every tool that writes. */
export const WRITTEN = { success: flag(), message: text(), version: VERSION, undoAvailable: flag() };

export function rowResult({ id, topic, note, level, state, parentId, childIds }: Row) {
  return { id, topic, note, level, state, hasChildren: childIds.length > 0, parentId, childIds };
}

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
