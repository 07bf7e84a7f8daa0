// The index of memory without what it knows of hidden files: traces of calls
// about them, and their paths in records. Used by memory.ts, for every question,
// and by what shares events with others.
import { pathIn } from "./documents.ts";
import type { Item, MemoryIndex } from "./memory-index.ts";
import type { Claim, MemoryRecord } from "./record.ts";
import type { MemoryEvent, TraceEvent } from "../log/event.ts";
import { isHiddenPath, type IsHidden, namesHidden } from "./named-paths.ts";

/** More hits than a search returns: those that are left out must not show in its count. */
const MAX_HITS = 10_000;
const MAX_JUDGED = 50_000;
const BARE_LINK = /\[\[[^[\]/\\%]+\]\]/;

export function visibleIndex(index: MemoryIndex, isHidden: IsHidden | undefined): MemoryIndex {
  if (isHidden === undefined) return index;
  /** By the id of a trace, which never changes. */
  const judged = new Map<string, boolean>();
  const isShown = (trace: TraceEvent): boolean => {
    const shown = judged.get(trace.id) ?? !namesHiddenIn(trace, isHidden);
    if (judged.size >= MAX_JUDGED) judged.clear();
    judged.set(trace.id, shown);
    return shown;
  };
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
    traces: (of) => {
      // As many as were asked for, of those that are shown.
      for (let limit = of.limit; ; limit *= 4) {
        const found = index.traces({ ...of, limit });
        const shown = found.filter(isShown);
        if (shown.length >= of.limit || found.length < limit) return shown.slice(0, of.limit);
      }
    },
    callsIn: (session) => index.traces({ session, limit: MAX_HITS }).filter(isShown).length,
    trace,
    search: (query, options) => {
      const found = index.search(query, { ...options, limit: MAX_HITS });
      const hits = found.hits.filter(({ path }) => !path.startsWith("trace/") || trace(path.slice(6)) !== undefined);
      return { ...found, hits: hits.slice(0, options.limit), total: hits.length };
    },
  };
}

/** Returns whether an event names a hidden file or folder. */
export function mentionsHidden(event: MemoryEvent, isHidden: IsHidden): boolean {
  if (event.type === "trace") return namesHiddenIn(event, isHidden);
  return Object.entries(event.set).some(([name, value]) =>
    Array.isArray(value)
      ? value.some((each) => isHiddenPath(pathNamed(each) ?? "", isHidden))
      : typeof value === "string" && name === "rootFolder" && isHiddenPath(value, isHidden),
  );
}

/** Of a call: its paths, and whatever else it says, as a query or an error does. */
function namesHiddenIn({ paths = [], about, why, subgoal, error }: TraceEvent, isHidden: IsHidden): boolean {
  if (paths.some((path) => isHiddenPath(path, isHidden))) return true;
  // The folder of a note that only a link names is not known, and a call that failed has found none.
  if (error !== undefined && [...paths, error].some((text) => BARE_LINK.test(text))) return true;
  return [about, why, subgoal, error].some((text) => text !== undefined && namesHidden(text, isHidden));
}

function pathNamed(value: unknown): string | undefined {
  return typeof value === "string" ? value : pathIn(value);
}

function withoutPaths(record: MemoryRecord, isHidden: IsHidden): MemoryRecord {
  const claims = Object.entries(record.claims).map(([name, claim]): [string, Claim] => {
    const [value, ...rest] = claim;
    if (Array.isArray(value)) {
      return [name, [value.filter((each) => !isHiddenPath(pathNamed(each) ?? "", isHidden)), ...rest]];
    }
    return [
      name,
      typeof value === "string" && name === "rootFolder" && isHiddenPath(value, isHidden) ? ["", ...rest] : claim,
    ];
  });
  return { ...record, claims: Object.fromEntries(claims) };
}
