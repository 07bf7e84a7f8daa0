// Zed's agent: a database with a row for each thread, which is compressed JSON
// and written again as a whole with each message. A thread of a sub-agent names
// the one that started it.
import { hash } from "node:crypto";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { UnreadableFile } from "../../../files/files.ts";
import { parseJson } from "../../../kernel/kernel.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import { topSession } from "../kit/changed-sessions.ts";
import { MAX_VALUE_SIZE, storedJson, textOf } from "../kit/stored-json.ts";
import {
  timeOf,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type SourceEvent,
  type TranscriptFile,
} from "../source.ts";
import { usageOf } from "../kit/token-counts.ts";
import { eventsOfThread, type SeenTurns } from "./thread-events.ts";
import { threadIn, type Thread } from "./thread.ts";

export const zed: ConversationSource = { name: "zed", title: "Zed", reader: 3, find, read };

function* find({ folder, systems, environment }: Home): Generator<Finding> {
  const places = systems.flatMap((system) => {
    switch (system) {
      case "darwin":
        return [join(folder, "Library", "Application Support", "Zed")];
      case "win32":
        return [join(environment["LOCALAPPDATA"] || join(folder, "AppData", "Local"), "Zed")];
      case "linux":
        return [
          join(
            environment["FLATPAK_XDG_DATA_HOME"] || environment["XDG_DATA_HOME"] || join(folder, ".local", "share"),
            "zed",
          ),
          join(folder, ".var", "app", "dev.zed.Zed", "data", "zed"),
        ];
    }
  });
  for (const place of places) {
    const isThere = yield* foundDatabase(join(place, "threads", "threads.db"));
    yield { kind: "looked", place: join(place, "threads"), isThere };
  }
}

interface Row {
  readonly id: string;
  readonly parent: string | undefined;
  readonly title: string | undefined;
  readonly folder: string | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  readonly size: number;
}

/** By thread: a mark that differs if its row has changed, and its prompts. */
interface Checkpoint {
  readonly threads: Readonly<Record<string, readonly [mark: string, ...SeenTurns]>>;
}

const THREADS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 100;
/** Threads between checkpoints. */
const CHECKPOINT_AFTER = 50;

async function* read(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("threads"))) throw new UnreadableFile("without a table of threads");
  const before = checkpoint === undefined ? {} : (JSON.parse(checkpoint) as Checkpoint).threads;
  const rows: Row[] = [];
  yield* readRows(database, rows, signal);
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]));
  const threads: Record<string, readonly [string, ...SeenTurns]> = {};
  let count = 0;
  for (const row of rows) {
    if (signal.aborted) return;
    const mark = hash("sha1", JSON.stringify(row), "base64url").slice(0, 12);
    const [old, ...seen] = before[row.id] ?? [];
    if (old === mark) {
      threads[row.id] = before[row.id]!;
      continue;
    }
    const { events, turns } = await readThread(
      database,
      row,
      topSession(row.id, (id) => parents.get(id)),
      seen,
      transcript,
    );
    for (let at = 0; at < events.length && !signal.aborted; at += EVENTS_AT_ONCE)
      yield events.slice(at, at + EVENTS_AT_ONCE);
    if (signal.aborted) return;
    threads[row.id] = [mark, ...turns];
    // For threads that were not reached yet, what was known before.
    if (++count % CHECKPOINT_AFTER === 0) yield [checkpointOf({ ...before, ...threads })];
  }
  if (signal.aborted) return;
  const conversations = rows.flatMap(({ id, parent }) => (parent === undefined ? [id] : []));
  yield [{ kind: "present", conversations }, checkpointOf(threads)];
}

function checkpointOf(threads: Checkpoint["threads"]): SourceEvent {
  return { kind: "checkpoint", checkpoint: JSON.stringify({ threads } satisfies Checkpoint) };
}

