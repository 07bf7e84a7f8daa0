// Takes the files of memory into its index: what is new in each, by the byte.
// Any number of processes do this on one index: each takes up where the last
// transaction of any of them ended. Used by memory-index.ts.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type IndexDatabase, writeState } from "../../sqlite/sqlite.ts";
import {
  keepDocument,
  type Prepared,
  putDocuments,
  removeDocument,
  removeEverything,
  SCHEMA,
} from "../../search/search.ts";
import { documentOfRecord, documentOfTrace, isLookBack, pathOf } from "./documents.ts";
import type { MemoryEvent, RecordKind, TraceEvent } from "../log/event.ts";
import { mentioned, stated, textOf, valueOf, type MemoryRecord } from "./record.ts";
import { changeOf, listSources, readPiece, type placesOf, type Progress, type Source } from "../log/log-files.ts";

/** Part of the file's name, after that of the index: raise it whenever these tables or what is folded into them change. */
const MEMORY_SCHEMA = 3;
export const MEMORY_KIND = `memory-v${SCHEMA}.${MEMORY_SCHEMA}`;

/** `content` is a trace as it is in the log, or the claims of a record. */
export const MEMORY_TABLES = `
  CREATE TABLE source (name TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL, read INTEGER NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE item (
    path TEXT PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, session TEXT, workspace TEXT,
    created INTEGER NOT NULL, used INTEGER NOT NULL, is_deleted INTEGER NOT NULL, content TEXT NOT NULL
  );
  CREATE INDEX item_by_use ON item (kind, is_deleted, used);
  CREATE INDEX item_of_session ON item (session, kind, is_deleted, used);
  CREATE INDEX item_of_workspace ON item (workspace, kind, is_deleted, used);`;

type Places = ReturnType<typeof placesOf>;

interface Standing {
  readonly pending: readonly Source[];
  readonly known: ReadonlyMap<string, Progress>;
  /** A file is gone or is another than before: what came from it cannot be told from the rest. */
  readonly isAnother: boolean;
}

/** Brings the index up to date. @returns whether there was anything to do */
export async function fold(database: IndexDatabase, places: Places, check: () => void): Promise<boolean> {
  const { pending, isAnother } = standing(database, places);
  if (pending.length === 0 && !isAnother) return false;
  // A disk that was taken away looks like one from which everything was deleted.
  check();
  while (await database.writeInTurns(stepper(database, places))) await nextTurn();
  return true;
}

function standing(database: IndexDatabase, places: Places): Standing {
  const known = new Map(
    database.all("SELECT name, size, mtime, read, seal FROM source").map((row) => [
      String(row["name"]),
      {
        size: Number(row["size"]),
        mtime: Number(row["mtime"]),
        read: Number(row["read"]),
        seal: String(row["seal"]),
      },
    ]),
  );
  const sources = listSources(places);
  const changes = sources.map((source) => ({ source, change: changeOf(source, known.get(source.name)) }));
  const names = new Set(sources.map(({ name }) => name));
  const isAnother =
    changes.some(({ change }) => change === "replaced") || [...known.keys()].some((name) => !names.has(name));
  return {
    known,
    isAnother,
    pending: isAnother ? sources : changes.flatMap(({ source, change }) => (change === "none" ? [] : [source])),
  };
}

/** The steps of one transaction. Only within it is nobody else at work, so that each looks anew at what there is to do. */
function stepper(database: IndexDatabase, places: Places): () => boolean {
  let pending: Source[] | undefined;
  let known = new Map<string, Progress>();
  const begin = (): Source[] => {
    const now = standing(database, places);
    if (now.isAnother) forgetEverything(database);
    else known = new Map(now.known);
    return [...now.pending];
  };
  return () => {
    pending ??= begin();
    const source = pending[0];
    if (source === undefined) return false;
    const piece = readPiece(source, known.get(source.name));
    if (piece !== undefined) {
      takeIn(database, piece.events);
      const { size, mtime, read, seal } = piece.progress;
      database.run("INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?)", source.name, size, mtime, read, seal);
      known.set(source.name, piece.progress);
    }
    if (piece?.hasMore !== true) pending.shift();
    if (pending.length > 0) return true;
    // As good as counting them all, since documents are hardly ever taken out.
    writeState(database, { total: Number(database.get("SELECT max(id) AS last FROM document")!["last"] ?? 0) });
    return false;
  };
}

