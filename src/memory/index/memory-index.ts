// The index of memory: records by id, lists, traces, and search. A cache of the
// event files: if deleted, it is rebuilt. Used by this room through memory.ts.
import { removeDatabaseFiles, IndexDatabase, indexFile, IndexReplaced, type Layout } from "../../sqlite/sqlite.ts";
import {
  type Filter,
  type Found,
  mergeText,
  NOTES,
  search,
  type SearchQuery,
  type TimeSpan,
} from "../../search/search.ts";
import type { Log } from "../../kernel/kernel.ts";
import { pathOf } from "./documents.ts";
import type { RecordKind, TraceEvent } from "../log/event.ts";
import { ingest, MEMORY_KIND, MEMORY_TABLES, readProgress, recordAt, recordIn } from "./ingest.ts";
import { keptId } from "../id.ts";
import type { EventReader } from "../log/event-store.ts";
import { isOnlyMentioned, valueOf, type MemoryRecord } from "./record.ts";

export interface Item {
  readonly id: string;
  readonly record: MemoryRecord;
}

export interface Listing {
  readonly session?: string | undefined;
  readonly workspace?: string | undefined;
  /** Items must have all of them. */
  readonly tags?: readonly string[] | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly limit: number;
}

export type SearchedKind = "session" | "state" | "trace";

export interface MemorySearch {
  readonly kinds: readonly SearchedKind[];
  readonly session?: string | undefined;
  readonly workspace?: string | undefined;
  readonly during?: TimeSpan | undefined;
  readonly limit: number;
}

export interface MemoryIndex {
  /** Ingests what is new in the files. @returns whether there was anything */
  readonly refresh: () => Promise<boolean>;
  /** Merges the full text so that searches stay fast; runs in the background. */
  readonly tidy: () => Promise<void>;
  readonly record: (kind: RecordKind, id: string) => MemoryRecord | undefined;
  /**
   * By id, else by name: the last used one of that name, ignoring case. An id
   * that calls only mentioned gives way to the name of a record that was created.
   */
  readonly find: (kind: RecordKind, sent: string) => Item | undefined;
  /** Sorted by last use, the latest first unless another order is requested. */
  readonly list: (kind: RecordKind, listing: Listing) => { readonly items: Item[]; readonly total: number };
  /** The latest first. */
  readonly traces: (of: Omit<Listing, "tags">) => TraceEvent[];
  /** How many traces a session has. */
  readonly callsIn: (session: string) => number;
  readonly trace: (id: string) => TraceEvent | undefined;
  readonly search: (query: SearchQuery, options: MemorySearch) => Found;
  readonly counts: () => Readonly<Record<string, number>>;
  readonly recover: (error: unknown) => boolean;
  /** Closes the file if it was deleted, so that its room is free. */
  readonly release: () => void;
  /** Deletes the file: the next question makes it again from the log. */
  readonly discard: () => void;
  readonly close: () => void;
}

interface Opening {
  readonly cache: string;
  readonly events: EventReader;
  readonly vaultFolder: string;
  readonly check: () => void;
  readonly log: Log;
}

/** Documents are stored like those of notes, and found by the same search. */
const LAYOUT: Layout = {
  ...NOTES,
  name: "the index of memory",
  versions: NOTES.versions.map((tables) => tables + MEMORY_TABLES),
};

