// Imports the conversations of an archive into the store: each is cut out of the
// file, read by the source that knows it, and written as a whole, in short
// transactions. One that is stored already is replaced if it is newer, and left
// alone if it is the same or older, so that archives can be imported in any order
// and again. Used by conversation-library.ts.
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isRecord, Problem } from "../../kernel/kernel.ts";
import type { FinishedStore } from "../ingest/finish-indexing.ts";
import { LinesBefore } from "../printed-secrets.ts";
import { preparedPart } from "../ingest/reading/non-prose-preparation.ts";
import { withMergedTurns, type PreparedEvent } from "../ingest/reading/part-preparation.ts";
import { StoreWriter } from "../ingest/writing/store-writer.ts";
import { addTranscripts, type StoredTranscript } from "../ingest/transcript-rows.ts";
import type { ArchivedConversation, ConversationSource } from "../sources/source.ts";
import { ForgottenConversations } from "../store/forgotten.ts";
import { importedPath } from "../store/transcript-paths.ts";
import { openArchive, type ArchiveFile } from "./archive-files.ts";
import { ArrayElements } from "./array-elements.ts";

export interface Imported {
  /** The titles of the services that it was from. */
  readonly from: readonly string[];
  readonly added: number;
  readonly replaced: number;
  /** Stored already, in this version or a newer one. */
  readonly unchanged: number;
  /** Without a message. */
  readonly empty: number;
  /** Left out, since the person wanted them forgotten. */
  readonly forgotten: number;
  /** Damaged, or of no service that is known. */
  readonly unreadable: number;
  /** Why the archive could not be read to its end. */
  readonly incomplete?: string;
}

