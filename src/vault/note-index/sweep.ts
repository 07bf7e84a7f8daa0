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
  putInSteps,
  removeInSteps,
  type Storing,
  unreadDocument,
} from "../../search/search.ts";
import type { IndexDatabase, Seen } from "../../sqlite/sqlite.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { finished, type Steps } from "../../kernel/kernel.ts";
import { codeOf, contentHash, FileTooLarge, isNoFile } from "../../files/files.ts";
import type { FilesAhead, IndexedFiles, NextFile } from "./indexed-files.ts";
import { KnownFiles, type KnownFile } from "./known-files.ts";
import type { FoundFile, Listing } from "./file-listing.ts";
import { hasContent, readInSteps, kindOfPath, TOO_LARGE, UNREADABLE } from "./read-document.ts";

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
/** Larger files are indexed in several slices of one transaction. */
const MAX_AT_ONCE = 100_000;
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
  /** Of the files that changed, those that can be read now are behind this many. */
  let floor = 0;
  let ahead: FilesAhead;
  let isReliable = listing.digest !== undefined;
  const report = () => onProgress?.(total - changed.length, total);
  report();
  /** The started steps of the batch that the last slice began. */
  let begun: Steps | undefined;
  const slice = (): boolean | "unfinished" => {
    beforeSlice?.(total - changed.length, total);
    const end = performance.now() + SLICE;
    begun ??= batch(end);
    do {
      if (begun.next().done !== true) continue;
      begun = undefined;
      return changed.length > floor || (floor === 0 && missing.length > 0);
    } while (performance.now() < end);
    return "unfinished";
  };
  /** Indexes files until the time is over, or a single large one, and removes what is gone. */
  const batch = function* (end: number): Steps {
    // Read within the transaction, so that an older state never replaces what another process just indexed.
    const prepared: Prepared[] = [];
    let isLarge = false;
    while (changed.length > floor && performance.now() < end && !isLarge) {
      const isNextLarge = changed.at(-1)!.version.size > MAX_AT_ONCE;
      if (isNextLarge && prepared.length > 0) break;
      isLarge = isNextLarge;
      const reading = readFile(ahead, changed.pop()!, known);
      const read = isLarge ? yield* reading : finished(reading);
      isReliable &&= read !== undefined && read.storing.hash === undefined && read.storing.unread === undefined;
      if (read === undefined) continue;
      const { document, storing } = read;
      if (storing.unread !== undefined) unread.push({ path: read.path, reason: storing.unread });
      if (document !== undefined) count++;
      if (document !== undefined) prepared.push({ document, storing });
      else if (!keepDocument(database, read.path, storing))
        prepared.push({ document: unreadDocument(read.path, read.kind), storing });
    }
    const gone = floor === 0 ? missing : [];
    if (isLarge) yield* putInSteps(database, prepared);
    else putDocuments(database, prepared);
    while (gone.length > 0 && performance.now() < end) {
      const path = gone.pop()!;
      if (kindOfPath(path) !== undefined && root.isThere(path)) continue;
      yield* removeInSteps(database, path);
      removed++;
    }
    // An unmounted disk looks like a vault whose files were all deleted.
    if (removed > 0) root.check();
    report();
  };
  while (changed.length > 0 || missing.length > 0) {
    ahead = await root.ahead(newestFirst(changed));
    floor = Math.max(0, changed.length - ahead.count);
    while (await database.writeInTurns(slice, signal)) await mergeText(database, signal);
    if (floor > 0) await mergeText(database, signal);
  }
  const { digest } = listing;
  isReliable &&= unread.length === 0;
  return { total, changed: count, removed, unread, seen: isReliable ? { digest: digest!, total } : undefined };
}

interface ListedFile extends FoundFile {
  readonly kind: DocumentKind;
}

function* newestFirst(changed: readonly ListedFile[]): Generator<NextFile> {
  for (let i = changed.length - 1; i >= 0; i--) {
    const { path, kind, version, unread } = changed[i]!;
    yield { path, size: unread === undefined && hasContent(kind) ? version.size : 0 };
  }
}

/** Lists the differences between the disk and the index. */
async function compare(listing: Listing, known: KnownFiles, signal: AbortSignal | undefined) {
  const changed: ListedFile[] = [];
  const unread: Unread[] = [];
  const newPaths = new Set<string>();
  let total = 0;
  let turn = performance.now();
  for (const { path, version, unread: reason, hash } of listing.files) {
    if (performance.now() - turn > SLICE) {
      await nextTurn();
      signal?.throwIfAborted();
      turn = performance.now();
    }
    const result = known.compare(path, version, hash);
    if (result === "repeated" || (result === "unknown" && newPaths.has(path))) continue;
    if (result === "same" && reason === undefined) {
      total++;
      continue;
    }
    const kind = kindOfPath(path);
    if (kind === undefined) continue;
    if (kind !== "folder") total++;
    if (result === "unknown") newPaths.add(path);
    const file = { path, kind, version, unread: reason, hash };
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
  return before.hash !== file.hash || (before.unread !== undefined && !isForGood);
}

interface ReadFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly storing: Storing;
  /** Undefined if the index has it already, or if it cannot be read and the indexed content is kept. */
  readonly document: IndexedDocument | undefined;
}

/** Reads and parses a file; undefined if it no longer exists. */
function* readFile(
  { read }: Pick<FilesAhead, "read">,
  file: ListedFile,
  known: KnownFiles,
): Steps<ReadFile | undefined> {
  // The version is from the listing: if the file changed since, the next sweep notices.
  const { path, kind, version, hash: listed } = file;
  const refused = (unread: string): ReadFile => ({
    path,
    kind,
    storing: { version, hash: listed, unread },
    document: undefined,
  });
  if (!hasContent(kind))
    return { path, kind, storing: { version, hash: listed }, document: unreadDocument(path, kind) };
  if (file.unread !== undefined) return refused(file.unread);
  let bytes: Buffer;
  try {
    bytes = read(path);
  } catch (error) {
    if (error instanceof FileTooLarge) return refused(TOO_LARGE);
    // It has become a link, a pipe or a folder.
    return codeOf(error) === "ENOENT" || isNoFile(error) ? undefined : refused(codeOf(error));
  }
  const before = known.get(path);
  const isYoung = Math.abs(Date.now() - version.mtime) < YOUNG;
  const hash = listed ?? (isYoung || before?.hash !== undefined ? contentHash(bytes) : undefined);
  const storing = { version, hash: isYoung ? hash : listed };
  const isAsBefore = hash !== undefined && before?.hash === hash && before.unread === undefined;
  if (isAsBefore) return { path, kind, storing, document: undefined };
  const document = yield* readInSteps(path, kind, bytes);
  return typeof document === "string" ? refused(document) : { path, kind, storing, document };
}
