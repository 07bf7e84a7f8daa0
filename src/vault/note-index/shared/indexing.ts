// Brings the index of a space up to date with its files: reads those that wait, and
// writes where their words are, in one transaction that has locked the index. What a
// document had before is taken back by its words. Used by shared-note-index.ts and
// pdf-files.ts.
import { MOST_FILE_BYTES } from "../../../files/files.ts";
import { Turns } from "../../../kernel/kernel.ts";
import { type Row, type TaggedQuery } from "../../../postgres/postgres.ts";
import {
  BLOCK_SIZE,
  type Entry,
  entryOf,
  fingerprintOf,
  type IndexedDocument,
  unreadDocument,
} from "../../../search/search.ts";
import { documentIn, hasContent, kindOfPath, TOO_LARGE } from "../read-document.ts";
import { rowsOf } from "./document-rows.ts";
import { changeBlocks } from "./stored-blocks.ts";
import { type TextChange, changePlaces } from "./stored-places.ts";

/** Bytes that are indexed in one transaction, of no more files than fill a block. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface IndexedSome {
  readonly changed: number;
  readonly removed: number;
  /** Whether more may wait. */
  readonly isMore: boolean;
}

/** Indexes some of the files that wait. */
export async function indexWaiting(sql: TaggedQuery, space: number, signal?: AbortSignal): Promise<IndexedSome> {
  const state = await lockIndex(sql, space);
  const most = BLOCK_SIZE - (state.ordinals % BLOCK_SIZE);
  // Before their bytes: what changes in between waits on.
  const waiting = await sql`
    SELECT waiting.file, mark, path, size, modified FROM (
      SELECT file, mark FROM commonplace.note_waiting WHERE space = ${space} ORDER BY file LIMIT ${most}
    ) AS waiting LEFT JOIN commonplace.file ON file.id = waiting.file AND file.space = ${space} AND file.kind = 'file'
    ORDER BY waiting.file`;
  const chosen = within(waiting);
  const read = await bytesOf(sql, space, chosen);
  const turns = new Turns(signal);
  const documents: WrittenDocument[] = [];
  for (const row of chosen) {
    documents.push(documentFor(row, read));
    if (turns.isOver()) await turns.next();
  }
  await writeDocuments(sql, space, state, documents, turns);
  await sql`
    DELETE FROM commonplace.note_waiting USING unnest(${chosen.map(({ file }) => Number(file))}::bigint[],
      ${chosen.map(({ mark }) => Number(mark))}::bigint[]) AS done (file, mark)
    WHERE note_waiting.space = ${space} AND note_waiting.file = done.file AND note_waiting.mark = done.mark`;
  const changed = documents.filter(({ document }) => document !== undefined).length;
  return {
    changed,
    removed: documents.length - changed,
    isMore: chosen.length < waiting.length || waiting.length === most,
  };
}

export interface IndexState {
  readonly number: number;
  readonly ordinals: number;
}

/** Until the transaction ends nobody else writes the index. */
export async function lockIndex(sql: TaggedQuery, space: number): Promise<IndexState> {
  await sql`INSERT INTO commonplace.note_state (space) VALUES (${space}) ON CONFLICT DO NOTHING`;
  const [row] = await sql`SELECT number, ordinals FROM commonplace.note_state WHERE space = ${space} FOR UPDATE`;
  return { number: Number(row!["number"]), ordinals: Number(row!["ordinals"]) };
}

