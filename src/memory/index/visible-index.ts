// The index of memory without what it knows of hidden files: traces of calls
// about them, and their paths in records. Used by memory.ts, for every question,
// and by what shares events with others.
import { pathIn } from "./documents.ts";
import type { Item, MemoryIndex } from "./memory-index.ts";
import type { Claim, MemoryRecord } from "./record.ts";
import type { MemoryEvent, TraceEvent } from "../log/event.ts";

/** More hits than a search returns: those that are left out must not show in its count. */
const MOST_HITS = 10_000;

export function visibleIndex(index: MemoryIndex, isHidden: ((path: string) => boolean) | undefined): MemoryIndex {
  if (isHidden === undefined) return index;
  const isShown = ({ paths = [] }: TraceEvent) => !paths.some(isHidden);
  const shownRecord = (record: MemoryRecord | undefined) => record && withoutPaths(record, isHidden);
  const shownItem = ({ id, record }: Item): Item => ({ id, record: withoutPaths(record, isHidden) });
  const trace: MemoryIndex["trace"] = (id) => {
    const found = index.trace(id);
    return found !== undefined && isShown(found) ? found : undefined;
  };
  return {
    ...index,
    record: (kind, id) => shownRecord(index.record(kind, id)),
    find: (kind, sent) => {
      const found = index.find(kind, sent);
      return found && shownItem(found);
    },
    list: (kind, listing) => {
      const { items, total } = index.list(kind, listing);
      return { items: items.map(shownItem), total };
    },
    traces: (of) => index.traces(of).filter(isShown),
    trace,
    search: (query, options) => {
      const found = index.search(query, { ...options, limit: MOST_HITS });
      const hits = found.hits.filter(({ path }) => !path.startsWith("trace/") || trace(path.slice(6)) !== undefined);
      return { ...found, hits: hits.slice(0, options.limit), total: hits.length };
    },
  };
}

/** Whether an event names a hidden file or folder. */
export function mentionsHidden(event: MemoryEvent, isHidden: (path: string) => boolean): boolean {
  if (event.type === "trace") return event.paths?.some(isHidden) ?? false;
  return Object.entries(event.set).some(([name, value]) =>
    Array.isArray(value)
      ? value.some((each) => isHidden(pathNamed(each) ?? ""))
      : typeof value === "string" && name === "rootFolder" && isHidden(value),
  );
}

function pathNamed(value: unknown): string | undefined {
  return typeof value === "string" ? value : pathIn(value);
}

function withoutPaths(record: MemoryRecord, isHidden: (path: string) => boolean): MemoryRecord {
  const claims = Object.entries(record.claims).map(([name, claim]): [string, Claim] => {
    const [value, ...rest] = claim;
    if (Array.isArray(value)) {
      return [name, [value.filter((each) => !isHidden(pathNamed(each) ?? "")), ...rest]];
    }
    return [name, typeof value === "string" && name === "rootFolder" && isHidden(value) ? ["", ...rest] : claim];
  });
  return { ...record, claims: Object.fromEntries(claims) };
}