/** Everything but what was said. */
async function* readRows(database: ForeignDatabase, found: Row[], signal: AbortSignal): AsyncGenerator<Batch> {
  const columns = await database.columns("threads");
  const column = (name: string) => (columns.has(name) ? name : `NULL AS ${name}`);
  const optional = ["parent_id", "folder_paths", "folder_paths_order", "created_at"].map(column).join(", ");
  for (let last = ""; !signal.aborted;) {
    const rows = await database.rows(
      `SELECT CAST(id AS TEXT) AS id, summary, updated_at, octet_length(data) AS size, ${optional}
       FROM threads WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      THREADS_AT_ONCE,
    );
    for (const row of rows)
      found.push({
        id: String(row["id"]),
        parent: textOf(row["parent_id"]),
        title: textOf(row["summary"]),
        folder: firstFolder(textOf(row["folder_paths"]), textOf(row["folder_paths_order"])),
        created: timeOf(row["created_at"]),
        updated: timeOf(row["updated_at"]),
        size: Number(row["size"]),
      });
    if (rows.length < THREADS_AT_ONCE) return;
    last = String(rows.at(-1)!["id"]);
    yield [];
  }
}

/** Paths are sorted, one a line; beside them is which place each had. */
function firstFolder(paths: string | undefined, order: string | undefined): string | undefined {
  const sorted = paths?.split("\n") ?? [];
  const places = order?.split(",") ?? [];
  return textOf(sorted[Math.max(0, places.length === sorted.length ? places.indexOf("0") : 0)]);
}

async function readThread(
  database: ForeignDatabase,
  row: Row,
  conversation: string,
  seen: SeenTurns,
  transcript: TranscriptFile,
): Promise<{ readonly events: readonly SourceEvent[]; readonly turns: SeenTurns }> {
  const stored = await storedThread(database, row);
  if (!("turns" in stored)) return { events: [stored], turns: seen };
  const isSubagent = row.parent !== undefined;
  const folder = row.folder ?? stored.folder;
  const began = timeOf(stored.began) ?? row.created;
  const place = { thread: row.id, conversation, isSubagent, began: began ?? transcript.changed, folder };
  const { events, seen: turns } = eventsOfThread(stored, place, seen);
  const usage = usageOf(stored.tokens, { conversation, session: row.id, isTotal: true });
  const skipped: SourceEvent[] =
    stored.unknown > 0 && seen.length === 0
      ? [{ kind: "skipped", count: stored.unknown, reason: "messages of an unknown type" }]
      : [];
  return {
    events: [...(isSubagent ? [] : [factsOf(row, stored, folder, began)]), ...events, ...usage, ...skipped],
    turns,
  };
}

/** Larger threads are cut rather than parsed as a whole. */
const LARGE = 32 << 20;

/** The thread, or why there is none. */
async function storedThread(database: ForeignDatabase, { id, size }: Row): Promise<Thread | SourceEvent> {
  const unreadable: SourceEvent = { kind: "unreadable", count: 1, reason: "threads in a form that is not known" };
  if (size > MAX_VALUE_SIZE) return { ...unreadable, reason: "threads larger than 64 MB" };
  const [row] = await database.rows("SELECT data_type AS type, data FROM threads WHERE id = ?", id);
  const data = row?.["data"];
  const stored = typeof data === "string" ? Buffer.from(data) : data;
  if (!(stored instanceof Uint8Array)) return unreadable;
  if (row!["type"] === "zstd" && typeof zlib.zstdDecompressSync !== "function")
    return { kind: "skipped", count: 1, reason: "compressed threads, which need Node 22.15 or newer" };
  try {
    const bytes =
      row!["type"] === "zstd"
        ? zlib.zstdDecompressSync(stored, { maxOutputLength: MAX_VALUE_SIZE })
        : Buffer.from(stored);
    return threadIn(bytes.length > LARGE ? storedJson(bytes) : parseJson(bytes.toString("utf8"))) ?? unreadable;
  } catch {
    return unreadable;
  }
}

/** The title until one is generated. */
const UNTITLED = /^New (?:Agent )?Thread$/;

function factsOf(row: Row, thread: Thread, folder: string | undefined, began: number | undefined): SourceEvent {
  const { id, title, updated } = row;
  return {
    kind: "conversation",
    facts: {
      id,
      title: title === undefined || UNTITLED.test(title) ? undefined : title,
      folder,
      branch: thread.branch,
      model: thread.model,
      ...(began !== undefined
        ? { created: { at: began, known: "stored" as const } }
        : updated !== undefined && { created: { at: updated, known: "inferred" as const } }),
      ...(updated !== undefined && { updated: { at: updated, known: "stored" as const } }),
    },
  };
}