export function forgetEverything(database: IndexDatabase): void {
  removeEverything(database);
  database.run("DELETE FROM source");
  database.run("DELETE FROM item");
}

interface Touched {
  readonly kind: RecordKind;
  readonly id: string;
  readonly before: MemoryRecord | undefined;
  now: MemoryRecord;
}

function takeIn(database: IndexDatabase, events: readonly MemoryEvent[]): void {
  const touched = new Map<string, Touched>();
  const prepared: Prepared[] = [];
  const change = (kind: RecordKind, id: string, next: (record: MemoryRecord | undefined) => MemoryRecord) => {
    const path = pathOf(kind, id);
    const known = touched.get(path);
    if (known !== undefined) known.now = next(known.now);
    else {
      const before = recordAt(database, path);
      touched.set(path, { kind, id, before, now: next(before) });
    }
  };
  for (const event of events) {
    if (event.type !== "trace") change(event.type, event.of, (record) => stated(record, event));
    else if (addTrace(database, event)) {
      if (!isLookBack(event))
        prepared.push({ document: documentOfTrace(event), storing: { version: versionOf(event.at) } });
      change("session", event.session, (record) => mentioned(record, event.at));
      change("workspace", event.workspace, (record) => mentioned(record, event.at));
    }
  }
  for (const [path, record] of touched) prepared.push(...putRecord(database, path, record));
  putDocuments(database, prepared);
}

/** @returns false where it is known already */
function addTrace(database: IndexDatabase, trace: TraceEvent): boolean {
  const { id, at, session, workspace } = trace;
  const { changes } = database.run(
    "INSERT INTO item VALUES (?, 'trace', ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING",
    pathOf("trace", id),
    id,
    session,
    workspace,
    at,
    at,
    JSON.stringify(trace),
  );
  return changes > 0;
}

/** @returns its document, where that is not as it was */
function putRecord(database: IndexDatabase, path: string, { kind, id, before, now }: Touched): Prepared[] {
  const content = JSON.stringify(now.claims);
  const isDeleted = valueOf(now, "isDeleted") === true;
  const session = kind === "session" ? id : textOf(now, "session");
  const workspace = kind === "workspace" ? id : textOf(now, "workspace");
  database.run(
    `INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET session = excluded.session,
     workspace = excluded.workspace, created = excluded.created, used = excluded.used, is_deleted = excluded.is_deleted, content = excluded.content`,
    path,
    kind,
    id,
    session ?? null,
    workspace ?? null,
    now.created,
    now.used,
    Number(isDeleted),
    content,
  );
  if (kind === "workspace") return [];
  if (isDeleted) {
    removeDocument(database, path);
    return [];
  }
  const storing = { version: versionOf(now.used) };
  const isAsBefore = before !== undefined && JSON.stringify(before.claims) === content;
  if (isAsBefore && keepDocument(database, path, storing)) return [];
  return [{ document: documentOfRecord(kind, id, now), storing }];
}

/** The index knows a document's time by the version of its file. */
function versionOf(at: number) {
  return { size: 0, mtime: at, inode: 0 };
}

export function recordAt(database: IndexDatabase, path: string): MemoryRecord | undefined {
  const row = database.get("SELECT created, used, content FROM item WHERE path = ?", path);
  return row === undefined ? undefined : recordIn(row);
}

export function recordIn(row: Readonly<Record<string, unknown>>): MemoryRecord {
  return {
    created: Number(row["created"]),
    used: Number(row["used"]),
    claims: JSON.parse(String(row["content"])) as MemoryRecord["claims"],
  };
}
