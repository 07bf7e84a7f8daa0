// The text of the PDF files of a space in its index: see pdf-texts.ts. Each is read by
// one server, which has claimed it. Used by shared-note-index.ts.
import type { StoredFiles } from "../../../files/files.ts";
import type { SharedSpace } from "../../../journal/journal.ts";
import { Turns } from "../../../kernel/kernel.ts";
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import { pdfDocument, type SweepOptions } from "../../../search/search.ts";
import type { PdfReader } from "../../pdf/pdf-reader.ts";
import { LONGEST_PASS, MOST_CHARACTERS, PAGE_BREAK, readPdf, type ReadPdf } from "../pdf-texts.ts";
import type { Unread } from "../sweep.ts";
import { IndexChange, lockIndex } from "./index-change.ts";

/** After so long another server may read a file: the one that undertook to is gone. */
const TAKEN = "interval '10 minutes'";

const WAITING = `commonplace.note JOIN commonplace.file ON file.space = note.space AND file.id = note.file
  LEFT JOIN commonplace.note_pdf AS pdf ON pdf.space = note.space AND pdf.file = note.file
  WHERE note.space = $1 AND note.kind = 'pdf' AND pdf.text IS NULL`;

export async function waitingPdfs(sql: TaggedQuery, space: number): Promise<number> {
  const [row] = await sql.run(`SELECT count(*) AS count FROM ${WAITING}`, [space]);
  return Number(row!["count"]);
}

/** By the number of the file; those that were not read are left out. */
export async function pdfTexts(
  sql: TaggedQuery,
  space: number,
  files: readonly number[],
): Promise<Map<number, string>> {
  if (files.length === 0) return new Map();
  const rows = await sql`
    SELECT file, text FROM commonplace.note_pdf WHERE space = ${space} AND file = ANY(${files}::bigint[]) AND text IS NOT NULL`;
  return new Map(rows.map((row) => [Number(row["file"]), String(row["text"])]));
}

/** The files that cannot be read, or not to their end. */
export async function unreadPdfs(sql: TaggedQuery, space: number): Promise<Unread[]> {
  const rows = await sql`
    SELECT path, pdf.unread FROM commonplace.note_pdf AS pdf
    JOIN commonplace.file ON file.space = pdf.space AND file.id = pdf.file
    WHERE pdf.space = ${space} AND pdf.unread IS NOT NULL ORDER BY path COLLATE "C"`;
  return rows.map((row) => ({ path: String(row["path"]), reason: String(row["unread"]) }));
}

/** Reads the files that wait and that no other server reads, the newest first. */
export async function readPdfFiles(
  { store }: SharedSpace,
  space: number,
  root: StoredFiles,
  reader: PdfReader,
  { signal, onProgress }: SweepOptions,
): Promise<void> {
  const total = await store.reading((sql) => waitingPdfs(sql, space));
  const end = Date.now() + LONGEST_PASS;
  for (let done = 0; Date.now() < end; done++) {
    signal?.throwIfAborted();
    onProgress?.(done, total);
    const next = await store.transaction((sql) => takeNext(sql, space));
    if (next === undefined) return;
    const read = await readPdf(root, reader, String(next["path"]), signal);
    if (read !== undefined) await store.transaction((sql) => keep(sql, space, next, read));
  }
}

async function takeNext(sql: TaggedQuery, space: number): Promise<Row | undefined> {
  await lockIndex(sql, space);
  const [next] = await sql.run(
    `SELECT note.file, note.number, path, modified FROM ${WAITING} AND (taken IS NULL OR taken < now() - ${TAKEN})
     ORDER BY modified DESC LIMIT 1`,
    [space],
  );
  if (next !== undefined)
    await sql`
      INSERT INTO commonplace.note_pdf (space, file) VALUES (${space}, ${Number(next["file"])})
      ON CONFLICT (space, file) DO UPDATE SET taken = now()`;
  return next;
}

/** Nothing is kept for a file that was indexed again since: it waits to be read. */
async function keep(
  sql: TaggedQuery,
  space: number,
  { file: id, number, path, modified }: Row,
  read: ReadPdf,
): Promise<void> {
  const file = Number(id);
  const state = await lockIndex(sql, space);
  const [same] = await sql`
    SELECT 1 FROM commonplace.note WHERE space = ${space} AND file = ${file} AND number = ${Number(number)}`;
  if (same === undefined) return;
  const text = read.pages.join(PAGE_BREAK).slice(0, MOST_CHARACTERS).replaceAll("\0", "").toWellFormed();
  const document = pdfDocument(String(path), text);
  const change = new IndexChange(sql, space, state);
  const turns = new Turns();
  const written = [{ file, modified: Number(modified), document }];
  await change.write(await change.prepare(written, await change.known([file]), turns), turns);
  await change.end();
  await sql`
    INSERT INTO commonplace.note_pdf (space, file, unread, text) VALUES (${space}, ${file}, ${read.unread ?? null}, ${text})`;
}
