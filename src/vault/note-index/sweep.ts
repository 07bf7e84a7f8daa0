// Brings the index up to date with the files of a vault: lists them, reads
// those that changed, removes those that are gone. Works in slices, each one
// transaction, so that the process keeps answering, other processes can write,
// and a killed process leaves a consistent index. Used by note-database.ts.
import {
  type DocumentKind,
  type IndexedDocument,
  keepDocument,
  mergeText,
  type Prepared,
  putDocuments,
  removeDocument,
  type Storing,
  unreadDocument,
  type Version,
} from "../../search/search.ts";
import type { IndexDatabase, Seen } from "../../sqlite/sqlite.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { codeOf, contentHash, FileTooLarge, isNoFile } from "../../files/files.ts";
import type { IndexedFiles } from "./indexed-files.ts";
import { KnownFiles, type KnownFile } from "./known-files.ts";
import type { Listing } from "./file-listing.ts";
import { documentIn, hasContent, kindOfPath, TOO_LARGE, UNREADABLE } from "./read-document.ts";

export interface Unread {
  readonly path: string;
  readonly reason: string;
}

export interface Swept {
  /** Files that exist. */
  readonly total: number;
  readonly changed: number;
  readonly removed: number;
  /** Files that exist and could not be read: the index keeps their previous content. */
  readonly unread: readonly Unread[];
}

interface SweepResult extends Swept {
  /** Undefined if the next sweep has to read a file again even if it looks the same. */
  readonly seen: Seen | undefined;
}

export interface Sweep {
  readonly signal?: AbortSignal | undefined;
  /** The digest of the files when the index was last complete. */
  readonly seen?: Seen | undefined;
  /** Only what is at or below these paths. */
  readonly within?: readonly string[] | undefined;
  /** Before each slice, within its transaction; stops the sweep by throwing. */
  readonly beforeSlice?: ((done: number, total: number) => void) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Milliseconds of reading per slice; writing takes about as long again. */
const SLICE = 10;
/** File systems store times in steps of up to two seconds: a younger file may change again without a new time. */
const YOUNG = 3_000;

export async function sweep(database: IndexDatabase, root: IndexedFiles, options: Sweep = {}): Promise<SweepResult> {
  const { signal, within, seen, beforeSlice, onProgress } = options;
  root.check();
  const listing = await root.list(within, signal);
  if (seen !== undefined && seen.digest === listing.digest) {
    onProgress?.(seen.total, seen.total);
    return { total: seen.total, changed: 0, removed: 0, unread: [], seen };
  }
  const known = await KnownFiles.read(database, within);
  const { changed, unread, total } = await compare(listing, known, signal);
  // Newest last, where the list is read from: people most likely search for these while the rest is indexed.
  changed.sort((a, b) => a.version.mtime - b.version.mtime);
  const missing = known.missing();
  let count = 0;
  let removed = 0;
  let isReliable = listing.digest !== undefined;
  const report = () => onProgress?.(total - changed.length, total);
  report();
  /** @returns whether there is more to do */
  const slice = (): boolean => {
    beforeSlice?.(total - changed.length, total);
    const end = performance.now() + SLICE;
    // Read within the transaction, so that an older state never replaces what another process just indexed.
    const prepared: Prepared[] = [];
    while (changed.length > 0 && performance.now() < end) {
      const read = readFile(root, changed.pop()!, known);
      isReliable &&= read !== undefined && read.storing.hash === undefined && read.storing.unread === undefined;
      if (read === undefined) continue;
      const { document, storing } = read;
      if (storing.unread !== undefined) unread.push({ path: read.path, reason: storing.unread });
      if (document !== undefined) count++;
      if (document !== undefined) prepared.push({ document, storing });
      else if (!keepDocument(database, read.path, storing))
        prepared.push({ document: unreadDocument(read.path, read.kind), storing });
    }
    putDocuments(database, prepared);
    while (missing.length > 0 && performance.now() < end) {
      const path = missing.pop()!;
      if (kindOfPath(path) !== undefined && root.isThere(path)) continue;
      removeDocument(database, path);
      removed++;
    }
    // An unmounted disk looks like a vault whose files were all deleted.
    if (removed > 0) root.check();
    report();
    return changed.length > 0 || missing.length > 0;
  };
  if (changed.length > 0 || missing.length > 0)
    while (await database.writeInTurns(slice, signal)) await mergeText(database, signal);
  const { digest } = listing;
  isReliable &&= unread.length === 0;
  return { total, changed: count, removed, unread, seen: isReliable ? { digest: digest!, total } : undefined };
}

interface ListedFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly version: Version;
  readonly unread: string | undefined;
}

