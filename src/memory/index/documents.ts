// Sessions, states and traces as documents of the index: the words by which each
// is found, and the text for snippets. Pure; used by the ingest and the search.
import { type Fields, type IndexedDocument, NO_FACTS } from "../../search/search.ts";
import type { RecordKind, TraceEvent } from "../log/event.ts";
import { listOf, tagsOf, textOf, textsOf, type MemoryRecord } from "./record.ts";

export type ItemKind = RecordKind | "trace";

/** The key of an item. A kind contains no slash, so that keys are unique. */
export function pathOf(kind: ItemKind, id: string): string {
  return `${kind}/${id}`;
}

export function documentOfRecord(kind: RecordKind, id: string, record: MemoryRecord): IndexedDocument {
  const title = textOf(record, "name");
  const tags = tagsOf(record);
  return {
    path: pathOf(kind, id),
    kind,
    facts: { ...NO_FACTS, ...(title !== undefined && { title }), tags },
    fields: fieldsOf({ name: id, title: title ?? "", tags: tags.join("\n"), body: textOfRecord(record) }),
  };
}

export function documentOfTrace(trace: TraceEvent): IndexedDocument {
  return {
    path: pathOf("trace", trace.id),
    kind: "trace",
    facts: NO_FACTS,
    fields: fieldsOf({ body: `${textOfTrace(trace)}\n${trace.tool}` }),
    // There may be 100,000 of them, and nobody searches for their names.
    isNameless: true,
  };
}

/**
 * Reading memory is no work worth finding, and would match every search for the
 * words that were searched.
 */
export function isLookBack({ tool }: TraceEvent): boolean {
  return /^(?:memoryManager_(?:load|list)|vaultLibrarian_searchMemory$)/.test(tool);
}

function fieldsOf(fields: Partial<Fields>): Fields {
  return { name: "", title: "", headings: "", tags: "", properties: "", body: "", ...fields };
}

/** The searchable text of a session or a state. */
export function textOfRecord(record: MemoryRecord): string {
  const files = listOf(record, "activeFiles").flatMap((file) => pathIn(file) ?? []);
  const texts = ["description", "goal", "activeTask", "conversationContext", "reasoning"].map((name) =>
    textOf(record, name),
  );
  return [...texts, ...textsOf(record, "nextSteps"), ...files].filter(Boolean).join("\n");
}

/** The path of a state's file, which may also have a hash. */
export function pathIn(file: unknown): string | undefined {
  const path = (file as { path?: unknown } | null)?.path;
  return typeof path === "string" ? path : undefined;
}

export function textOfTrace({ why, subgoal, about, paths = [], error }: TraceEvent): string {
  return [why, subgoal, about, ...paths, error].filter(Boolean).join("\n");
}
