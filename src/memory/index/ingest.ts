// Ingests the events of memory into its index: what is new in each file, by the
// byte. Any number of processes share one index: each continues where the last
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
import type { EventFile, Progress } from "../log/event-files.ts";
import type { EventReader } from "../log/event-store.ts";

/** Part of the file's name, after that of the index: raise it when these tables change, or what is ingested into them. */
const MEMORY_SCHEMA = 3;
export const MEMORY_KIND = `memory-v${SCHEMA}.${MEMORY_SCHEMA}`;

/** `content` is a trace as in the log, or the claims of a record. */
export const MEMORY_TABLES = `
  CREATE TABLE source (name TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL, read INTEGER NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE item (
    path TEXT PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, session TEXT, workspace TEXT,
    created INTEGER NOT NULL, used INTEGER NOT NULL, is_deleted INTEGER NOT NULL, content TEXT NOT NULL
  );
  CREATE INDEX item_by_use ON item (kind, is_deleted, used);
  CREATE INDEX item_of_session ON item (session, kind, is_deleted, used);
  CREATE INDEX item_of_workspace ON item (workspace, kind, is_deleted, used);`;

interface Backlog {
  readonly pending: readonly EventFile[];
  readonly known: ReadonlyMap<string, Progress>;
  /** A file is gone or has other content: its old events cannot be separated from the others, so all are read again. */
  readonly isReplaced: boolean;
}

/** Brings the index up to date. @returns whether there was anything to do */
export async function ingest(database: IndexDatabase, events: EventReader, check: () => void): Promise<boolean> {
  const { pending, isReplaced } = backlogOf(database, events);
  if (pending.length === 0 && !isReplaced) return false;
  // An unmounted drive looks like one from which everything was deleted.
  check();
  while (await database.writeInTurns(stepper(database, events))) await nextTurn();
  return true;
}

/** How much of each file was read, by its name. */
export function readProgress(database: IndexDatabase): Map<string, Progress> {
  return new Map(
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
}

function backlogOf(database: IndexDatabase, events: EventReader): Backlog {
  const known = readProgress(database);
  const files = events.files();
  const changes = files.map((file) => ({ file, change: events.changeOf(file, known.get(file.name)) }));
  const names = new Set(files.map(({ name }) => name));
  const isReplaced =
    changes.some(({ change }) => change === "replaced") || [...known.keys()].some((name) => !names.has(name));
  return {
    known,
    isReplaced,
    pending: isReplaced ? files : changes.flatMap(({ file, change }) => (change === "none" ? [] : [file])),
  };
}

/** The steps of one transaction. Other processes are locked out only within it, so it reads the backlog again. */
function stepper(database: IndexDatabase, events: EventReader): () => boolean {
  let pending: EventFile[] | undefined;
  let known = new Map<string, Progress>();
  const begin = (): EventFile[] => {
    const backlog = backlogOf(database, events);
    if (backlog.isReplaced) forgetEverything(database);
    else known = new Map(backlog.known);
    return [...backlog.pending];
  };
  return () => {
    pending ??= begin();
    const file = pending[0];
    if (file === undefined) return false;
    const piece = events.read(file, known.get(file.name));
    if (piece !== undefined) {
      addEvents(database, piece.events);
      const { size, mtime, read, seal } = piece.progress;
      database.run("INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?)", file.name, size, mtime, read, seal);
      known.set(file.name, piece.progress);
    }
    if (piece?.hasMore !== true) pending.shift();
    if (pending.length > 0) return true;
    // As good as a count, since documents are hardly ever removed.
    writeState(database, { total: Number(database.get("SELECT max(id) AS last FROM document")!["last"] ?? 0) });
    return false;
  };
}

function forgetEverything(database: IndexDatabase): void {
  // Free pages of the file keep nothing that may no longer be read.
  database.get("PRAGMA secure_delete = ON");
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

function addEvents(database: IndexDatabase, events: readonly MemoryEvent[]): void {
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

/** @returns false if it is known already */
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

/** @returns its document, if that has changed */
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

/** The index stores a document's time as the version of its file. */
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
