// Sessions, states and traces as documents of the common index: the words by
// which each is found, and the text of which a search shows a passage. Pure.
import { type Fields, type IndexedDocument, NO_FACTS } from "../../search/search.ts";
import type { RecordKind, TraceEvent } from "../log/event.ts";
import { listOf, tagsOf, textOf, textsOf, type MemoryRecord } from "./record.ts";

export type ItemKind = RecordKind | "trace";

/** The key of everything that is kept. A kind has no slash in it, so that no two things share one. */
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
    // A hundred thousand of them have no name that anybody would look for.
    isNameless: true,
  };
}

/**
 * A look into memory is no part of what was done, and would be found by the
 * very words that were looked for.
 */
export function isLookBack({ tool }: TraceEvent): boolean {
  return /^(?:memoryManager_(?:load|list)|vaultLibrarian_searchMemory$)/.test(tool);
}

function fieldsOf(fields: Partial<Fields>): Fields {
  return { name: "", title: "", headings: "", tags: "", properties: "", body: "", ...fields };
}

/** What a session or a state is about, in words. */
export function textOfRecord(record: MemoryRecord): string {
  const files = listOf(record, "activeFiles").flatMap((file) => pathIn(file) ?? []);
  const texts = ["description", "goal", "activeTask", "conversationContext", "reasoning"].map((name) =>
    textOf(record, name),
  );
  return [...texts, ...textsOf(record, "nextSteps"), ...files].filter(Boolean).join("\n");
}

/** A file of a state is its path, with the hash that it had where that is known. */
export function pathIn(file: unknown): string | undefined {
  const path = (file as { path?: unknown } | null)?.path;
  return typeof path === "string" ? path : undefined;
}

export function textOfTrace({ why, subgoal, about, paths = [], error }: TraceEvent): string {
  return [why, subgoal, about, ...paths, error].filter(Boolean).join("\n");
}
