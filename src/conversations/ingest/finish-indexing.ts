// The background pass after prose is indexed: reads non-prose parts (tool calls
// and their output, thinking, sub-agents), keeps their whole texts, indexes
// their beginnings in a full text of their own, and compresses pages. That is
// more work than prose, and rarely needed. Used by background-finish.ts, and by
// the thread that it starts.
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { type IndexDatabase, newHolder, releaseLease, type Row, takeLease } from "../../sqlite/sqlite.ts";
import { Turns } from "../../kernel/kernel.ts";
import { transcriptFileAt, type ConversationSource } from "../sources/source.ts";
import { indexedText, packed, partsIn, withoutSecretsIn } from "../store/pages.ts";
import type { ToolTexts } from "../store/tool-texts/tool-texts.ts";
import { LinesBefore } from "../printed-secrets.ts";
import { preparedNonProse } from "./reading/non-prose-preparation.ts";
import type { PreparedEvent } from "./reading/part-preparation.ts";
import { redact, REDACTION } from "../../redaction/redaction.ts";
import { symbolsOf } from "../../search/search.ts";
import { partsOfPage } from "../store/conversation-reader.ts";
import { textOfParts } from "../store/page-texts.ts";
import { StoreWriter } from "./writing/store-writer.ts";
import type { StoredTranscript } from "./transcript-rows.ts";

const SLICE = 10;
const AT_ONCE = 50;
const MERGED_PAGES = 300;
const PAGES_AT_ONCE = 500;
const LEASE = "settle";
const ASK_OTHERS_EVERY = 50;

export interface FinishedStore {
  readonly database: IndexDatabase;
  readonly texts: ToolTexts;
}

/** Runs until nothing is left to do, or the signal aborts. One process works at a time; the others wait for it. */
export async function finishIndexing(
  { database, texts }: FinishedStore,
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
      await texts.moveEarlier(signal);
      if (!isRedactedAsNow(database)) await database.write(() => lookForSecretsAgain(database), signal);
      for (const stored of transcriptsWithNonProse(database, sources)) {
        await readNonProse({ database, texts }, stored, signal);
        if (!(await take())) break;
      }
      await pack(database, signal, take);
    } finally {
      await database.write(() => releaseLease(database, holder, LEASE)).catch(() => {});
    }
  }
}

/** Returns whether the pages of the store were looked at by the redaction of this program. */
function isRedactedAsNow(database: IndexDatabase): boolean {
  return database.get("SELECT value FROM state WHERE key = 'redaction'")?.["value"] === REDACTION;
}

/** Another release recognises other secrets: they must not be found by a search, nor shown in a snippet. */
function lookForSecretsAgain(database: IndexDatabase): void {
  database.run("INSERT OR IGNORE INTO unredacted SELECT page FROM content");
  database.run("INSERT OR REPLACE INTO state VALUES ('redaction', ?)", REDACTION);
}

/** Returns whether nothing is left to do. */
export function isIndexingFinished(database: IndexDatabase): boolean {
  if (!isRedactedAsNow(database)) return false;
  const isDue = database.get(
    `SELECT EXISTS (SELECT 1 FROM waiting) OR EXISTS (SELECT 1 FROM unredacted)
       OR EXISTS (SELECT 1 FROM state WHERE key = 'earlier tool texts')
       OR EXISTS (SELECT 1 FROM unit WHERE ${NON_PROSE_IS_DUE}) AS due`,
  );
  return isDue!["due"] === 0;
}

/** Bytes of non-prose that were not read yet, about. */
export function bytesToRead(database: IndexDatabase): number {
  const rows = database.all(`SELECT stamp, rest_stamp FROM unit WHERE ${NON_PROSE_IS_DUE}`);
  return rows.reduce((sum, { stamp, rest_stamp }) => {
    const grown = sizeIn(stamp) - sizeIn(rest_stamp);
    return sum + (grown > 0 ? grown : sizeIn(stamp));
  }, 0);
}

/** A stamp begins with the size of the file. */
function sizeIn(stamp: unknown): number {
  return stamp === null ? 0 : Number.parseInt(String(stamp), 10);
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
  { database, texts }: FinishedStore,
  { source, transcript: stored, checkpoint }: NonProse,
  signal: AbortSignal,
): Promise<void> {
  const write = (events: readonly PreparedEvent[], isEnd: boolean) =>
    database.write(() => {
      const writer = new StoreWriter(database, undefined, undefined, texts.writer());
      writer.add(stored, events);
      if (isEnd) writer.end(stored, undefined);
      writer.flush();
      texts.trim();
    }, signal);
  const turns = new Turns(signal);
  const linesBefore = new LinesBefore();
  let last: readonly PreparedEvent[] | undefined;
  for await (const events of nonProseIn(source, stored.transcript.path, checkpoint, signal)) {
    if (last !== undefined) await write(last, false);
    last = await preparedNonProse(source, events, turns, linesBefore);
    // Nothing here waits for I/O: without this, nothing else would run.
    await nextTurn();
  }
  signal.throwIfAborted();
  // Most files are read in one batch, and a transaction costs more than what is in it.
  await write(last ?? [], true);
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
    const wanted = source.readsProseFirst ? "nonProse" : undefined;
    if (transcript !== undefined) yield* source.read(transcript, checkpoint, signal, wanted);
  } catch {
    signal.throwIfAborted();
  }
}

