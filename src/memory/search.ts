// Searches sessions, states and traces in the index. Used by
// vaultLibrarian_searchMemory.
import { hintForCut, parseQuery, snippetOf } from "../search/search.ts";
import { textOfRecord, textOfTrace, type ItemKind } from "./index/documents.ts";
import type { Memory } from "./memory.ts";
import { meant, type MemoryIndex, type MemorySearch } from "./index/memory-index.ts";
import { summaryOfSession } from "./sessions.ts";
import { summaryOfState } from "./states.ts";

export interface Remembered {
  readonly type: ItemKind;
  readonly id: string;
  readonly title: string;
  /** The snippet that matches. */
  readonly content: string;
  readonly score: number;
  readonly when: number;
  readonly sessionId: string;
  readonly workspaceId: string;
}

interface Answer {
  readonly results: readonly Remembered[];
  /** All of them, not only those within the limit. */
  readonly total: number;
  /** If the query was cut. */
  readonly hint: string | undefined;
}

const SNIPPET_LENGTH = 200;

export async function searchMemory(memory: Memory, text: string, options: MemorySearch): Promise<Answer> {
  const query = parseQuery(text);
  return memory.ask((index) => {
    const found = index.search(query, meant(index, options));
    const shown = { phrases: query.phrases, words: [...query.words, ...found.words], hasForms: true };
    const results = found.hits.flatMap(({ path, score }) => {
      const item = itemAt(index, path);
      if (item === undefined) return [];
      const { text: whole, ...facts } = item;
      return [{ ...facts, content: snippetOf(whole, shown, SNIPPET_LENGTH).text, score }];
    });
    return { results, total: found.total, hint: hintForCut(query) };
  });
}

function itemAt(index: MemoryIndex, path: string) {
  const slash = path.indexOf("/");
  const [kind, id] = [path.slice(0, slash), path.slice(slash + 1)];
  if (kind === "trace") {
    const trace = index.trace(id);
    if (trace === undefined) return undefined;
    const { tool, at, session, workspace, error } = trace;
    const title = error === undefined ? tool : `${tool} (failed)`;
    return {
      type: kind,
      id,
      title,
      when: at,
      sessionId: session,
      workspaceId: workspace,
      text: textOfTrace(trace),
    } as const;
  }
  const type = kind === "state" ? "state" : "session";
  const record = index.record(type, id);
  if (record === undefined) return undefined;
  const text = textOfRecord(record);
  if (type === "state") {
    const { name, created, sessionId, workspaceId } = summaryOfState({ id, record });
    return { type, id, title: name, when: created, sessionId, workspaceId, text } as const;
  }
  const { name, lastUsed, workspaceId } = summaryOfSession({ id, record });
  return { type, id, title: name, when: lastUsed, sessionId: id, workspaceId, text } as const;
}