/** Opens and creates nothing before the first use. */
export function openMemoryIndex({ cache, events, vaultFolder, check, log }: Opening): MemoryIndex {
  const file = indexFile(cache, MEMORY_KIND, vaultFolder);
  const database = new IndexDatabase(file, log, LAYOUT);

  // Within one millisecond, the ids of a process are in the order of its events.
  const select = ({ condition, values }: Filter, { order = "desc", limit }: Listing) =>
    database.all(
      `SELECT id, created, used, content FROM item WHERE ${condition} ORDER BY used ${order}, id ${order} LIMIT ?`,
      ...values,
      limit,
    );

  const count = ({ condition, values }: Filter) =>
    Number(database.get(`SELECT count(*) AS count FROM item WHERE ${condition}`, ...values)!["count"]);

  const record: MemoryIndex["record"] = (kind, id) => {
    const found = recordAt(database, pathOf(kind, id));
    return valueOf(found, "isDeleted") === true ? undefined : found;
  };

  return {
    refresh: async () => {
      for (;;) {
        database.notice();
        try {
          let isChanged = false;
          for (;;) {
            const isAll = events.fetch === undefined || (await events.fetch(readProgress(database)));
            const hasChanged = await ingest(database, events, check);
            isChanged ||= hasChanged;
            if (isAll || !hasChanged) return isChanged;
          }
        } catch (error) {
          // The cache was deleted during this: start with a new one.
          if (!(error instanceof IndexReplaced)) throw error;
        }
      }
    },
    tidy: () => mergeText(database),
    record,
    find: (kind, sent) => {
      const id = keptId(sent);
      const known = record(kind, id);
      if (known !== undefined && !isOnlyMentioned(known)) return { id, record: known };
      const row = database.get(
        `SELECT id, created, used, content FROM item WHERE kind = ? AND is_deleted = 0
         AND json_extract(content, '$.name[0]') IS NOT NULL AND fold(json_extract(content, '$.name[0]')) = fold(?)
         ORDER BY used DESC, id LIMIT 1`,
        kind,
        sent,
      );
      if (row !== undefined) return { id: String(row["id"]), record: recordIn(row) };
      return known && { id, record: known };
    },
    list: (kind, listing) => {
      const among = amongItems(kind, listing);
      const items = select(among, listing).map((row) => ({ id: String(row["id"]), record: recordIn(row) }));
      return { items, total: count(among) };
    },
    traces: (of) => select(amongItems("trace", of), of).map((row) => JSON.parse(String(row["content"])) as TraceEvent),
    callsIn: (session) => count(amongItems("trace", { session })),
    trace: (id) => {
      const row = database.get("SELECT content FROM item WHERE path = ?", pathOf("trace", id));
      return row === undefined ? undefined : (JSON.parse(String(row["content"])) as TraceEvent);
    },
    search: (query, { kinds, session, workspace, ...options }) =>
      search(database, query, { ...options, kinds, also: belongsTo({ session, workspace }) }),
    counts: () =>
      Object.fromEntries(
        database
          .all("SELECT kind, count(*) AS count FROM item GROUP BY kind")
          .map((row) => [String(row["kind"]), Number(row["count"])]),
      ),
    recover: (error) => database.recover(error),
    release: () => database.notice(),
    discard: () => {
      database.close();
      removeDatabaseFiles(file);
    },
    close: () => database.close(),
  };
}

const HAS_TAG = "EXISTS (SELECT 1 FROM json_each(content) AS claim WHERE claim.key = ? AND claim.value ->> 0 = 1)";

/** The condition of a list, without its limit. */
function amongItems(kind: string, { session, workspace, tags = [] }: Omit<Listing, "limit">): Filter {
  const conditions = [
    { condition: "kind = ? AND is_deleted = 0", values: [kind] },
    ...(session === undefined ? [] : [{ condition: "session = ?", values: [session] }]),
    ...(workspace === undefined ? [] : [{ condition: "workspace = ?", values: [workspace] }]),
    ...tags.map((tag) => ({ condition: HAS_TAG, values: [`#${tag.replace(/^#/, "")}`] })),
  ];
  return {
    condition: conditions.map(({ condition }) => condition).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}

function belongsTo(of: Pick<MemorySearch, "session" | "workspace">): Filter | undefined {
  const parts = Object.entries(of).filter((part): part is [string, string] => part[1] !== undefined);
  if (parts.length === 0) return undefined;
  const conditions = parts.map(([column]) => `item.${column} = ?`).join(" AND ");
  return {
    condition: `EXISTS (SELECT 1 FROM item WHERE item.path = document.path AND ${conditions})`,
    values: parts.map(([, value]) => value),
  };
}

/** Replaces names by the ids of what they mean. */
export function meant<T extends Pick<MemorySearch, "session" | "workspace">>(index: MemoryIndex, sent: T): T {
  const idOf = (kind: RecordKind, text: string | undefined) =>
    text === undefined ? undefined : (index.find(kind, text)?.id ?? text);
  return { ...sent, session: idOf("session", sent.session), workspace: idOf("workspace", sent.workspace) };
}
