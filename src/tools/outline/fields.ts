// Arguments and results that several outline tools share.
import type { Outline, OutlineDocument, Row } from "../../outline/outline.ts";
import type { Services } from "../definition/define-tool.ts";
import { MAX_TOKENS } from "../call/budget.ts";
import { choice, flag, list, optional, text, result, resultObject, unlisted } from "../definition/schema.ts";

/** Tools of a contract are cut only above the size that hosts accept. */
export const SHARED = { toolset: "outline", contract: "outline", byDefault: true, budget: MAX_TOKENS } as const;

/** A row as the contract shows it. */
export type RowResult = ReturnType<typeof rowResult>;
type DocumentResult = Awaited<ReturnType<typeof documentResult>>;

export const ROW = resultObject<RowResult>();
export const ROWS = list(ROW);
export const VERSION = text();

/** oneOf, because some hosts reject a list of types. */
export const TEXT_OR_NULL = result<string | null>({ oneOf: [{ type: "string" }, { type: "null" }] });

export const DOCUMENT = resultObject<DocumentResult>();

/** The last argument of every tool that writes: the version that was read last. Refused if the document has changed since. Not listed: rows are found by their ids, whatever else has changed. */
export const EXPECTED_VERSION = { expectedVersion: unlisted(text()) };

/** The document that the call names, otherwise that of its client. */
export async function currentDocument({ outlines }: Pick<Services, "outlines">): Promise<OutlineDocument> {
  return (await outlines()).current();
}

export const PARENT_ID = optional(text("Omit for top level"));

export const POSITION = choice(["first", "last"]);

/** In the result of every tool that writes. */
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

/** Some callers fill in every argument, and send an empty id for none. */
export function givenId(id: string | undefined): string | undefined {
  return id === "" ? undefined : id;
}