async function pack(database: IndexDatabase, signal: AbortSignal, keepLease: () => Promise<boolean>): Promise<void> {
  const stepOf = (sql: string, work: (row: Row) => void) => (): boolean => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const rows = database.all(sql, AT_ONCE);
      if (rows.length === 0) return false;
      for (const row of rows) {
        work(row);
        if (performance.now() >= end) break;
      }
    }
    return true;
  };
  const steps = [
    stepOf("SELECT waiting.page, parts, is_rest FROM waiting JOIN page ON page.id = waiting.page LIMIT ?", (row) =>
      packPage(database, row),
    ),
    stepOf(
      "SELECT unredacted.page, is_rest FROM unredacted LEFT JOIN page ON page.id = unredacted.page LIMIT ?",
      (row) => indexAgain(database, row),
    ),
  ];
  for (const step of steps) while (await database.writeInTurns(step, signal)) if (!(await keepLease())) return;
  // Many small segments make searches slower.
  for (const table of ["text", "tool_text"])
    while (await database.write(() => database.merge(MERGED_PAGES, table), signal)) await nextTurn();
  await returnSpace(database, signal);
}

/** Returns free pages to the file system. */
export async function returnSpace(database: IndexDatabase, signal: AbortSignal): Promise<void> {
  const free = () => Number(database.get("PRAGMA freelist_count")!["freelist_count"]);
  if (free() === 0) return;
  const step = (): boolean => {
    const before = free();
    database.all(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    return free() > 0 && free() < before;
  };
  while (await database.write(step, signal));
  // The file itself gets shorter with a checkpoint.
  database.all("PRAGMA wal_checkpoint(PASSIVE)");
}

function packPage(database: IndexDatabase, { page: id, parts, is_rest }: Row): void {
  const page = Number(id);
  const waiting = String(parts);
  const texts = partsIn(waiting).map(({ text }) => text);
  // Non-prose is redacted when it is read; redacting prose then would take too long.
  if (is_rest === 1) database.run("INSERT INTO tool_text (rowid, body) VALUES (?, ?)", page, indexedText(texts));
  const clean = is_rest === 1 ? null : removeSecrets(database, page, texts);
  database.run("INSERT OR REPLACE INTO content (page, parts, clean) VALUES (?, ?, ?)", page, packed(waiting), clean);
  database.run("DELETE FROM waiting WHERE page = ?", page);
}

/** A page that another release has indexed. */
function indexAgain(database: IndexDatabase, { page: id, is_rest }: Row): void {
  const page = Number(id);
  database.run("DELETE FROM unredacted WHERE page = ?", page);
  if (database.get("SELECT 1 FROM content WHERE page = ?", page) === undefined) return;
  const texts = partsOfPage(database, page).map(({ text }) => text);
  const redacted = texts.map(withoutSecretsIn);
  const hasSymbols = redacted.some((text) => symbolsOf(text).length > 0);
  if (is_rest === 0) {
    if (hasSymbols) indexProse(database, page, redacted);
    database.run("UPDATE content SET clean = ? WHERE page = ?", removeSecrets(database, page, texts), page);
    return;
  }
  const isIndexed = database.get("SELECT 1 FROM tool_text_docsize WHERE id = ?", page) !== undefined;
  if (isIndexed && !hasSymbols && redacted.every((text, i) => text === texts[i])) return;
  database.run("DELETE FROM tool_text WHERE rowid = ?", page);
  database.run("INSERT INTO tool_text (rowid, body) VALUES (?, ?)", page, indexedText(redacted));
}

/**
 * From the full text of prose: a search that finds something would confirm a guess.
 * @returns what the page's `clean` is: see tables.ts
 */
function removeSecrets(database: IndexDatabase, page: number, texts: readonly string[]): number | null {
  const redacted = texts.map(withoutSecretsIn);
  if (redacted.every((text, i) => text === texts[i])) {
    // The evidence that something is a secret may be in another message.
    const whole = textOfParts(texts);
    return redact(whole) === whole ? REDACTION : null;
  }
  indexProse(database, page, redacted);
  return null;
}

function indexProse(database: IndexDatabase, page: number, texts: readonly string[]): void {
  database.run("DELETE FROM text WHERE rowid = ?", page);
  database.run("INSERT INTO text (rowid, title, prose) VALUES (?, '', ?)", page, indexedText(texts));
}
