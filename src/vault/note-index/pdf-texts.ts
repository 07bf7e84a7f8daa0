// The text of the PDF files of a vault in its index: which of them wait to be
// read, what was read, and why some cannot be. A sweep only lists them, since
// reading one may take seconds; they are read afterwards, in the background, by one
// process at a time, each stored at once. Used by note-database.ts.
import { isOnlyInCloud } from "../../markdown/markdown.ts";
import { megabytes, MAX_FILE_BYTES, type OpenedFile, type StoredFiles, type VaultPath } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { mergeText, pdfDocument, putDocuments, type Version } from "../../search/search.ts";
import { type IndexDatabase, newHolder, releaseLease, takeLease } from "../../sqlite/sqlite.ts";
import { type PdfReader, type PdfText, UnreadablePdf } from "../pdf/pdf-reader.ts";

/** Limits for one file. */
const MAX_PAGES = 2_000;
export const MAX_CHARACTERS = 2_000_000;
/** Milliseconds after which a pass ends; the next query continues. */
const MAX_PASS_LENGTH = 10 * 60_000;
/** Milliseconds, less than a lease lasts. */
const RENEW_EVERY = 2_000;
const WORK = "pdf";

/** Separates pages in the stored text. */
export const PAGE_BREAK = "\f";

interface Waiting {
  readonly path: string;
  readonly version: Version & { readonly created: number };
}

const WAITING = "document WHERE kind = 'pdf' AND id NOT IN (SELECT document FROM pdf)";

export function waitingPdfs(database: IndexDatabase): number {
  return Number(database.get(`SELECT count(*) AS count FROM ${WAITING}`)!["count"]);
}

/** The text of an indexed file, with breaks between pages; undefined if it was not read. */
export function pdfTextAt(database: IndexDatabase, path: string): string | undefined {
  const row = database.get("SELECT text FROM pdf JOIN document ON document.id = pdf.document WHERE path = ?", path);
  return row === undefined ? undefined : String(row["text"]);
}

/** The files that cannot be read, or not to their end, and why. */
export function unreadPdfs(database: IndexDatabase): { readonly path: string; readonly reason: string }[] {
  return database
    .all("SELECT path, pdf.unread FROM pdf JOIN document ON document.id = pdf.document WHERE pdf.unread IS NOT NULL")
    .map((row) => ({ path: String(row["path"]), reason: String(row["unread"]) }));
}

interface Pass {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads the files that wait, the newest first.
 * @returns false if another process does it
 */
export async function readWaitingPdfs(
  database: IndexDatabase,
  root: StoredFiles,
  reader: PdfReader,
  { signal, onProgress }: Pass = {},
): Promise<boolean> {
  const holder = newHolder();
  const take = () => database.write(() => takeLease(database, holder, WORK), signal);
  if (!(await take())) return false;
  const renewing = setInterval(() => void take().catch(() => {}), RENEW_EVERY).unref();
  const end = Date.now() + MAX_PASS_LENGTH;
  try {
    const waiting = listWaiting(database);
    for (const [done, file] of waiting.entries()) {
      signal?.throwIfAborted();
      if (Date.now() > end) break;
      onProgress?.(done, waiting.length);
      const read = await readPdf(root, reader, file.path, signal);
      if (read !== undefined) await database.write(() => store(database, file, read), signal);
    }
    if (waiting.length > 0) await mergeText(database, signal);
    return true;
  } finally {
    clearInterval(renewing);
    await database.write(() => releaseLease(database, holder, WORK)).catch(() => {});
  }
}

function listWaiting(database: IndexDatabase): Waiting[] {
  const rows = database.all(`SELECT path, size, mtime, inode, created FROM ${WAITING} ORDER BY mtime DESC`);
  return rows.map(({ path, size, mtime, inode, created }) => ({
    path: String(path),
    version: { size: Number(size), mtime: Number(mtime), inode: Number(inode), created: Number(created) },
  }));
}

interface ReadPdf {
  readonly pages: readonly string[];
  readonly unread?: string;
}

/** Undefined if the file is gone, may not be opened, or is only in the cloud. Throws if no process can be started. */
async function readPdf(
  root: StoredFiles,
  reader: PdfReader,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ReadPdf | undefined> {
  let file: OpenedFile | undefined;
  try {
    file = await root.open(path as VaultPath);
    if (file === undefined || isOnlyInCloud(file.stats)) return undefined;
    const size = Number(file.stats.size);
    if (size > MAX_FILE_BYTES) return { pages: [], unread: `larger than ${megabytes(MAX_FILE_BYTES)}` };
    const request = { from: 1, mostCharacters: MAX_CHARACTERS, mostPages: MAX_PAGES };
    const text = await reader.read({ ...request, file: { size, read: file.read } }, { signal });
    const unread = missingIn(text);
    return { pages: text.pages, ...(unread !== undefined && { unread }) };
  } catch (error) {
    if (error instanceof UnreadablePdf && error.reason !== "no process")
      return { pages: [], unread: REASONS[error.reason] };
    if (error instanceof Problem) return undefined;
    throw error;
  } finally {
    file?.close();
  }
}

const REASONS = {
  encrypted: "encrypted",
  damaged: "damaged",
  time: "takes too long to read",
  memory: "takes too much memory to read",
} as const;

function missingIn({ total, pages, problem }: PdfText): string | undefined {
  if (pages.length >= total) return undefined;
  const why = problem === undefined ? "the rest is not indexed" : REASONS[problem];
  return `${pages.length} of ${total} pages were read: ${why}`;
}

/** Nothing is stored for a file that changed since it was listed: the next sweep lists it again. */
function store(database: IndexDatabase, { path, version }: Waiting, { pages, unread }: ReadPdf): void {
  const { size, mtime, inode } = version;
  const isSame = database.get(
    "SELECT id FROM document WHERE path = ? AND size = ? AND mtime = ? AND inode = ?",
    path,
    size,
    mtime,
    inode,
  );
  if (isSame === undefined) return;
  const text = pages.join(PAGE_BREAK).slice(0, MAX_CHARACTERS);
  putDocuments(database, [{ document: pdfDocument(path, text), storing: { version } }]);
  database.run(
    "INSERT OR REPLACE INTO pdf SELECT id, ?, ?, ? FROM document WHERE path = ?",
    pages.length,
    unread ?? null,
    text,
    path,
  );
}