/** The first of them that have no more bytes than are read at once; at least one. */
function within(waiting: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = waiting.findIndex((row, i) => {
    bytes += isRead(row) ? Number(row["size"]) : 0;
    return bytes > MOST_BYTES && i > 0;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

function isRead({ path, size }: Row): boolean {
  const kind = path === null ? undefined : kindOfIndexed(String(path));
  return kind !== undefined && hasContent(kind) && Number(size) <= MOST_FILE_BYTES;
}

async function bytesOf(sql: TaggedQuery, space: number, rows: readonly Row[]): Promise<ReadonlyMap<number, Buffer>> {
  const ids = rows.filter(isRead).map(({ file }) => Number(file));
  const found = await sql`
    SELECT id, bytes FROM commonplace.file
    WHERE space = ${space} AND id = ANY(${ids}::bigint[]) AND size <= ${MOST_FILE_BYTES}`;
  return new Map(found.map(({ id, bytes }) => [Number(id), bytes as Buffer]));
}

/** Files of programs and in the trash are not indexed. */
function kindOfIndexed(path: string) {
  return /(?:^|\/)\./.test(path) ? undefined : kindOfPath(path);
}

export interface WrittenDocument {
  readonly file: number;
  readonly modified: number;
  /** Undefined if the file is gone, or none that is indexed. */
  readonly document: IndexedDocument | undefined;
  readonly unread?: string | undefined;
}

function documentFor(
  { file: id, path: stored, modified: time, size }: Row,
  read: ReadonlyMap<number, Buffer>,
): WrittenDocument {
  const [file, path, modified] = [Number(id), String(stored), Number(time ?? 0)];
  const kind = stored === null ? undefined : kindOfIndexed(path);
  if (kind === undefined) return { file, modified, document: undefined };
  const bytes = read.get(file);
  if (!hasContent(kind)) return { file, modified, document: unreadDocument(path, kind) };
  if (bytes === undefined && Number(size) <= MOST_FILE_BYTES) return { file, modified, document: undefined };
  const document = bytes === undefined ? TOO_LARGE : documentIn(path, kind, bytes);
  if (typeof document !== "string") return { file, modified, document };
  return { file, modified, document: unreadDocument(path, kind), unread: document };
}

/** Replaces what the index has of some files. */
export async function writeDocuments(
  sql: TaggedQuery,
  space: number,
  { number: last, ordinals: given }: IndexState,
  documents: readonly WrittenDocument[],
  turns: Turns,
): Promise<void> {
  const files = documents.map(({ file }) => file);
  const known = new Map(
    (
      await sql`
        SELECT file, ordinal, kind, length, terms FROM commonplace.note WHERE space = ${space} AND file = ANY(${files}::bigint[])`
    ).map((row) => [Number(row["file"]), row]),
  );
  const number = last + 1;
  let ordinals = given;
  let [texts, words] = [0, 0];
  const changes: TextChange[] = [];
  const notes: StoredNote[] = [];
  for (const { file, modified, document, unread } of documents) {
    const before = known.get(file);
    if (before === undefined && document === undefined) continue;
    const ordinal = before === undefined ? ordinals++ : Number(before["ordinal"]);
    const rows = document && rowsOf(document);
    const hadText = before !== undefined && Number(before["length"]) >= 0;
    const length = document?.fields === undefined ? NO_TEXT : rows!.length;
    texts += Number(length >= 0) - Number(hadText);
    words += Math.max(length, 0) - (hadText ? Number(before["length"]) : 0);
    const { entries, terms } = changedEntries(termsIn(before), rows?.places ?? new Map());
    changes.push({ ordinal, entries, length, file, modified });
    if (document !== undefined) notes.push({ file, ordinal, document, unread, length, terms, keys: rows!.keys });
    if (turns.isOver()) await turns.next();
  }
  await changePlaces(sql, space, changes, given, turns);
  await changeBlocks(sql, space, number, changes);
  for (const table of OF_FILES)
    await sql.run(`DELETE FROM commonplace.${table} WHERE space = $1 AND file = ANY($2::bigint[])`, [space, files]);
  await addNotes(sql, space, number, notes);
  await sql`
    UPDATE commonplace.note_state SET number = ${number}, ordinals = ${ordinals}, texts = texts + ${texts}, words = words + ${words}
    WHERE space = ${space}`;
}

/** Tables with rows of single files. */
const OF_FILES = ["note", "note_key", "note_vector", "note_pdf"];
/** The length of a document that is not found by its words. */
const NO_TEXT = -1;

/** By word, a fingerprint of its places. */
function termsIn(row: Row | undefined): ReadonlyMap<string, string> {
  const stored = row === undefined || row["terms"] === "" ? [] : String(row["terms"]).split(" ");
  const terms = new Map<string, string>();
  for (let i = 0; i < stored.length; i += 2) terms.set(stored[i]!, stored[i + 1]!);
  return terms;
}

/** What is others than before, and all words with their fingerprints. */
function changedEntries(before: ReadonlyMap<string, string>, places: ReadonlyMap<string, readonly number[]>) {
  const entries = new Map<string, Entry | undefined>();
  for (const term of before.keys()) if (!places.has(term)) entries.set(term, undefined);
  const terms: string[] = [];
  for (const [term, at] of places) {
    const entry = entryOf(at);
    const fingerprint = fingerprintOf(entry);
    terms.push(term, fingerprint);
    if (before.get(term) !== fingerprint) entries.set(term, entry);
  }
  return { entries, terms: terms.join(" ") };
}

interface StoredNote extends Pick<WrittenDocument, "file" | "unread"> {
  readonly ordinal: number;
  readonly document: IndexedDocument;
  readonly length: number;
  readonly terms: string;
  readonly keys: ReturnType<typeof rowsOf>["keys"];
}

async function addNotes(sql: TaggedQuery, space: number, number: number, notes: readonly StoredNote[]): Promise<void> {
  const of = <T>(value: (note: StoredNote) => T) => notes.map(value);
  await sql`
    INSERT INTO commonplace.note (space, number, file, ordinal, kind, unread, length, facts, terms)
    SELECT ${space}, ${number}, * FROM unnest(${of(({ file }) => file)}::bigint[], ${of(({ ordinal }) => ordinal)}::int[],
      ${of(({ document }) => document.kind)}::text[], ${of(({ unread }) => unread ?? null)}::text[],
      ${of(({ length }) => length)}::int[], ${of(({ document }) => JSON.stringify(document.facts))}::text[],
      ${of(({ terms }) => terms)}::text[])`;
  const keys = notes.flatMap(({ file, keys: all }) => all.map((row) => ({ ...row, file })));
  await sql`
    INSERT INTO commonplace.note_key (space, kind, key, file, value)
    SELECT ${space}, * FROM unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[],
      ${keys.map(({ file }) => file)}::bigint[], ${keys.map(({ value }) => value)}::text[])`;
}

const ALL_TABLES = [...OF_FILES, "note_place", "note_word", "note_block"];

/** Empties the index; all files wait to be indexed. Numbers go on: what processes remember has older ones. */
export async function indexAgain(sql: TaggedQuery, space: number): Promise<void> {
  await lockIndex(sql, space);
  for (const table of ALL_TABLES) await sql.run(`DELETE FROM commonplace.${table} WHERE space = $1`, [space]);
  await sql`UPDATE commonplace.note_state SET number = number + 1, texts = 0, words = 0 WHERE space = ${space}`;
  await sql`
    SELECT commonplace.wait_for_index(array_agg(space), array_agg(id)) FROM commonplace.file
    WHERE space = ${space} AND kind = 'file' HAVING count(*) > 0`;
}