/** What differs between the disk and the index. */
async function compare(listing: Listing, known: KnownFiles, signal: AbortSignal | undefined) {
  const changed: ListedFile[] = [];
  const unread: Unread[] = [];
  const newPaths = new Set<string>();
  let total = 0;
  let turn = performance.now();
  for (const { path, version, unread: reason } of listing.files) {
    if (performance.now() - turn > SLICE) {
      await nextTurn();
      signal?.throwIfAborted();
      turn = performance.now();
    }
    const result = known.compare(path, version);
    if (result === "repeated" || (result === "unknown" && newPaths.has(path))) continue;
    if (result === "same" && reason === undefined) {
      total++;
      continue;
    }
    const kind = kindOfPath(path);
    if (kind === undefined) continue;
    if (kind !== "folder") total++;
    if (result === "unknown") newPaths.add(path);
    const file = { path, kind, version, unread: reason };
    const before = known.get(path);
    if (before === undefined || mayDiffer(file, before)) changed.push(file);
    else if (before.unread !== undefined) unread.push({ path, reason: before.unread });
  }
  return { changed, unread, total };
}

function mayDiffer(file: ListedFile, before: KnownFile): boolean {
  const { size, mtime, inode } = before.version;
  if (file.unread !== undefined) return before.unread !== file.unread;
  if (file.version.size !== size || file.version.mtime !== mtime || file.version.inode !== inode) return true;
  // Permissions may change without a new version; a file that is not text, or too large, stays so.
  const isForGood = UNREADABLE.includes(before.unread ?? "");
  return before.hash !== undefined || (before.unread !== undefined && !isForGood);
}

interface ReadFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly storing: Storing;
  /** Undefined if the index has it already, or if it cannot be read and the indexed content is kept. */
  readonly document: IndexedDocument | undefined;
}

/** Reads and parses a file; undefined if it no longer exists. */
function readFile(root: IndexedFiles, file: ListedFile, known: KnownFiles): ReadFile | undefined {
  // The version is from the listing: if the file changed since, the next sweep notices.
  const { path, kind, version } = file;
  const refused = (unread: string): ReadFile => ({ path, kind, storing: { version, unread }, document: undefined });
  if (!hasContent(kind)) return { path, kind, storing: { version }, document: unreadDocument(path, kind) };
  if (file.unread !== undefined) return refused(file.unread);
  let bytes: Buffer;
  try {
    bytes = root.read(path);
  } catch (error) {
    if (error instanceof FileTooLarge) return refused(TOO_LARGE);
    // It has become a link, a pipe or a folder.
    return codeOf(error) === "ENOENT" || isNoFile(error) ? undefined : refused(codeOf(error));
  }
  const before = known.get(path);
  const isYoung = Math.abs(Date.now() - version.mtime) < YOUNG;
  const hash = isYoung || before?.hash !== undefined ? contentHash(bytes) : undefined;
  const storing = { version, hash: isYoung ? hash : undefined };
  const isAsBefore = hash !== undefined && before?.hash === hash && before.unread === undefined;
  if (isAsBefore) return { path, kind, storing, document: undefined };
  const document = documentIn(path, kind, bytes);
  return typeof document === "string" ? refused(document) : { path, kind, storing, document };
}