export interface ImportOptions {
  /** The name of the file in sentences, instead of its path. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In bytes. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How much is read before it is written, in characters and in conversations. */
const MAX_TEXT = 400_000;
const MAX_CONVERSATIONS = 100;
/** How long the process may be busy without a pause, in milliseconds. */
const SLICE = 10;

interface Reading extends ArchivedConversation {
  readonly source: ConversationSource;
  /** Of its bytes in the archive. */
  readonly hash: string;
}

type Outcome = "added" | "replaced" | "unchanged" | "empty" | "forgotten" | "unreadable";

export async function importArchive(
  store: FinishedStore,
  sources: readonly ConversationSource[],
  path: string,
  { name, signal, onProgress }: ImportOptions = {},
): Promise<Imported> {
  if (!existsSync(path)) throw new Problem("not_found", `There is no file ${name ?? path}.`);
  const archive = openArchive(path, name);
  try {
    const counts = { added: 0, replaced: 0, unchanged: 0, empty: 0, forgotten: 0, unreadable: 0 };
    const from = new Set<string>();
    const total = archive.files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    let waiting: Reading[] = [];
    let text = 0;
    const write = async () => {
      for (const outcome of await writeAll(store, waiting, signal)) counts[outcome]++;
      waiting = [];
      text = 0;
    };
    let incomplete: string | undefined;
    try {
      for (const file of archive.files) {
        for await (const { value, hash, read } of conversationsIn(file, signal)) {
          onProgress?.(done + read, total);
          if (value === PAUSE) continue;
          const reading = readBy(sources, value, hash);
          if (reading === undefined) counts.unreadable++;
          else {
            from.add(reading.source.title);
            waiting.push(reading);
            text += sizeOf(reading);
          }
          if (text >= MAX_TEXT || waiting.length >= MAX_CONVERSATIONS) await write();
        }
        done += file.size;
      }
    } catch (error) {
      // Everything read before stays: the next attempt goes on from there.
      if (!(error instanceof Problem) || from.size === 0) throw error;
      incomplete = error.message;
    }
    await write();
    if (from.size === 0 && counts.unreadable > 0) throw notAnArchive();
    return { from: [...from], ...counts, ...(incomplete !== undefined && { incomplete }) };
  } finally {
    archive.close();
  }
}

/** In the place of a conversation: nothing ended in this piece. */
const PAUSE = Symbol("pause");

async function* conversationsIn(file: ArchiveFile, signal: AbortSignal | undefined) {
  const elements = new ArrayElements();
  let read = 0;
  let turn = performance.now();
  for await (const piece of file.pieces()) {
    read += piece.length;
    for (const { value, hash } of elements.push(piece)) {
      // An object around the array, as some programs write it.
      const list = isRecord(value) && Array.isArray(value["conversations"]) ? value["conversations"] : [value];
      for (const [at, one] of list.entries())
        yield { value: one as unknown, hash: at === 0 ? hash : `${hash}:${at}`, read };
      if (performance.now() - turn < SLICE) continue;
      await nextTurn();
      signal?.throwIfAborted();
      turn = performance.now();
    }
    yield { value: PAUSE, hash: "", read };
  }
  if (elements.isComplete) return;
  if (read === 0) throw new Problem("invalid", `${file.name} is empty.`);
  throw new Problem("invalid", `${file.name} is no JSON, or was not downloaded completely.`);
}

function readBy(sources: readonly ConversationSource[], value: unknown, hash: string): Reading | undefined {
  if (!isRecord(value)) return undefined;
  for (const source of sources)
    try {
      const conversation = source.fromArchive?.(value);
      if (conversation !== undefined) return { ...conversation, source, hash };
    } catch {
      // Values that no service writes, such as lists of a thousand levels.
      return undefined;
    }
  return undefined;
}

async function writeAll(
  store: FinishedStore,
  readings: readonly Reading[],
  signal: AbortSignal | undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let written: Outcome[] = [];
  while (outcomes.length < readings.length) {
    written = [];
    const step = (): boolean => {
      const end = performance.now() + SLICE;
      while (outcomes.length + written.length < readings.length && performance.now() < end)
        written.push(writeOne(store, readings[outcomes.length + written.length]!));
      return outcomes.length + written.length < readings.length;
    };
    await store.database.writeInTurns(step, signal);
    outcomes.push(...written);
  }
  return outcomes;
}

function writeOne({ database, texts }: FinishedStore, reading: Reading): Outcome {
  const { source, id, updated = 0, hash, events } = reading;
  const isSaid = events.some((event) => event.kind === "part" && event.part.kind === "prose");
  // An empty one does not replace what was said in an earlier version.
  if (!isSaid) return "empty";
  if (new ForgottenConversations(database).has(source.name, id)) return "forgotten";
  const path = importedPath(source.name, id);
  const row = database.get("SELECT id, stamp, reader FROM unit WHERE path = ?", path);
  const isCurrent = row?.["reader"] === source.reader;
  const [storedUpdate = "", storedHash] = typeof row?.["stamp"] === "string" ? row["stamp"].split(" ") : [];
  if (isCurrent && (storedHash === hash || Number(storedUpdate) > updated)) return "unchanged";
  const transcript = { path, stamp: `${updated} ${hash}`, size: 0, changed: updated };
  const added = row === undefined ? addTranscripts(database, [{ source, transcript }]).get(path)! : Number(row["id"]);
  const { name, reader } = source;
  const stored: StoredTranscript = {
    id: added,
    source: name,
    reader,
    emitsNonProseOnce: false,
    isNonProse: false,
    transcript,
  };
  const writer = new StoreWriter(database, undefined, undefined, texts.writer());
  if (row !== undefined) writer.add(stored, [{ kind: "rewritten" }]);
  writer.add(stored, withMergedTurns(events).map(withWholeText(new LinesBefore())));
  writer.end(stored, undefined);
  writer.flush();
  texts.trim();
  return row === undefined ? "added" : "replaced";
}

const withWholeText =
  (linesBefore: LinesBefore) =>
  (event: PreparedEvent): PreparedEvent => {
    if (event.kind !== "part") return event;
    const before = linesBefore.of(event.part);
    return event.part.kind === "prose" ? event : { kind: "part", part: preparedPart(event.part, false, before) };
  };

function sizeOf({ events }: Reading): number {
  let size = 0;
  for (const one of events) if (one.kind === "part") size += one.part.text.length;
  return size;
}

function notAnArchive(): Problem {
  return new Problem(
    "invalid",
    "This is not an archive of claude.ai, ChatGPT, DeepSeek or Gemini.",
    "Import the archive that the service sends when you export your data, or its conversations.json. From Takeout, order 'My Activity' of Gemini Apps as JSON.",
  );
}
