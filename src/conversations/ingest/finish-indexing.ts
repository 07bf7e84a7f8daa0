// The background pass after prose is indexed: reads non-prose parts (tool calls
// and their output, thinking, sub-agents) into a full text of their own, and
// compresses pages. That is more work than prose, and rarely needed. Used by
// conversation-library.ts.
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { type IndexDatabase, newHolder, releaseLease, type Row, takeLease } from "../../sqlite/sqlite.ts";
import { transcriptFileAt, type ConversationSource, type SourceEvent } from "../sources/source.ts";
import { indexedText, packed, partsIn } from "../store/pages.ts";
import { StoreWriter } from "./store-writer.ts";
import type { StoredTranscript } from "./transcript-rows.ts";

const SLICE = 10;
const AT_ONCE = 50;
const MERGED_PAGES = 300;
const LEASE = "settle";
const ASK_OTHERS_EVERY = 50;

/** Runs until nothing is left to do, or the signal aborts. One process works at a time; the others wait for it. */
export async function finishIndexing(
  database: IndexDatabase,
  sources: readonly ConversationSource[],
  signal: AbortSignal,
): Promise<void> {
  const holder = newHolder();
  const take = () => database.write(() => takeLease(database, holder, LEASE), signal);
  while (!isIndexingFinished(database)) {
    if (!(await take())) {
      await pause(ASK_OTHERS_EVERY, undefined, { signal });
      continue;
    }
    try {
      for (const stored of transcriptsWithNonProse(database, sources)) {
        await readNonProse(database, stored.source, stored.transcript, stored.checkpoint, signal);
        if (!(await take())) break;
      }
      await pack(database, signal, take);
    } finally {
      await database.write(() => releaseLease(database, holder, LEASE)).catch(() => {});
    }
  }
}

/** Whether nothing is left to do. */
export function isIndexingFinished(database: IndexDatabase): boolean {
  const isDue = database.get(
    `SELECT EXISTS (SELECT 1 FROM waiting) OR EXISTS (SELECT 1 FROM unit WHERE ${NON_PROSE_IS_DUE}) AS due`,
  );
  return isDue!["due"] === 0;
}

const NON_PROSE_IS_DUE = "is_apart AND NOT is_gone AND stamp IS NOT NULL AND rest_stamp IS NOT stamp";

interface NonProse {
  readonly source: ConversationSource;
  readonly transcript: StoredTranscript;
  readonly checkpoint: string | undefined;
}

function transcriptsWithNonProse(database: IndexDatabase, sources: readonly ConversationSource[]): NonProse[] {
  const rows = database.all(
    `SELECT id, source, path, stamp, rest_checkpoint FROM unit WHERE ${NON_PROSE_IS_DUE} ORDER BY id`,
  );
  return rows.flatMap(({ id, source: name, path, stamp, rest_checkpoint }) => {
    const source = sources.find((one) => one.name === name);
    if (source === undefined) return [];
    const file = { path: String(path), stamp: String(stamp), size: 0, changed: 0 };
    return {
      source,
      transcript: {
        id: Number(id),
        source: source.name,
        reader: source.reader,
        emitsNonProseOnce: source.emitsNonProseOnce === true,
        isNonProse: true,
        transcript: file,
      },
      checkpoint: rest_checkpoint === null ? undefined : String(rest_checkpoint),
    };
  });
}

async function readNonProse(
  database: IndexDatabase,
  source: ConversationSource,
  stored: StoredTranscript,
  checkpoint: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const write = (events: readonly SourceEvent[], isEnd: boolean) =>
    database.write(() => {
      const writer = new StoreWriter(database);
      // Only the reading of prose handles a rewritten file.
      writer.add(
        stored,
        events.filter((one) => one.kind === "part" || one.kind === "checkpoint"),
      );
      if (isEnd) writer.end(stored, undefined);
      writer.flush();
    }, signal);
  for await (const events of nonProseIn(source, stored.transcript.path, checkpoint, signal)) {
    await write(events, false);
    // Nothing here waits for I/O: without this, nothing else would run.
    await nextTurn();
  }
  signal.throwIfAborted();
  await write([], true);
}

/** A transcript that cannot be read any more is skipped: its prose is stored. */
async function* nonProseIn(
  source: ConversationSource,
  path: string,
  checkpoint: string | undefined,
  signal: AbortSignal,
) {
  try {
    const transcript = transcriptFileAt(path);
    if (transcript !== undefined) yield* source.read(transcript, checkpoint, signal, "nonProse");
  } catch {
    signal.throwIfAborted();
  }
}

async function pack(database: IndexDatabase, signal: AbortSignal, keepLease: () => Promise<boolean>): Promise<void> {
  const step = (): boolean => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const waiting = database.all(
        "SELECT waiting.page, parts, is_rest FROM waiting JOIN page ON page.id = waiting.page LIMIT ?",
        AT_ONCE,
      );
      if (waiting.length === 0) return false;
      for (const row of waiting) {
        packPage(database, row);
        if (performance.now() >= end) break;
      }
    }
    return true;
  };
  while (await database.writeInTurns(step, signal)) if (!(await keepLease())) return;
  // Many small segments make searches slower.
  for (const table of ["text", "tool_text"])
    while (await database.write(() => database.merge(MERGED_PAGES, table), signal)) await nextTurn();
  // Returns free pages to the file system.
  database.all("PRAGMA incremental_vacuum");
}

function packPage(database: IndexDatabase, { page: id, parts, is_rest }: Row): void {
  const page = Number(id);
  const waiting = String(parts);
  if (is_rest === 1)
    database.run("INSERT INTO tool_text (rowid, body) VALUES (?, ?)", page, indexedText(partsIn(waiting)));
  database.run("INSERT OR REPLACE INTO content VALUES (?, ?)", page, packed(waiting));
  database.run("DELETE FROM waiting WHERE page = ?", page);
}
