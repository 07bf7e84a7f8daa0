// Brings the index of a space up to date with its files: reads those that wait, in
// portions, and writes them in one transaction that has locked the index. Used by
// catching-up.ts and shared-note-index.ts.
import { MOST_FILE_BYTES } from "../../../files/files.ts";
import { Turns } from "../../../kernel/kernel.ts";
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import { unreadDocument } from "../../../search/search.ts";
import { documentIn, hasContent, kindOfPath, TOO_LARGE } from "../read-document.ts";
import { IndexChange, lockIndex, TABLES_OF_FILES, type WrittenDocument } from "./index-change.ts";

/** Bytes that are read at once, of no more files than fill a block. */
const MOST_BYTES = 16 * 1024 * 1024;
/**
 * Milliseconds after which a transaction takes no further portion. Words that are in most notes are counted once in
 * each; others who index wait for its end, and who is killed loses that much.
 */
const LONG_ENOUGH = 4_000;

export interface IndexedSome {
  readonly changed: number;
  readonly removed: number;
  /** Whether more may wait. */
  readonly isMore: boolean;
}

/** Indexes files that wait, for some seconds or until the signal: what was begun is kept. */
export async function indexWaiting(sql: TaggedQuery, space: number, signal?: AbortSignal): Promise<IndexedSome> {
  const change = new IndexChange(sql, space, await lockIndex(sql, space));
  const end = performance.now() + LONG_ENOUGH;
  let [changed, removed] = [0, 0];
  let portion: Portion | undefined = await nextPortion(sql, space, change, 0);
  let isMore = false;
  let writing: Promise<void> | undefined;
  try {
    while (portion !== undefined && portion.rows.length > 0) {
      const { rows, known }: Portion = portion;
      const prepared = await change.prepare(documentsOf(portion), known, new Turns());
      await writing;
      changed += prepared.notes.length;
      // What was never in the index, such as a file of settings, is not gone.
      removed += prepared.changes.length - prepared.notes.length;
      isMore = portion.isMore;
      const isLast: boolean = !isMore || signal?.aborted === true || performance.now() > end;
      portion = isLast ? undefined : await nextPortion(sql, space, change, Number(rows.at(-1)!["file"]));
      // Nobody waits for it yet: the database writes this portion while the next one is prepared.
      writing = change.write(prepared, new Turns()).then(() => isIndexed(sql, space, rows));
      writing.catch(() => {});
    }
    await writing;
  } finally {
    // Nothing more may be asked after the end of the transaction.
    await writing?.catch(() => {});
  }
  await change.end();
  return { changed, removed, isMore };
}

/** Files that wait, with what is needed to index them. */
interface Portion {
  readonly rows: readonly Row[];
  readonly bytes: ReadonlyMap<number, Buffer>;
  readonly known: ReadonlyMap<number, Row>;
  /** Whether more may wait. */
  readonly isMore: boolean;
}

/** @param after the last file of the portion before */
async function nextPortion(sql: TaggedQuery, space: number, change: IndexChange, after: number): Promise<Portion> {
  const most = change.room;
  // Before their bytes: what changes in between waits on.
  const waiting = await sql`
    SELECT waiting.file, mark, path, size, modified FROM (
      SELECT file, mark FROM commonplace.note_waiting WHERE space = ${space} AND file > ${after} ORDER BY file LIMIT ${most}
    ) AS waiting LEFT JOIN commonplace.file ON file.id = waiting.file AND file.space = ${space} AND file.kind = 'file'
    ORDER BY waiting.file`;
  const rows = within(waiting);
  const isMore = rows.length < waiting.length || waiting.length === most;
  const [bytes, known] = await Promise.all([
    bytesOf(sql, space, rows),
    change.known(rows.map(({ file }) => Number(file))),
  ]);
  return { rows, bytes, known, isMore };
}

/** What was changed since it was read has another mark, and waits on. */
async function isIndexed(sql: TaggedQuery, space: number, rows: readonly Row[]): Promise<void> {
  await sql`
    DELETE FROM commonplace.note_waiting USING unnest(${rows.map(({ file }) => Number(file))}::bigint[],
      ${rows.map(({ mark }) => Number(mark))}::bigint[]) AS done (file, mark)
    WHERE note_waiting.space = ${space} AND note_waiting.file = done.file AND note_waiting.mark = done.mark`;
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

function* documentsOf({ rows, bytes }: Portion): Generator<WrittenDocument> {
  for (const row of rows) yield documentFor(row, bytes);
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

const ALL_TABLES = [...TABLES_OF_FILES, "note_place", "note_word", "note_block"];

/** Empties the index; all files wait to be indexed. Numbers go on: what processes remember has older ones. */
export async function indexAgain(sql: TaggedQuery, space: number): Promise<void> {
  await lockIndex(sql, space);
  for (const table of ALL_TABLES) await sql.run(`DELETE FROM commonplace.${table} WHERE space = $1`, [space]);
  await sql`UPDATE commonplace.note_state SET number = number + 1, texts = 0, words = 0 WHERE space = ${space}`;
  await sql`
    SELECT commonplace.wait_for_index(array_agg(space), array_agg(id)) FROM commonplace.file
    WHERE space = ${space} AND kind = 'file' HAVING count(*) > 0`;
}
